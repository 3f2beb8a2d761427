/**
 * The streamable HTTP transport for servers that take a `Request` and give a `Response`:
 * Hono, Bun, Deno, Workers. Owns: the official class. Must not know: how the messages of a
 * session find their way.
 */
import { wayInto } from '../internal/http-engine';
import { FetchExchange } from '../internal/http-fetch';
import { HttpPipe, PIPE } from '../internal/http-pipe';
import { NATIVE, type NativeWay } from '../internal/server-native';
import { written } from '../internal/written';
import type { Transport } from '../shared/transport';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../types';
import type { AuthInfo } from './auth/types';

/** The id of an event stream. */
export type StreamId = string;
/** The id of an event. */
export type EventId = string;

/** Keeps messages, for clients that come back for what they missed. Anyone may write one. */
export interface EventStore {
  /** Stores a message of a stream and returns the event's id. */
  storeEvent(streamId: StreamId, message: JSONRPCMessage): Promise<EventId>;
  /** The id of an event's stream; `undefined` if the event is unknown. */
  getStreamIdForEventId?(eventId: EventId): Promise<StreamId | undefined>;
  /** Hands over what came after an event of its stream; returns the stream. */
  replayEventsAfter(
    lastEventId: EventId,
    { send }: { send: (eventId: EventId, message: JSONRPCMessage) => Promise<void> },
  ): Promise<StreamId>;
}

/** Options of `WebStandardStreamableHTTPServerTransport`. */
export interface WebStandardStreamableHTTPServerTransportOptions {
  /** Makes the name of the session, hard to guess. Without it there are no sessions. */
  sessionIdGenerator?: () => string;
  /** Called when the session begins; the answer waits for it. */
  onsessioninitialized?: (sessionId: string) => void | Promise<void>;
  /** Called when the client ends the session. */
  onsessionclosed?: (sessionId: string) => void | Promise<void>;
  /** Answers with one JSON text in place of a stream of events. */
  enableJsonResponse?: boolean;
  /** Keeps events, so that clients can resume streams. */
  eventStore?: EventStore;
  /**
   * Values of `Host` that pass.
   *
   * @deprecated Use a middleware.
   */
  allowedHosts?: string[];
  /**
   * Values of `Origin` that pass.
   *
   * @deprecated Use a middleware.
   */
  allowedOrigins?: string[];
  /**
   * Whether the two are looked at.
   *
   * @deprecated Use a middleware.
   */
  enableDnsRebindingProtection?: boolean;
  /** How long clients should wait before they come back to a stream, in milliseconds. */
  retryInterval?: number;
  /** Milliseconds between signs of life on a stream; 15 000 by default, below 1 none. */
  keepAliveMs?: number;
  /** Most bytes of a body that the transport reads itself; 4 MiB by default. */
  maxRequestBodySize?: number;
}

/** What the program knows of one request. */
export interface HandleRequestOptions {
  /** The body, if it was already parsed. */
  parsedBody?: unknown;
  /** What is known of the request's token. */
  authInfo?: AuthInfo;
}

/**
 * One session, or with no `sessionIdGenerator` one request.
 *
 * @example
 * const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
 * await server.connect(transport);
 * app.all('/mcp', (c) => transport.handleRequest(c.req.raw));
 */
export class WebStandardStreamableHTTPServerTransport implements Transport {
  /** What is behind it. */
  readonly [PIPE]: HttpPipe;
  #started = false;

  /** @throws {RangeError} `maxRequestBodySize` is not a positive number. */
  constructor(options: WebStandardStreamableHTTPServerTransportOptions = {}) {
    this[PIPE] = new HttpPipe(options);
  }

  /** Name of the session, once it has begun. */
  get sessionId(): string | undefined {
    return this[PIPE].sessionId;
  }

  set sessionId(value: string | undefined) {
    this[PIPE].sessionId = value;
  }

  /** Called when the transport is closed. */
  get onclose(): (() => void) | undefined {
    return this[PIPE].onclose;
  }

  set onclose(handler: (() => void) | undefined) {
    this[PIPE].onclose = handler;
  }

  /** Called with what goes wrong. */
  get onerror(): ((error: Error) => void) | undefined {
    return this[PIPE].onerror;
  }

  set onerror(handler: ((error: Error) => void) | undefined) {
    this[PIPE].onerror = handler;
  }

  /** Called with each message that comes. */
  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this[PIPE].receiver;
  }

  set onmessage(handler: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    this[PIPE].onmessage = handler;
  }

  // Programs that go on with a session of another process set it.
  protected get _initialized(): boolean {
    return this[PIPE].initialized;
  }

  protected set _initialized(value: boolean) {
    this[PIPE].initialized = value;
  }

  /** The engine's own way in; absent if a program put itself between. */
  get [NATIVE](): NativeWay | undefined {
    return wayInto(this[PIPE], this, WRITTEN);
  }

  /**
   * Goes on with a session that another process opened, so that any process can serve any
   * request.
   *
   * @param opening - The `params` of the client's `initialize`, if they were kept: what it
   * can be asked.
   */
  adopt(sessionId: string, opening?: InitializeRequestParams): void {
    this[PIPE].adopt(sessionId, opening);
  }

  /** Begins. There is nothing to do: requests come one by one. */
  async start(): Promise<void> {
    if (this.#started) throw new Error('Transport already started');
    this.#started = true;
  }

  /**
   * Answers a request of any method.
   *
   * @throws it is of no session, and was used before.
   */
  async handleRequest(req: Request, options?: HandleRequestOptions): Promise<Response> {
    const exchange = new FetchExchange(req, options?.parsedBody);
    await this[PIPE].handle(exchange, options ?? {});
    return exchange.response;
  }

  /** Ends the session; its streams end. */
  async close(): Promise<void> {
    await this[PIPE].close();
  }

  /** Closes the stream of a request; its client comes back for the rest. */
  closeSSEStream(requestId: RequestId): void {
    this[PIPE].closeStream(requestId);
  }

  /** Closes the session's own stream; its client comes back. */
  closeStandaloneSSEStream(): void {
    this[PIPE].closeStandalone();
  }

  /** Sends a message; on the stream of the request it is about, else on the session's own. */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    await this[PIPE].send(message, options?.relatedRequestId);
  }
}

const WRITTEN = written(WebStandardStreamableHTTPServerTransport, ['send', 'start', 'close', 'handleRequest']);
