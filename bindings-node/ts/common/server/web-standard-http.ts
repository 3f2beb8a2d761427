/**
 * The streamable HTTP transport for servers with web-standard `Request` and `Response`: Hono, Bun,
 * Deno, Workers. Owns: the official class. Must not know: how a session's messages are routed.
 */
import { wayInto } from '../../engine/http/engine';
import { FetchExchange } from '../../engine/http/fetch';
import { HttpPipe, PIPE } from '../../engine/http/pipe';
import type { HandleRequestOptions, WebStandardStreamableHTTPServerTransportOptions } from '../../engine/http/transport-options';
import { NATIVE, type NativeWay } from '../../engine/server/native-way';
import { written } from '../../engine/written';
import type { Transport } from '../../protocol/transport';
import type { InitializeRequestParams, JSONRPCMessage, MessageExtraInfo, RequestId } from '../../protocol/types';

export type {
  EventId,
  EventStore,
  HandleRequestOptions,
  StreamId,
  WebStandardStreamableHTTPServerTransportOptions,
} from '../../engine/http/transport-options';

/**
 * Server transport for one session over streamable HTTP or, without `sessionIdGenerator`, for one
 * request.
 *
 * @example
 * const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
 * await server.connect(transport);
 * app.all('/mcp', (c) => transport.handleRequest(c.req.raw));
 */
export class WebStandardStreamableHTTPServerTransport implements Transport {
  /** The session behind the transport. */
  readonly [PIPE]: HttpPipe;
  #started = false;

  /**
   * @param options - Session ids, stored events, limits and so on. Default: no sessions.
   * @throws {RangeError} If `maxRequestBodySize` is not a positive number.
   */
  constructor(options: WebStandardStreamableHTTPServerTransportOptions = {}) {
    this[PIPE] = new HttpPipe(options);
  }

  /** The session id; `undefined` before the session is initialized, and without sessions. */
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

  /** Called with each error. */
  get onerror(): ((error: Error) => void) | undefined {
    return this[PIPE].onerror;
  }

  set onerror(handler: ((error: Error) => void) | undefined) {
    this[PIPE].onerror = handler;
  }

  /** Called with each message from the client. */
  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    return this[PIPE].receiver;
  }

  set onmessage(handler: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    this[PIPE].onmessage = handler;
  }

  // Programs set it to continue a session of another process.
  protected get _initialized(): boolean {
    return this[PIPE].initialized;
  }

  protected set _initialized(value: boolean) {
    this[PIPE].initialized = value;
  }

  /** Lets the engine handle messages directly; `undefined` if a program wraps the transport. */
  get [NATIVE](): NativeWay | undefined {
    return wayInto(this[PIPE], this, WRITTEN);
  }

  /**
   * Continues a session that another process opened, so that any process can serve any request.
   *
   * @param opening - The `params` of the client's `initialize` request, which have its capabilities.
   *   Default: not known.
   * @param sessionId - The id of the session.
   */
  adopt(sessionId: string, opening?: InitializeRequestParams): void {
    this[PIPE].adopt(sessionId, opening);
  }

  /** Does nothing, because requests arrive one by one; `connect` of a server calls it. */
  async start(): Promise<void> {
    if (this.#started) throw new Error('Transport already started');
    this.#started = true;
  }

  /**
   * Handles a request of any method and returns the response.
   *
   * @param req - The request.
   * @param options - The verified token, and the body if it has been parsed. Default: neither.
   * @throws if the transport has no sessions and was used before.
   */
  async handleRequest(req: Request, options?: HandleRequestOptions): Promise<Response> {
    const exchange = new FetchExchange(req, options?.parsedBody);
    await this[PIPE].handle(exchange, options ?? {});
    return exchange.response;
  }

  /** Ends the session and its streams. */
  async close(): Promise<void> {
    await this[PIPE].close();
  }

  /**
   * Closes the stream of a request; the client reconnects and gets the rest.
   * @param requestId - The id of the request.
   */
  closeSSEStream(requestId: RequestId): void {
    this[PIPE].streams.closeStream(requestId);
  }

  /** Closes the stream for messages that belong to no request; the client opens it again. */
  closeStandaloneSSEStream(): void {
    this[PIPE].streams.closeStandalone();
  }

  /**
   * Sends a message: on the stream of the related request, else on that for messages that belong to no request.
   * @param message - The message.
   * @param options - The id of the request that the message is related to. Default: none.
   */
  async send(message: JSONRPCMessage, options?: { relatedRequestId?: RequestId }): Promise<void> {
    await this[PIPE].streams.send(message, options?.relatedRequestId);
  }
}

const WRITTEN = written(WebStandardStreamableHTTPServerTransport, ['send', 'start', 'close', 'handleRequest']);
