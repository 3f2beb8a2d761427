/**
 * Servers behind a URL: HTTP+SSE, the transport of 2024-11-05, which the protocol deprecated.
 *
 * Owns: the transport object, and the stream and requests it makes when it carries messages itself.
 * Must not know: sessions of a client.
 */
import { bearer, finish, giveUp, has, renew, waitsForUser, withProvider, type CredentialOptions } from './credentials';
import {
  fetchWithinOrigin,
  readEvents,
  trust,
  unfollowed,
  type RedirectPolicy,
  type StreamEvent,
} from '../../engine/client/fetch';
import { isFetchReplaced, NO_PROXY } from '../../engine/client/own-fetch';
import { advised, advisedKind, isOfNetwork, unreachable, urlOf } from './advice';
import type { ClientConnection } from '../../engine/client/connection';
import { readMessages } from '../../engine/client/message';
import { isUntouched, REACH, tell, type Reach } from '../../engine/client/reach';
import { answerFor, answerNoMore } from './services';
import { Thrown } from './thrown';
import type { Failure } from '../../engine/failure';
import { written } from '../../engine/written';
import { createFetchWithInit, normalizeHeaders, type FetchLike, type Transport } from '../../protocol/transport';
import type { JSONRPCMessage } from '../../protocol/types';
import { UnauthorizedError } from '../../protocol/mcp-error';
import { refusal } from '../../protocol/refusal';

/** Describes a stream of events that failed. */
export interface ErrorEvent {
  /** Always `error`. */
  readonly type: string;
  /** The HTTP status of the response, if there was one. */
  readonly code?: number | undefined;
  /** What went wrong, in words. */
  readonly message?: string | undefined;
}

/** Thrown, or passed to `onerror`, when the stream of events fails. */
export class SseError extends Error {
  /** The HTTP status of the response, if there was one. */
  readonly code: number | undefined;
  /** The details of the failure. */
  readonly event: ErrorEvent;

  /**
   * Creates an error from a status, a message and the details.
   * @param code - The HTTP status; `undefined` if there was no response.
   * @param message - What went wrong.
   * @param event - The details.
   */
  constructor(code: number | undefined, message: string | undefined, event: ErrorEvent) {
    super(`SSE error: ${message}`);
    this.code = code;
    this.event = event;
  }
}

/** Options for opening the stream of events. */
export interface EventSourceInit {
  /** Opens the stream. Default: the `fetch` of the transport. */
  fetch?: FetchLike;
  /** Has no effect; accepted for compatibility. */
  withCredentials?: boolean;
}

/** Options of an `SSEClientTransport`. */
export type SSEClientTransportOptions = CredentialOptions & {
  /** Options for opening the stream of events. Default: none. */
  eventSourceInit?: EventSourceInit;
  /** Options for every request, such as `headers`. Default: none. */
  requestInit?: RequestInit;
  /** Sends the requests. Default: the engine does, or the global `fetch` if a program replaced it. */
  fetch?: FetchLike;
  /** Whether redirects to other origins are followed: `same-origin`, the default, does not; `follow` does. */
  redirectPolicy?: RedirectPolicy;
};

/** What is wrong with a successful response that is no stream of events. */
const NO_STREAM = 'Invalid content type, expected "text/event-stream"';
/** How the messages of `fetch` begin. */
const FAILED = 'fetch failed';
/** How long to wait before a stream that ended is reopened, unless the server names a time. */
const RECONNECT_MILLISECONDS = 3000;

/**
 * Client transport for a server behind a URL, over HTTP+SSE.
 *
 * @deprecated since 2025-03-26 (SEP-2596); earliest removal three months after that SEP is final.
 * Use `StreamableHTTPClientTransport`.
 */
export class SSEClientTransport implements Transport {
  /** Called when the connection is closed. */
  onclose?: () => void;
  /** Called with each error, even if it does not end the connection. */
  onerror?: (error: Error) => void;
  /** Called with each message from the server. */
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #url: URL;
  readonly #options: SSEClientTransportOptions;
  readonly #policy: RedirectPolicy;
  #abort: AbortController | undefined;
  #adopted: ClientConnection | undefined;
  #endpoint: URL | undefined;
  #version: string | undefined;
  #wait = RECONNECT_MILLISECONDS;
  /** What the program's `fetch` threw. */
  #thrown = new Thrown();
  /** Why the provider gave no credentials; this error is thrown unchanged. */
  #withheld: unknown;

  /**
   * Creates a transport. The connection is opened by `start`.
   * @param address - The URL of the event stream, such as `http://localhost:3000/sse`.
   * @param options - Credentials, headers and so on. Default: none.
   */
  constructor(address: URL | string, options?: SSEClientTransportOptions) {
    this.#url = urlOf(address, 'SSEClientTransport', '/sse');
    this.#options = withProvider(options ?? {}, this.#url);
    has(this, this.#options.authProvider);
    this.#policy = options?.redirectPolicy ?? 'same-origin';
  }

  /** Opens the stream, and resolves when the server has named the URL for messages. `Client.connect` calls it. */
  async start(): Promise<void> {
    if (this.#abort !== undefined || this.#adopted !== undefined) {
      throw new Error(
        'SSEClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      );
    }
    this.#abort = new AbortController();
    await new Promise<void>((resolve, reject) => void this.listen(resolve, reject));
  }

  /**
   * Exchanges the authorization code that the user came back with for tokens. Connect again
   * afterwards.
   *
   * @param answer - All parameters of the redirect URL that the user came back to, which also say why there is
   *   no code; or only the code.
   * @param iss - The parameter `iss` of that URL, if `answer` is only the code. Default: none.
   */
  async finishAuth(answer: string | URLSearchParams, iss?: string): Promise<void> {
    const fetchFn = this.fetchWithInit();
    await finish(this.#options.authProvider, { serverUrl: this.#url, answer, iss, fetchFn });
  }

  /** Closes the connection. */
  async close(): Promise<void> {
    giveUp(this.#options.authProvider);
    if (this.#adopted !== undefined) return this.#adopted.close();
    this.#abort?.abort();
    this.onclose?.();
  }

  /**
   * Sends a message to the server.
   * @param message - The message.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#adopted !== undefined) return tell(this.#adopted, message, (failure) => this.told(failure));
    if (this.#endpoint === undefined) throw refusal('not_connected', 'Not connected');
    try {
      await this.post(message, this.#endpoint);
    } catch (error) {
      this.onerror?.(error as Error);
      throw error;
    }
  }

  private told(failure: Failure): Error | undefined {
    const error = this.errorFor(failure);
    if (error !== undefined) this.onerror?.(error);
    return error;
  }

  /**
   * Sets the protocol revision that was negotiated.
   * @param version - The revision.
   */
  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** @internal */
  get [REACH](): Reach {
    return {
      target: () => this.target(),
      waitsForUser: waitsForUser(this.#options.authProvider),
      adopted: (connection) => {
        this.#adopted = connection;
        connection.hold();
        const { headers: _, ...init } = this.#options.requestInit ?? {};
        answerFor(connection.number, {
          thrown: (this.#thrown = new Thrown()),
          fetch: createFetchWithInit(this.#options.fetch ?? globalThis.fetch, init),
          headers: () => normalizeHeaders(this.#options.requestInit?.headers),
        });
      },
      agreed: (_, revision) => (this.#version = revision),
      remark: () => false,
      ended: () => {
        if (this.#adopted !== undefined) answerNoMore(this.#adopted.number);
        this.#adopted = undefined;
        this.#thrown.end();
        this.#abort ??= new AbortController();
        this.onclose?.();
      },
      error: (failure) => this.errorFor(failure),
    };
  }

  private errorFor(failure: Failure): Error | undefined {
    return this.#thrown.of(failure) ?? sseError(failure, this.#url);
  }

  private target(): object | undefined {
    const { authProvider, eventSourceInit, requestInit, fetch } = this.#options;
    const isFree = this.#abort === undefined && this.#adopted === undefined;
    const isPlain = authProvider === undefined && eventSourceInit === undefined && this.#policy === 'same-origin';
    if (!isFree || !isPlain || !isUntouched(this, WRITTEN)) return undefined;
    const { headers, ...more } = requestInit ?? {};
    return {
      url: this.#url.href,
      transport: 'sse',
      ...trust(),
      proxy: NO_PROXY,
      header_hook: headers !== undefined,
      carrier: fetch !== undefined || isFetchReplaced() || Object.keys(more).length > 0,
    };
  }

  private fetchWithInit(): FetchLike {
    return createFetchWithInit(this.#options.fetch, this.#options.requestInit);
  }

  private within(base: FetchLike): FetchLike {
    return this.#policy === 'follow' ? base : fetchWithinOrigin(base);
  }

  private async headers(): Promise<Headers> {
    const authorization = await bearer(this.#options.authProvider);
    return new Headers({
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      ...normalizeHeaders(this.#options.requestInit?.headers),
    });
  }

  /** Opens the stream, and reopens it until the connection is closed. */
  private async listen(ready: () => void, failed: (error: Error) => void, lastEventId?: string): Promise<void> {
    const signal = this.#abort!.signal;
    let last = lastEventId;
    try {
      const body = await this.open(signal, last);
      const taker = {
        retry: (wait: number) => (this.#wait = wait),
        event: (event: StreamEvent) => {
          last = event.id ?? last;
          this.take(event, ready, failed);
        },
      };
      await readEvents(body, taker);
    } catch (error) {
      if (signal.aborted) return failed(new Error('The transport was closed'));
      const isFinal = error instanceof SseError || error === this.#withheld;
      const shown = isFinal ? (error as Error) : networkError(error, this.#url);
      failed(shown);
      // A user who was sent to sign in is no fault of the connection.
      if (!(error instanceof UnauthorizedError)) this.onerror?.(shown);
      // A server that refused the stream, or never answered, is not tried again.
      if (isFinal || this.#endpoint === undefined) return;
    }
    if (signal.aborted) return;
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      void this.listen(ready, failed, last);
    }, this.#wait);
    const stop = () => clearTimeout(timer);
    signal.addEventListener('abort', stop, { once: true });
  }

  private async open(signal: AbortSignal, lastEventId: string | undefined, again = false): Promise<ReadableStream<Uint8Array>> {
    const headers = await this.headers();
    headers.set('Accept', 'text/event-stream');
    if (lastEventId !== undefined) headers.set('Last-Event-ID', lastEventId);
    const base = this.#options.eventSourceInit?.fetch ?? this.#options.fetch ?? globalThis.fetch;
    const response = await this.within(base)(this.#url, { headers, signal });
    if (response.status === 401 && this.#options.authProvider !== undefined && !again) {
      await response.body?.cancel();
      await this.authorized(response);
      return this.open(signal, lastEventId, true);
    }
    const isStream = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
    if (response.status === 200 && isStream && response.body) return response.body;
    await response.body?.cancel();
    const message =
      unfollowed(response, this.#url, this.#policy) ??
      (response.status === 200
        ? NO_STREAM
        : `Non-200 status code (${response.status})`);
    throw refusedStream(response.status, message, this.#url, response.headers.get('content-type'));
  }

  private take({ name, data }: StreamEvent, ready: () => void, failed: (error: Error) => void): void {
    try {
      if (name === 'endpoint') {
        const endpoint = new URL(data, this.#url);
        if (endpoint.origin !== this.#url.origin) {
          throw new Error(`Endpoint origin does not match connection origin: ${endpoint.origin}`);
        }
        this.#endpoint = endpoint;
        ready();
      } else if (name === 'message') {
        for (const message of readMessages(data)) this.onmessage?.(message);
      }
    } catch (error) {
      failed(error as Error);
      this.onerror?.(error as Error);
      if (name === 'endpoint') void this.close();
    }
  }

  private async authorized(response: Response): Promise<void> {
    const context = { response, serverUrl: this.#url, fetchFn: this.fetchWithInit() };
    try {
      await renew(this.#options.authProvider!, context);
    } catch (error) {
      this.#withheld = error;
      throw error;
    }
  }

  private async post(message: JSONRPCMessage, endpoint: URL, again = false): Promise<void> {
    const headers = await this.headers();
    headers.set('content-type', 'application/json');
    const response = await this.within(this.#options.fetch ?? globalThis.fetch)(endpoint, {
      ...this.#options.requestInit,
      method: 'POST',
      headers,
      body: JSON.stringify(message),
      signal: this.#abort?.signal,
    });
    if (response.ok) {
      await response.body?.cancel();
      return;
    }
    const text = await response.text().catch(() => null);
    if (response.status === 401 && this.#options.authProvider !== undefined && !again) {
      await this.authorized(response);
      return this.post(message, endpoint, true);
    }
    const words = unfollowed(response, endpoint, this.#policy) ?? text;
    throw new Error(`Error POSTing to endpoint (HTTP ${response.status}): ${words}`);
  }
}

const WRITTEN = written(SSEClientTransport, ['start', 'send', 'close', 'setProtocolVersion']);

function refusedStream(status: number, message: string, url: URL, contentType?: unknown): SseError {
  const error = new SseError(status, message, { type: 'error', code: status, message });
  return status === 200 ? advisedKind(error, contentType, url, '/sse') : advised(error, status, url, undefined, '/sse');
}

function networkError(error: unknown, url: URL): SseError {
  const { cause, message: words } = error as Error;
  const message = unreachable(url, cause instanceof Error ? `${error}: ${cause.message}` : words);
  return new SseError(undefined, message, { type: 'error', message });
}

function sseError(failure: Failure, url: URL): Error | undefined {
  const { http } = (failure.data ?? {}) as { http?: { status?: unknown; body?: unknown; contentType?: unknown } };
  if (typeof http?.status === 'number') {
    // Only the stream is looked at for its content type.
    if ('contentType' in http) return refusedStream(http.status, NO_STREAM, url, http.contentType);
    const refused = new Error(`Error POSTing to endpoint (HTTP ${http.status}): ${http.body}`);
    return advised(refused, http.status, url, '{', '/sse');
  }
  const status = /\((401|403)\)|HTTP status (\d+)/.exec(failure.message);
  if (status === null && failure.kind !== 'transport') return undefined;
  const code = status === null ? undefined : Number(status[1] ?? status[2]);
  if (code !== undefined) return refusedStream(code, `Non-200 status code (${code})`, url);
  const words = unreachable(url, failure.message);
  const message = isOfNetwork(words) ? `TypeError: ${words.startsWith(FAILED) ? words : `${FAILED}: ${words}`}` : words;
  return new SseError(code, message, { type: 'error', code, message });
}
