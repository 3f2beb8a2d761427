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

/** Stores messages for clients that reconnect. Programs may implement it. */
export interface EventStore {
  /**
   * Stores a message of a stream and returns its event id.
   * @param streamId - The stream.
   * @param message - The message.
   */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  /**
   * The id of the stream that an event belongs to; `undefined` if the event is unknown.
   * @param eventId - The event.
   */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  /**
   * Sends the events of a stream that came after one of its events; returns the stream's id.
   * @param lastEventId - The last event that the client has.
   */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}

/** Options of a `WebStandardStreamableHTTPServerTransport`. */
export interface WebStandardStreamableHTTPServerTransportOptions {
  /** Makes a session id, which should be hard to guess. Without it there are no sessions. */
  sessionIdGenerator?: () => string;
  /** Called when a session begins; the response waits for it. */
  onsessioninitialized?: (sessionId: string) => void | Promise<void>;
  /** Called when the client ends the session. */
  onsessionclosed?: (sessionId: string) => void | Promise<void>;
  /** Whether to respond with one JSON document instead of a stream of events. Default: false. */
  enableJsonResponse?: boolean;
  /** Stores events, so that clients can resume streams. */
  eventStore?: EventStore;
  /**
   * The values of `Host` to accept.
   *
   * @deprecated Use a middleware.
   */
  allowedHosts?: string[];
  /**
   * The values of `Origin` to accept.
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
  /** How long clients should wait before they reconnect to a stream, in milliseconds. */
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
