/**
 * A transport for one message, for programs that handle HTTP requests themselves. Owns: making a
 * `Response` from what a server sends. Must not know: servers.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { Transport, TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, MessageExtraInfo } from '../../protocol/types';
import { armSseKeepAlive, DEFAULT_SSE_KEEP_ALIVE_MS } from '../../engine/http/keep-alive';
import type { MessageClassification } from './classify';
import { ProtocolErrorCode, SdkError, SdkErrorCode } from './errors';

/** The form of the response: `json`, `sse`, or `auto` for a stream only where one is needed. */
export type PerRequestResponseMode = 'auto' | 'sse' | 'json';

/** Options of a `PerRequestHTTPServerTransport`. */
export interface PerRequestHTTPServerTransportOptions {
  /** The class and revision of the message, as from `classifyInboundRequest`. */
  classification: MessageClassification;
  /** The form of the response. Default: `auto`. */
  responseMode?: PerRequestResponseMode;
  /** The interval between keep-alive comments on a stream, in milliseconds. Default: 15,000. */
  keepAliveMs?: number;
}

/** The HTTP request of a message, and its verified access token. */
export interface PerRequestMessageExtra {
  /** The HTTP request. */
  request?: globalThis.Request;
  /** The validated access token of the sender. */
  authInfo?: AuthInfo;
}

const STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' };
const STATUS: Record<number, number> = {
  [ProtocolErrorCode.MethodNotFound]: 404,
  [ProtocolErrorCode.MissingRequiredClientCapability]: 400,
  [ProtocolErrorCode.UnsupportedProtocolVersion]: 400,
};

type Reply = JSONRPCMessage & { id?: unknown; error?: { code: number } };

/** Carries one message to a server and makes the HTTP response. Each needs a new server. */
export class PerRequestHTTPServerTransport implements Transport {
  /** Called when the exchange is over. */
  onclose?: () => void;
  /** Called with each error. */
  onerror?: (error: Error) => void;
  /** Called with the message. */
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;
  readonly #options: PerRequestHTTPServerTransportOptions;
  readonly #encoder = new TextEncoder();
  #answer: ((response: Response) => void) | undefined;
  #refuse: ((error: Error) => void) | undefined;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #beat: NodeJS.Timeout | undefined;
  #used = false;
  #over = false;

  /**
   * Creates a transport for one message.
   * @param options - The class and revision of the message, and the form of the response.
   */
  constructor(options: PerRequestHTTPServerTransportOptions) {
    this.#options = options;
  }

  /** Does nothing; `connect` of a server calls it. */
  async start(): Promise<void> {}

  /**
   * Passes the message to the server and returns the response.
   * @param message - The message.
   * @param extra - The HTTP request, and the verified access token. Default: none.
   */
  async handleMessage(message: JSONRPCRequest | JSONRPCNotification, extra: PerRequestMessageExtra = {}): Promise<Response> {
    if (this.#used) throw new Error('This transport has carried a message already');
    this.#used = true;
    const { request, authInfo } = extra;
    request?.signal?.addEventListener('abort', () => void this.close(), { once: true });
    const about = { authInfo, request } as MessageExtraInfo;
    if (!('id' in message)) {
      this.onmessage?.(message, about);
      return new Response(null, { status: 202 });
    }
    return new Promise((resolve, reject) => {
      this.#answer = resolve;
      this.#refuse = reject;
      if (this.#options.responseMode === 'sse') this.#open();
      this.onmessage?.(message, about);
    });
  }

  /**
   * Sends a message: the response, or a request or notification before it.
   * @param message - The message.
   */
  async send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    if (this.#over) return;
    const isReply = 'result' in message || 'error' in message;
    if (!isReply && this.#options.responseMode === 'json') return;
    if (!isReply) this.#open();
    if (this.#stream !== undefined) this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    else if (isReply) this.#whole(message as Reply);
    if (isReply) this.#finish();
  }

  /**
   * Writes a comment to the stream, to keep it alive.
   * @param comment - The comment.
   */
  writeCommentFrame(comment: string): void {
    if (this.#stream !== undefined) this.#write(`: ${comment.replaceAll(/[\r\n]+/g, ' ')}\n\n`);
  }

  /** Ends the exchange. */
  async close(): Promise<void> {
    if (this.#over) return;
    this.#refuse?.(new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'));
    this.#finish();
  }

  #whole(message: Reply): void {
    const status = message.error === undefined ? 200 : (STATUS[message.error.code] ?? 200);
    this.#answer?.(Response.json(message, { status }));
  }

  #open(): void {
    if (this.#stream !== undefined || this.#over) return;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => void (this.#stream = controller),
      cancel: () => this.close(),
    });
    const { keepAliveMs = DEFAULT_SSE_KEEP_ALIVE_MS } = this.#options;
    this.#beat = armSseKeepAlive(keepAliveMs, () => this.writeCommentFrame('keepalive'));
    this.#answer?.(new Response(body, { headers: STREAM }));
  }

  #write(text: string): void {
    this.#stream?.enqueue(this.#encoder.encode(text));
  }

  #finish(): void {
    this.#over = true;
    clearInterval(this.#beat);
    try {
      this.#stream?.close();
    } catch {
      // The client has closed the stream.
    }
    this.onclose?.();
  }
}
