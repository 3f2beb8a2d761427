/**
 * A transport for one message, for programs that serve HTTP requests by themselves. Owns:
 * making a `Response` of what a server sends. Must not know: servers.
 */
import type { AuthInfo } from '../../server/auth/types';
import type { Transport, TransportSendOptions } from '../../shared/transport';
import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, MessageExtraInfo } from '../../types';
import type { MessageClassification } from './classify';
import { ProtocolErrorCode, SdkError, SdkErrorCode } from './errors';

/** `json` and `sse` fix the form of the answer; `auto` uses a stream where it is needed. */
export type PerRequestResponseMode = 'auto' | 'sse' | 'json';

/** How a message is answered. */
export interface PerRequestHTTPServerTransportOptions {
  /** Which revision it is of. */
  classification: MessageClassification;
  /** In which form. */
  responseMode?: PerRequestResponseMode;
  /** Milliseconds between signs of life on a stream; 15,000 if nothing is said. */
  keepAliveMs?: number;
}

/** What is known of the request. */
export interface PerRequestMessageExtra {
  /** As it came. */
  request?: globalThis.Request;
  /** Who sent it. */
  authInfo?: AuthInfo;
}

const KEEP_ALIVE = 15_000;
const STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' };
const STATUS: Record<number, number> = {
  [ProtocolErrorCode.MethodNotFound]: 404,
  [ProtocolErrorCode.MissingRequiredClientCapability]: 400,
  [ProtocolErrorCode.UnsupportedProtocolVersion]: 400,
};

type Reply = JSONRPCMessage & { id?: unknown; error?: { code: number } };

/** Carries one message in and its answer out; connect a server of its own to it. */
export class PerRequestHTTPServerTransport implements Transport {
  /** Called when the exchange is over. */
  onclose?: () => void;
  /** Called with what goes wrong. */
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

  /** For a message of this kind. */
  constructor(options: PerRequestHTTPServerTransportOptions) {
    this.#options = options;
  }

  /** Begins. There is nothing to do. */
  async start(): Promise<void> {}

  /** Has the server answer the message. */
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

  /** Sends a message: the answer, or what comes before it. */
  async send(message: JSONRPCMessage, _options?: TransportSendOptions): Promise<void> {
    if (this.#over) return;
    const isReply = 'result' in message || 'error' in message;
    if (!isReply && this.#options.responseMode === 'json') return;
    if (!isReply) this.#open();
    if (this.#stream !== undefined) this.#write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    else if (isReply) this.#whole(message as Reply);
    if (isReply) this.#finish();
  }

  /** Says that the stream lives. */
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
    const every = this.#options.keepAliveMs ?? KEEP_ALIVE;
    if (every > 0) this.#beat = setInterval(() => this.writeCommentFrame('keep-alive'), every).unref();
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
      // The client closed it.
    }
    this.onclose?.();
  }
}
