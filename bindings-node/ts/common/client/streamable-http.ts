/**
 * Servers behind a URL: streamable HTTP.
 *
 * Owns: the transport object, and the requests it makes when it carries messages itself. Must not
 * know: sessions of a client. As long as the program changed nothing about the object, a `Client`
 * has the engine reach the server in its place.
 */
import { UnauthorizedError } from '../../protocol/mcp-error';
import { bearer, finish, giveUp, has, proving, signs, waitsForUser, withProvider, type CredentialOptions } from './credentials';
import { trust, type RedirectPolicy } from '../../engine/client/fetch';
import { isFetchReplaced, NO_PROXY } from '../../engine/client/own-fetch';
import { HttpMessages, RECONNECTION, type Carrying, type PostOptions } from './http';
import { urlOf } from './advice';
import { networkError, postError, refusalError, StreamableHTTPError } from './http-error';
import type { ClientConnection } from '../../engine/client/connection';
import { isRequest } from '../../engine/client/message';
import { isUntouched, REACH, tell, type Reach } from '../../engine/client/reach';
import { answerFor, answerNoMore } from './services';
import { Thrown } from './thrown';
import type { Failure } from '../../engine/failure';
import { written } from '../../engine/written';
import { createFetchWithInit, normalizeHeaders, type FetchLike, type Transport, type TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage } from '../../protocol/types';

export { StreamableHTTPError };

/** Options for opening a stream of events. */
export interface StartSSEOptions {
  /** The id of the event to resume after. */
  resumptionToken?: string;
  /** Called with the id of each event that the stream can be resumed after. */
  onresumptiontoken?: (token: string) => void;
  /** The request id to give to a response on the stream. */
  replayMessageId?: string | number;
}

/** How streams are reopened after they break. Times are in milliseconds. */
export interface StreamableHTTPReconnectionOptions {
  /** The longest wait before an attempt, in milliseconds. Usually 30,000. */
  maxReconnectionDelay: number;
  /** The wait before the first attempt, in milliseconds. Usually 1000. */
  initialReconnectionDelay: number;
  /** The factor by which the wait grows with each attempt. Usually 1.5. */
  reconnectionDelayGrowFactor: number;
  /** After how many attempts to give up. Usually 2. */
  maxRetries: number;
}

/** Options of a `StreamableHTTPClientTransport`. */
export type StreamableHTTPClientTransportOptions = CredentialOptions & {
  /** Options for every request, such as `headers`. Default: none. */
  requestInit?: RequestInit;
  /** Sends the requests. Default: the engine does, or the global `fetch` if a program replaced it. */
  fetch?: FetchLike;
  /** Whether redirects to other origins are followed: `same-origin`, the default, does not; `follow` does. */
  redirectPolicy?: RedirectPolicy;
  /** How streams are reopened after they break. Default: the usual values of its members. */
  reconnectionOptions?: StreamableHTTPReconnectionOptions;
  /** The id of an existing session to continue. Default: a new session. */
  sessionId?: string;
};

/** Finds the HTTP status in an error message of the engine. */
const STATUS = /\((401|403)\)|HTTP status (\d+)/;
/** The largest factor by which waits grow; more makes no difference. */
const MAX_GROWTH = 1e6;
/** How long to wait for the server to end a session on close. */
const GOODBYE_MILLISECONDS = 5000;

/**
 * Client transport for a server behind a URL, over streamable HTTP.
 *
 * @example
 * ```ts
 * await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp')));
 * ```
 */
export class StreamableHTTPClientTransport implements Transport {
  /** Called when the connection is closed. */
  onclose?: () => void;
  /** Called with each error, even if it does not end the connection. */
  onerror?: (error: Error) => void;
  /** Called with each message from the server. */
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #url: URL;
  readonly #options: StreamableHTTPClientTransportOptions;
  readonly #policy: RedirectPolicy;
  #abort: AbortController | undefined;
  #adopted: ClientConnection | undefined;
  #sessionId: string | undefined;
  #isIdKnown = false;
  #terminated: string | undefined;
  #version: string | undefined;
  #authError: Error | undefined;
  /** What the program's functions threw. */
  #thrown = new Thrown();
  #refusal: string | undefined;
  /** Passes errors to the client that uses this transport. */
  #fault: ((error: Error) => void) | undefined;
  readonly #http: HttpMessages;

  /**
   * Creates a transport. Nothing is sent before `Client.connect`.
   * @param address - The URL of the endpoint, such as `http://localhost:3000/mcp`.
   * @param options - Credentials, headers, how to reconnect, and so on. Default: none.
   * @throws {TypeError} If `address` is not an HTTP URL, or `auth` is something else.
   */
  constructor(address: URL | string, options?: StreamableHTTPClientTransportOptions) {
    const url = urlOf(address, 'StreamableHTTPClientTransport', '/mcp');
    this.#url = url;
    this.#options = withProvider(options ?? {}, url);
    has(this, this.#options.authProvider);
    this.#policy = options?.redirectPolicy ?? 'same-origin';
    this.#sessionId = options?.sessionId;
    this.#http = new HttpMessages({
      url,
      options: this.#options,
      policy: this.#policy,
      session: () => this.currentSession(),
      sessionIs: (id) => (this.#sessionId = id),
      version: () => this.#version,
    });
  }

  /** Starts the transport. `Client.connect` calls it. */
  async start(): Promise<void> {
    if (this.#abort !== undefined || this.#adopted !== undefined) {
      throw new Error(
        'StreamableHTTPClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      );
    }
    this.#abort = new AbortController();
  }

  /**
   * Finishes signing in: exchanges the authorization code for tokens. Connect again afterwards.
   *
   * @param answer - All parameters of the redirect URL that the user came back to, which also say why
   * there is no code; or only the code.
   * @param iss - The parameter `iss` of that URL, if `answer` is only the code. Default: none.
   */
  async finishAuth(answer: string | URLSearchParams, iss?: string): Promise<void> {
    const fetchFn = this.#http.fetchWithInit();
    await finish(this.#options.authProvider, { serverUrl: this.#url, answer, iss, fetchFn });
    await this.#http.finished();
  }

  /**
   * Closes the connection. The session on the server is ended too, unless the program has read
   * `sessionId` and so may want to resume it.
   */
  async close(): Promise<void> {
    giveUp(this.#options.authProvider);
    if (this.#adopted !== undefined) {
      await this.#adopted.close();
      return this.leave();
    }
    this.#abort?.abort();
    this.onclose?.();
  }

  /** The session id that the server assigned; `undefined` if the server has no sessions. */
  get sessionId(): string | undefined {
    this.#isIdKnown = true;
    return this.currentSession();
  }

  /**
   * Sets the protocol revision that was negotiated.
   * @param version - The revision.
   */
  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** The protocol revision that was negotiated; `undefined` before. */
  get protocolVersion(): string | undefined {
    return this.#version;
  }

  /** Whether each request has a response stream of its own: yes. */
  get hasPerRequestStream(): boolean {
    return true;
  }

  /**
   * Sends a message to the server.
   * @param message - The message.
   * @param options - How to resume a stream, and an abort signal. Default: none.
   */
  async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: Pick<TransportSendOptions, 'resumptionToken' | keyof PostOptions>,
  ): Promise<void> {
    if (this.#adopted !== undefined) return tell(this.#adopted, message, (failure) => this.told(failure));
    try {
      if (options?.resumptionToken) {
        const replayMessageId = !Array.isArray(message) && isRequest(message) ? message.id : undefined;
        // The error was passed to `onerror` by then.
        const { resumptionToken, onresumptiontoken } = options;
        this.#http.stream(this.carrying()).open({ resumptionToken, onresumptiontoken, replayMessageId }).catch(() => undefined);
        return;
      }
      await this.#http.post(message, this.carrying(), options);
    } catch (error) {
      if (!options?.requestSignal?.aborted) this.onerror?.(error as Error);
      throw error;
    }
  }

  private told(failure: Failure): Error | undefined {
    const error = this.errorFor(failure);
    if (error === undefined) return undefined;
    this.onerror?.(error);
    this.#fault?.(error);
    return error;
  }

  /**
   * Ends the session on the server with a DELETE request; the transport can then start another. A
   * server may refuse this with status 405 and keep the session.
   */
  async terminateSession(): Promise<void> {
    if (this.currentSession() === undefined) return;
    try {
      await this.endSession();
    } catch (error) {
      this.onerror?.(error as Error);
      this.#fault?.(error as Error);
      throw error;
    }
  }

  private async endSession(): Promise<void> {
    await this.#http.terminate(this.#abort?.signal ?? AbortSignal.timeout(GOODBYE_MILLISECONDS));
    this.#terminated = this.#sessionId;
    this.#sessionId = undefined;
  }

  /**
   * Resumes a stream after the event with this id.
   * @param lastEventId - The id of the last event that arrived.
   * @param options - A function that is called with the ids of further events. Default: none.
   */
  async resumeStream(lastEventId: string, options?: { onresumptiontoken?: (token: string) => void }): Promise<void> {
    const { onresumptiontoken } = options ?? {};
    await this.#http.stream(this.carrying()).open({ resumptionToken: lastEventId, onresumptiontoken });
  }

  /** @internal */
  get [REACH](): Reach {
    return {
      target: () => this.target(),
      waitsForUser: waitsForUser(this.#options.authProvider),
      adopted: (connection, fault) => this.adopt(connection, fault),
      agreed: (connection, revision) => {
        this.#version = revision;
        // Only servers with sessions send messages outside of requests.
        if (this.currentSession() !== undefined) connection.hold();
      },
      remark: (_, words) => this.refused(words),
      ended: () => this.ended(),
      goodbye: () => this.leave(),
      error: (failure) => this.errorFor(failure),
    };
  }

  // Connections that the engine carries

  private target(): object | undefined {
    const { authProvider, requestInit, reconnectionOptions, fetch } = this.#options;
    const isFree = this.#abort === undefined && this.#adopted === undefined && this.#sessionId === undefined;
    if (!isFree || this.#policy === 'follow' || !isUntouched(this, WRITTEN)) {
      return undefined;
    }
    const { headers, ...more } = requestInit ?? {};
    return {
      url: this.#url.href,
      ...trust(),
      proxy: NO_PROXY,
      // Programs may change the headers while the connection lasts.
      header_hook: headers !== undefined,
      carrier: fetch !== undefined || signs(authProvider) || isFetchReplaced() || Object.keys(more).length > 0,
      authorizer: authProvider !== undefined,
      end_session: false,
      pause: true,
      reconnect: reconnect(reconnectionOptions),
    };
  }

  private adopt(connection: ClientConnection, fault: (error: Error) => void): void {
    const { authProvider, fetch, requestInit } = this.#options;
    this.#adopted = connection;
    this.#fault = fault;
    const thrown = (this.#thrown = new Thrown());
    const { headers: _, ...init } = requestInit ?? {};
    answerFor(connection.number, {
      thrown,
      fetch: proving(authProvider, createFetchWithInit(fetch ?? globalThis.fetch, init)),
      headers: () => normalizeHeaders(requestInit?.headers),
      authorize: async () => {
        this.#authError = undefined;
        try {
          return (await bearer(authProvider)) ?? null;
        } catch (error) {
          throw thrown.keep(error);
        }
      },
      challenged: async (request) => {
        if (authProvider === undefined) return false;
        this.#authError = undefined;
        const challenge = request.challenges?.join(', ') ?? '';
        const response = new Response(null, { status: request.status, headers: { 'WWW-Authenticate': challenge } });
        const sent = request.headers.find(([name]) => name === 'authorization')?.[1];
        return this.#http.meet(response, sent, { wasGood: request.was_good ?? false }).catch((error: Error) => {
          this.#authError = error;
          return false;
        });
      },
    });
  }

  /** Ends the session if the program cannot resume it. */
  private async leave(): Promise<void> {
    if (this.currentSession() === undefined || this.#isIdKnown) return;
    await this.endSession().catch(() => undefined);
  }

  private ended(): void {
    giveUp(this.#options.authProvider);
    this.#sessionId = this.currentSession();
    if (this.#adopted !== undefined) answerNoMore(this.#adopted.number);
    this.#adopted = this.#fault = undefined;
    this.#thrown.end();
    this.#abort ??= new AbortController();
    this.onclose?.();
  }

  /** Words the error for a server that speaks neither this transport nor HTTP+SSE. */
  private refused(words: string): boolean {
    if (this.#adopted?.describe().revision !== undefined || !STATUS.test(words)) return false;
    this.#refusal = words;
    return true;
  }

  private errorFor(failure: Failure): Error | undefined {
    const thrown = this.#thrown.of(failure);
    if (thrown !== undefined) return thrown;
    if (failure.kind === 'unauthorized' || failure.kind === 'forbidden') {
      if (this.#authError !== undefined) return this.#authError;
      if (failure.kind === 'unauthorized' && this.#options.authProvider !== undefined) return new UnauthorizedError();
    }
    const refusal = refusalError(failure, this.#url);
    if (refusal !== undefined) return refusal;
    const words = failure.kind === 'closed' && this.#refusal !== undefined ? this.#refusal : failure.message;
    const status = STATUS.exec(words);
    if (status === null) return failure.kind === 'transport' ? networkError(failure, this.#url) : undefined;
    return postError(Number(status[1] ?? status[2]), words, this.#url, undefined);
  }

  /** What carries messages that are sent through this object instead of the engine. */
  private carrying(): Carrying {
    return {
      take: (message) => this.onmessage?.(message),
      fault: (error) => this.onerror?.(error),
      signal: this.#abort?.signal,
    };
  }

  private currentSession(): string | undefined {
    const found = this.#adopted?.describe().sessionId ?? undefined;
    // The engine notices that a session ended only when it uses it again.
    if (found !== undefined && found !== this.#terminated) this.#sessionId = found;
    return this.#sessionId;
  }
}

/** How the engine reopens streams. Requests are retried for longer, unless the program says how long. */
function reconnect(given: StreamableHTTPReconnectionOptions | undefined): object {
  const { initialReconnectionDelay, maxReconnectionDelay, reconnectionDelayGrowFactor, maxRetries } = given ?? RECONNECTION;
  return {
    initial: initialReconnectionDelay / 1000,
    max: maxReconnectionDelay / 1000,
    ...(given !== undefined && { attempts: maxRetries }),
    stream_attempts: maxRetries,
    growth_percent: Math.round(Math.min(Math.max(reconnectionDelayGrowFactor, 0), MAX_GROWTH) * 100),
  };
}

const WRITTEN = written(StreamableHTTPClientTransport, ['start', 'send', 'close', 'setProtocolVersion', 'terminateSession']);
