/**
 * The streamable HTTP transport for `node:http` and frameworks on it, such as Express and Fastify.
 * Owns: the official class. Must not know: how a session's messages are routed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { wayInto } from '../../engine/http/engine';
import { NodeExchange } from '../../engine/http/node';
import { PIPE } from '../../engine/http/pipe';
import { NATIVE, type NativeWay } from '../../engine/server/native-way';
import { written } from '../../engine/written';
import type { Transport } from '../../protocol/transport';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';
import type { AuthInfo } from '../../protocol/auth-info';
import {
  WebStandardStreamableHTTPServerTransport,
  type EventId,
  type EventStore,
  type StreamId,
  type WebStandardStreamableHTTPServerTransportOptions,
} from './web-standard-http';

export type { EventId, EventStore, StreamId };

/** Options of a `StreamableHTTPServerTransport`. */
export type StreamableHTTPServerTransportOptions = WebStandardStreamableHTTPServerTransportOptions;

/**
 * Server transport for one session over streamable HTTP or, without `sessionIdGenerator`, for one
 * request. A `Server` may be connected to any number of them.
 *
 * @example
 * const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
 * await server.connect(transport);
 * app.all('/mcp', (req, res) => transport.handleRequest(req, res, req.body));
 */
export class StreamableHTTPServerTransport implements Transport {
  private readonly _webStandardTransport: WebStandardStreamableHTTPServerTransport;

  /**
   * @param options - Session ids, stored events, limits and so on. Default: no sessions.
   * @throws {RangeError} If `maxRequestBodySize` is not a positive number.
   */
  constructor(options: StreamableHTTPServerTransportOptions = {}) {
    this._webStandardTransport = new WebStandardStreamableHTTPServerTransport(options);
  }

  /** The session id; `undefined` before the session is initialized, and without sessions. */
  get sessionId(): string | undefined {
    return this._webStandardTransport.sessionId;
  }

  /** Called when the transport is closed. */
  get onclose(): (() => void) | undefined {
    return this._webStandardTransport.onclose;
  }

  set onclose(handler: (() => void) | undefined) {
    this._webStandardTransport.onclose = handler;
  }

  /** Called with each error. */
  get onerror(): ((error: Error) => void) | undefined {
    return this._webStandardTransport.onerror;
  }

  set onerror(handler: ((error: Error) => void) | undefined) {
    this._webStandardTransport.onerror = handler;
  }

  /** Called with each message from the client. */
  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this._webStandardTransport.onmessage;
  }

  set onmessage(handler: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    this._webStandardTransport.onmessage = handler;
  }

  /** Lets the engine handle messages directly; `undefined` if a program wraps the transport. */
  get [NATIVE](): NativeWay | undefined {
    return wayInto(this._webStandardTransport[PIPE], this, WRITTEN);
  }

  /**
   * Continues a session that another process opened, so that any process can serve any request.
   *
   * @param opening - The `params` of the client's `initialize` request, which have its capabilities.
   *   Default: not known.
   * @param sessionId - The id of the session.
   */
  adopt(sessionId: string, opening?: InitializeRequestParams): void {
    this._webStandardTransport.adopt(sessionId, opening);
  }

  /** Does nothing, because requests arrive one by one; `connect` of a server calls it. */
  async start(): Promise<void> {
    await this._webStandardTransport.start();
  }

  /** Ends the session and its streams. */
  async close(): Promise<void> {
    await this._webStandardTransport.close();
  }

  /**
   * Sends a message: on the stream of the related request, else on that for messages that belong to no request.
   * @param message - The message.
   * @param options - The id of the request that the message is related to. Default: none.
   */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    await this._webStandardTransport.send(message, options);
  }

  /**
   * Handles a request of any method; resolves when the response is complete or the client has
   * disconnected.
   *
   * @param req - The request; with `auth` if a middleware verified the token.
   * @param parsedBody - The body, if a middleware has parsed it. Default: it is read from the request.
   * @param res - The response.
   */
  async handleRequest(req: IncomingMessage & { auth?: AuthInfo }, res: ServerResponse, parsedBody?: unknown): Promise<void> {
    const exchange = new NodeExchange(req, res, parsedBody);
    if (!exchange.hasHost()) return exchange.respond(400, [], '', true);
    try {
      await this._webStandardTransport[PIPE].handle(exchange, { authInfo: req.auth, parsedBody });
    } catch (error) {
      this.onerror?.(error as Error);
      exchange.respond(500, [], '', true);
    }
    await exchange.done();
  }

  /**
   * Closes the stream of a request; the client reconnects and gets the rest.
   * @param requestId - The id of the request.
   */
  closeSSEStream(requestId: RequestId): void {
    this._webStandardTransport.closeSSEStream(requestId);
  }

  /** Closes the stream for messages that belong to no request; the client opens it again. */
  closeStandaloneSSEStream(): void {
    this._webStandardTransport.closeStandaloneSSEStream();
  }
}

const WRITTEN = written(StreamableHTTPServerTransport, ['send', 'start', 'close', 'handleRequest']);
