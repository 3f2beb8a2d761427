/**
 * HTTP+SSE, the older HTTP transport: the server sends over a stream of events, the client posts
 * messages. Owns: the official class. Must not know: what is done with a message.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_SSE_KEEP_ALIVE_MS } from '../engine/http/keep-alive';
import { event, Line, PLAIN_EVENTS } from '../engine/http/line';
import { charsetOf, isMessage } from '../engine/http/message';
import { NodeExchange } from '../engine/http/node';
import { HttpRules } from '../engine/http/rules';
import type { ServerConnection } from '../engine/server/connection';
import { NATIVE, type NativeWay } from '../engine/server/native-way';
import { isAsWritten, written } from '../engine/written';
import type { Transport } from '../protocol/transport';
import type { JSONRPCMessage, MessageExtraInfo } from '../protocol/types';
import type { AuthInfo } from '../protocol/auth-info';
import { DEFAULT_MAX_REQUEST_BODY_SIZE } from '../engine/http/request-body';
import { refusal } from '../protocol/refusal';

/** Options of an `SSEServerTransport`. */
export interface SSEServerTransportOptions {
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
}

/**
 * Server transport for one session over HTTP+SSE.
 *
 * @deprecated Since 2025-03-26 (SEP-2596; removed no earlier than three months after it is final):
 * use `StreamableHTTPServerTransport`.
 *
 * @example
 * app.get('/sse', (req, res) => {
 *   transport = new SSEServerTransport('/messages', res);
 *   server.connect(transport);
 * });
 * app.post('/messages', (req, res) => transport.handlePostMessage(req, res));
 */
export class SSEServerTransport implements Transport {
  /** Called when the session is over. */
  onclose?: () => void;
  /** Called with each error. */
  onerror?: (error: Error) => void;
  private readonly _sessionId = randomUUID();
  #onmessage: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined;
  #connection: ServerConnection | undefined;
  #line: Line | undefined;

  /**
   * Creates a transport; `connect` of a server opens its stream.
   * @param _endpoint - The path or URL that the client is told to post messages to.
   * @param res - The response that the stream is written to.
   * @param _options - Checks of `Host` and `Origin`. Default: none.
   */
  constructor(
    private readonly _endpoint: string,
    private readonly res: ServerResponse,
    private readonly _options: SSEServerTransportOptions = {},
  ) {}

  /** The session id, which a post carries in the query parameter `sessionId`. */
  get sessionId(): string {
    return this._sessionId;
  }

  /** Called with each message from the client. */
  get onmessage(): ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined {
    if (this.#onmessage !== undefined || this.#connection === undefined) return this.#onmessage;
    return (message, extra) => this.feed(message, JSON.stringify(message), extra);
  }

  set onmessage(handler: ((message: JSONRPCMessage, extra?: MessageExtraInfo) => void) | undefined) {
    this.#onmessage = handler;
  }

  /** Lets the engine handle messages directly; `undefined` if a program wraps the transport. */
  get [NATIVE](): NativeWay | undefined {
    if (!isAsWritten(this, WRITTEN) || this.#onmessage !== undefined) return undefined;
    return {
      serve: async (host) => {
        await this.start();
        const connection = host.open(false);
        connection.transport = this;
        connection.carry((text) => this.say(text));
        connection.onEnd(() => void this.close());
        this.#connection = connection;
      },
    };
  }

  /** Opens the stream; `connect` of a server calls it. */
  async start(): Promise<void> {
    if (this.#line !== undefined) {
      throw new Error(
        'SSEServerTransport already started! If using Server class, note that connect() calls start() automatically.',
      );
    }
    const exchange = new NodeExchange(this.res.req, this.res);
    const address = new URL(this._endpoint, 'http://localhost');
    address.searchParams.set('sessionId', this._sessionId);
    this.#line = new Line(exchange, {
      headers: PLAIN_EVENTS,
      keepAliveMs: DEFAULT_SSE_KEEP_ALIVE_MS,
      over: () => this.over(),
    });
    this.#line.begin(`event: endpoint\ndata: ${address.pathname}${address.search}${address.hash}\n\n`);
  }

  private over(): void {
    this.#connection?.ended();
    this.onclose?.();
  }

  /**
   * Handles a posted message and responds to the request.
   *
   * @param req - The request; with `auth` if a middleware verified the token.
   * @param parsedBody - The body, if a middleware has parsed it. Default: it is read from the request.
   * @param res - The response.
   * @throws if the stream is not open.
   */
  async handlePostMessage(req: IncomingMessage & { auth?: AuthInfo }, res: ServerResponse, parsedBody?: unknown): Promise<void> {
    if (!this.#line?.isOpen) {
      const message = 'SSE connection not established';
      res.writeHead(500).end(message);
      throw new Error(message);
    }
    const refused = HttpRules.of(this._options).guard(req.headers.host, req.headers.origin);
    if (refused !== undefined) {
      res.writeHead(403).end(refused.message);
      this.onerror?.(new Error(refused.message));
      return;
    }
    const exchange = new NodeExchange(req, res, parsedBody);
    let body: unknown;
    try {
      body = await bodyOf(exchange, req.headers['content-type'], parsedBody);
    } catch (error) {
      res.writeHead(400).end(String(error));
      this.onerror?.(error as Error);
      return;
    }
    try {
      const requestInfo = { headers: req.headers, url: exchange.hasHost() ? exchange.url() : undefined };
      const text = typeof body === 'string' ? body : undefined;
      this.take(text === undefined ? body : JSON.parse(text), text, { requestInfo, authInfo: req.auth });
    } catch {
      res.writeHead(400).end(`Invalid message: ${String(body)}`);
      return;
    }
    res.writeHead(202).end('Accepted');
  }

  /**
   * Handles a message that arrived in another way.
   *
   * @param message - The message.
   * @param extra - The headers of the request, and the verified token. Default: none.
   * @throws if it is not a JSON-RPC message.
   */
  async handleMessage(message: unknown, extra?: MessageExtraInfo): Promise<void> {
    this.take(message, undefined, extra);
  }

  private take(message: unknown, text: string | undefined, extra: MessageExtraInfo | undefined): void {
    if (!isMessage(message)) {
      const error = new TypeError('this is no JSON-RPC message');
      this.onerror?.(error);
      throw error;
    }
    if (this.#onmessage !== undefined) this.#onmessage(message, extra);
    else this.feed(message, text ?? JSON.stringify(message), extra);
  }

  private feed(message: JSONRPCMessage, text: string, extra: MessageExtraInfo | undefined): void {
    this.#connection?.feed(text, !('method' in message), extra);
  }

  /** Ends the session. */
  async close(): Promise<void> {
    this.#line?.end();
  }

  /**
   * Sends a message to the client.
   *
   * @param message - The message.
   * @throws if the stream is not open.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.#line?.isOpen) throw refusal('not_connected', 'Not connected');
    await this.write(JSON.stringify(message));
  }

  /** Writes an event; the promise resolves when the client can take more, `undefined` if it can now. */
  private write(text: string): Promise<void> | undefined {
    this.#line?.write(event(text));
    return this.#line?.room;
  }

  /** Writes a message of the engine, through `send` if a program replaced that. */
  private say(text: string): Promise<void> | undefined {
    if (this.send === WRITTEN.send) return this.write(text);
    return this.send(JSON.parse(text) as JSONRPCMessage);
  }
}

const WRITTEN = written(SSEServerTransport, ['send', 'start', 'close', 'handlePostMessage', 'handleMessage']);

/** The body as text, or as a middleware parsed it. */
async function bodyOf(exchange: NodeExchange, type: string | undefined, parsed: unknown): Promise<unknown> {
  const charset = charsetOf(type);
  if (parsed !== undefined && parsed !== null) return parsed;
  const body = await exchange.read(DEFAULT_MAX_REQUEST_BODY_SIZE);
  if (body === 'tooLarge') throw named('PayloadTooLargeError', 'request entity too large');
  if (body === 'broken') throw named('BadRequestError', 'request aborted');
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    throw named('UnsupportedMediaTypeError', 'specified encoding unsupported');
  }
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
