/**
 * Options of the streamable HTTP transport for servers, and the store of events that a program may
 * give it. Owns: the types. Must not know: what is done with them.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { JSONRPCMessage } from '../../protocol/types';

/** The id of a stream of events. */
export type StreamId = string;
/** The id of an event. */
export type EventId = string;

/** Stores the messages of streams, so that clients that reconnect get what they missed. Programs implement it. */
export interface EventStore {
  /**
   * Stores a message of a stream; returns the id of the event, unique among all streams.
   * @param streamId - The id of the stream.
   * @param message - The message.
   */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  /**
   * The id of the stream that an event belongs to; `undefined` if the event is unknown.
   * @param eventId - The id of the event.
   */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  /**
   * Sends all events of the same stream after the given one; returns the id of the stream.
   * @param lastEventId - The id of the last event that the client got.
   * @param options - The function `send`, which is called with each event and its id, in order.
   */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}

/** Options of a `WebStandardStreamableHTTPServerTransport`. */
export interface WebStandardStreamableHTTPServerTransportOptions {
  /** Makes the id of the session, which must be hard to guess. Default: none, there are no sessions. */
  sessionIdGenerator?: () => string;
  /** Called with the session id when a session begins; the response waits for it. Default: none. */
  onsessioninitialized?: (sessionId: string) => void | Promise<void>;
  /** Called with the session id when the client ends the session. Default: none. */
  onsessionclosed?: (sessionId: string) => void | Promise<void>;
  /**
   * Whether every response is one JSON document; progress and log messages of a request are then not sent.
   * Default: false.
   */
  enableJsonResponse?: boolean;
  /** Stores the messages of streams, so that clients that reconnect get what they missed. Default: none. */
  eventStore?: EventStore;
  /**
   * The allowed values of `Host`. Default: all.
   *
   * @deprecated Use a middleware.
   */
  allowedHosts?: string[];
  /**
   * The allowed values of `Origin`. Default: all.
   *
   * @deprecated Use a middleware.
   */
  allowedOrigins?: string[];
  /**
   * Whether `allowedHosts` and `allowedOrigins` are checked. Default: false.
   *
   * @deprecated Use a middleware.
   */
  enableDnsRebindingProtection?: boolean;
  /** How many milliseconds clients should wait before they reconnect to a stream that ended. Default: they decide. */
  retryInterval?: number;
  /** The interval between keep-alive comments on a stream, in milliseconds. Default: 15,000; below 1 there are none. */
  keepAliveMs?: number;
  /** The largest body that the transport reads itself, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number;
}

/** Options of `handleRequest`. */
export interface HandleRequestOptions {
  /** The body, if it was parsed before. */
  parsedBody?: unknown;
  /** What is known about the access token, if it was verified before. */
  authInfo?: AuthInfo;
}
