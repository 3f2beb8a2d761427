/**
 * The streamable HTTP transport for `node:http` and what stands on it: Express, Fastify.
 * Owns: the official class. Must not know: how the messages of a session find their way.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { wayInto } from '../internal/http-engine';
import { NodeExchange } from '../internal/http-node';
import { PIPE } from '../internal/http-pipe';
import { NATIVE, type NativeWay } from '../internal/server-native';
import { written } from '../internal/written';
import type { Transport } from '../shared/transport';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../types';
import type { AuthInfo } from './auth/types';
import {
  WebStandardStreamableHTTPServerTransport,
  type EventId,
  type EventStore,
  type StreamId,
  type WebStandardStreamableHTTPServerTransportOptions,
} from './webStandardStreamableHttp';

export type { EventId, EventStore, StreamId };

/** Options of `StreamableHTTPServerTransport`. */
export type StreamableHTTPServerTransportOptions = WebStandardStreamableHTTPServerTransportOptions;

/**
 * One session, or with no `sessionIdGenerator` one request. One `Server` may be connected
 * to any number of them.
 *
 * @example
 * const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => randomUUID() });
 * await server.connect(transport);
 * app.all('/mcp', (req, res) => transport.handleRequest(req, res, req.body));
 */
export class StreamableHTTPServerTransport implements Transport {
  private readonly _webStandardTransport: WebStandardStreamableHTTPServerTransport;

  /** @throws {RangeError} `maxRequestBodySize` is not a positive number. */
  constructor(options: StreamableHTTPServerTransportOptions = {}) {
    this._webStandardTransport = new WebStandardStreamableHTTPServerTransport(options);
  }

  /** Name of the session, once it has begun. */
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

  /** Called with what goes wrong. */
  get onerror(): ((error: Error) => void) | undefined {
    return this._webStandardTransport.onerror;
  }

  set onerror(handler: ((error: Error) => void) | undefined) {
    this._webStandardTransport.onerror = handler;
  }

  /** Called with each message that comes. */
  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this._webStandardTransport.onmessage;
  }

  set onmessage(handler: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    this._webStandardTransport.onmessage = handler;
  }

  /** The engine's own way in; absent if a program put itself between. */
  get [NATIVE](): NativeWay | undefined {
    return wayInto(this._webStandardTransport[PIPE], this, WRITTEN);
  }

  /**
   * Goes on with a session that another process opened, so that any process can serve any
   * request.
   *
   * @param opening - The `params` of the client's `initialize`, if they were kept: what it
   * can be asked.
   */
  adopt(sessionId: string, opening?: InitializeRequestParams): void {
    this._webStandardTransport.adopt(sessionId, opening);
  }

  /** Begins. There is nothing to do: requests come one by one. */
  async start(): Promise<void> {
    await this._webStandardTransport.start();
  }

  /** Ends the session; its streams end. */
  async close(): Promise<void> {
    await this._webStandardTransport.close();
  }

  /** Sends a message; on the stream of the request it is about, else on the session's own. */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    await this._webStandardTransport.send(message, options);
  }

  /**
   * Answers a request of any method, until everything is said or the client has left.
   *
   * @param req - With `auth`, if a middleware knows whose request it is.
   * @param parsedBody - The body, if a middleware parsed it.
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

  /** Closes the stream of a request; its client comes back for the rest. */
  closeSSEStream(requestId: RequestId): void {
    this._webStandardTransport.closeSSEStream(requestId);
  }

  /** Closes the session's own stream; its client comes back. */
  closeStandaloneSSEStream(): void {
    this._webStandardTransport.closeStandaloneSSEStream();
  }
}

const WRITTEN = written(StreamableHTTPServerTransport, ['send', 'start', 'close', 'handleRequest']);
