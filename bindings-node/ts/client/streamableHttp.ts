/**
 * Servers behind a URL: streamable HTTP.
 *
 * Owns: the transport object, and the requests it makes when it carries messages itself.
 * Must not know: sessions of a client. A `Client` has the engine reach the server in its
 * place, where nothing about the object was changed.
 */
import { UnauthorizedError } from '../internal/mcp-error';
import { bearer, finish, type AuthProvider } from '../internal/client-credentials';
import { isFetchReplaced, trust, type RedirectPolicy } from '../internal/client-fetch';
import { HttpMessages, RECONNECTION, type Carrying } from '../internal/client-http';
import { urlOf } from '../internal/client-advice';
import { networkError, postError, refusalError, StreamableHTTPError } from '../internal/client-http-error';
import type { ClientConnection } from '../internal/client-connection';
import { isRequest } from '../internal/client-message';
import { isUntouched, REACH, tell, type Reach } from '../internal/client-reach';
import { answerFor, answerNoMore } from '../internal/client-services';
import type { Failure } from '../internal/failure';
import { written } from '../internal/written';
import { createFetchWithInit, normalizeHeaders, type FetchLike, type Transport } from '../shared/transport';
import type { JSONRPCMessage } from '../types';
import type { OAuthClientProvider } from './auth';

export { StreamableHTTPError };

/** How a stream of events is opened. */
export interface StartSSEOptions {
  /** The id of the event after which the stream goes on. */
  resumptionToken?: string;
  /** Is told of each event that the stream can go on after. */
  onresumptiontoken?: (token: string) => void;
  /** The id that an answer on the stream gets. */
  replayMessageId?: string | number;
}

/** How lost streams are opened again. Times are milliseconds. */
export interface StreamableHTTPReconnectionOptions {
  /** Longest wait before an attempt. */
  maxReconnectionDelay: number;
  /** Delay before the first attempt, in milliseconds. */
  initialReconnectionDelay: number;
  /** Factor by which the delay grows with each attempt. */
  reconnectionDelayGrowFactor: number;
  /** Number of attempts after which to give up. */
  maxRetries: number;
}

/** Options of a `StreamableHTTPClientTransport`. */
export type StreamableHTTPClientTransportOptions = {
  /** Gives requests their credentials. */
  authProvider?: AuthProvider | OAuthClientProvider;
  /** Options of every request, such as its headers. */
  requestInit?: RequestInit;
  /** Makes requests in place of the global one. */
  fetch?: FetchLike;
  /** Whether redirects to other origins are followed, too. `same-origin` by default. */
  redirectPolicy?: RedirectPolicy;
  /** How lost streams are opened again. */
  reconnectionOptions?: StreamableHTTPReconnectionOptions;
  /** The id of a session to resume. */
  sessionId?: string;
};

/** How the engine words a status. */
const STATUS = /\((401|403)\)|HTTP status (\d+)/;
/** Longest wait for a server to end a session. */
const GOODBYE_MILLISECONDS = 5000;

/**
 * A server behind a URL.
 *
 * @example
 * ```ts
 * await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp')));
 * ```
 */
export class StreamableHTTPClientTransport implements Transport {
  /** Is told that the connection is over. */
  onclose?: () => void;
  /** Is told what goes wrong. */
  onerror?: (error: Error) => void;
  /** Is given what the server says. */
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
  #refusal: string | undefined;
  /** Where the client that has the transport hears of errors. */
  #fault: ((error: Error) => void) | undefined;
  readonly #http: HttpMessages;

  /** Makes a transport to this URL, not yet opened. */
  constructor(address: URL | string, options?: StreamableHTTPClientTransportOptions) {
    const url = urlOf(address, 'StreamableHTTPClientTransport', '/mcp');
    this.#url = url;
    this.#options = options ?? {};
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

  /** Begins. A `Client` does it by itself. */
  async start(): Promise<void> {
    if (this.#abort !== undefined || this.#adopted !== undefined) {
      throw new Error(
        'StreamableHTTPClientTransport already started! If using Client class, note that connect() calls start() automatically.',
      );
    }
    this.#abort = new AbortController();
  }

  /** Exchanges the code that the user came back with for tokens; connect again afterwards. */
  async finishAuth(authorizationCode: string): Promise<void> {
    const fetchFn = this.#http.fetchWithInit();
    await finish(this.#options.authProvider, { serverUrl: this.#url, authorizationCode, fetchFn });
  }

  /** Ends the connection. The session is ended too, unless its id was read, so that it may be resumed. */
  async close(): Promise<void> {
    if (this.#adopted !== undefined) {
      await this.#adopted.close();
      return this.leave();
    }
    this.#abort?.abort();
    this.onclose?.();
  }

  /** The session's id, if the server has sessions. */
  get sessionId(): string | undefined {
    this.#isIdKnown = true;
    return this.currentSession();
  }

  /** Says which revision was agreed on. */
  setProtocolVersion(version: string): void {
    this.#version = version;
  }

  /** The protocol revision that was agreed on. */
  get protocolVersion(): string | undefined {
    return this.#version;
  }

  /** Sends a message to the server. */
  async send(
    message: JSONRPCMessage | JSONRPCMessage[],
    options?: { resumptionToken?: string; onresumptiontoken?: (token: string) => void },
  ): Promise<void> {
    if (this.#adopted !== undefined) return tell(this.#adopted, message, (failure) => this.told(failure));
    try {
      if (options?.resumptionToken) {
        const replayMessageId = !Array.isArray(message) && isRequest(message) ? message.id : undefined;
        // What goes wrong was said by then.
        this.#http.stream(this.carrying()).open({ ...options, replayMessageId }).catch(() => undefined);
        return;
      }
      await this.#http.post(message, this.carrying(), options?.onresumptiontoken);
    } catch (error) {
      this.onerror?.(error as Error);
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

  /** Ends the session; the connection can begin another. A server that does not let clients do so is left alone. */
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

  /** Takes up a stream after an event that was received. */
  async resumeStream(lastEventId: string, options?: { onresumptiontoken?: (token: string) => void }): Promise<void> {
    const { onresumptiontoken } = options ?? {};
    await this.#http.stream(this.carrying()).open({ resumptionToken: lastEventId, onresumptiontoken });
  }

  /** @internal */
  get [REACH](): Reach {
    return {
      target: () => this.target(),
      adopted: (connection, fault) => this.adopt(connection, fault),
      agreed: (connection, revision) => {
        this.#version = revision;
        // Servers with sessions have something to say by themselves.
        if (this.currentSession() !== undefined) connection.hold();
      },
      remark: (_, words) => this.refused(words),
      ended: () => this.ended(),
      goodbye: () => this.leave(),
      error: (failure) => this.errorFor(failure),
      byHand: (message, options, take, signal) => {
        const carrying = { take, signal, fault: (error: Error) => this.onerror?.(error) };
        if (options.resumptionToken === undefined) return this.#http.post(message, carrying, options.onresumptiontoken);
        const replayMessageId = isRequest(message) ? message.id : undefined;
        return this.#http.stream(carrying).open({ ...options, replayMessageId });
      },
    };
  }

  // In the engine's hands

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
      // Programs change them while the connection lasts.
      header_hook: headers !== undefined,
      carrier: fetch !== undefined || isFetchReplaced() || Object.keys(more).length > 0,
      authorizer: authProvider !== undefined,
      end_session: false,
      reconnect: reconnect(reconnectionOptions),
    };
  }

  private adopt(connection: ClientConnection, fault: (error: Error) => void): void {
    const { authProvider, fetch, requestInit } = this.#options;
    this.#adopted = connection;
    this.#fault = fault;
    const { headers: _, ...init } = requestInit ?? {};
    answerFor(connection.number, {
      fetch: createFetchWithInit(fetch ?? globalThis.fetch, init),
      headers: () => normalizeHeaders(requestInit?.headers),
      authorize: async () => {
        this.#authError = undefined;
        try {
          return (await bearer(authProvider)) ?? null;
        } catch (error) {
          this.#authError = error as Error;
          throw error;
        }
      },
      challenged: async (request) => {
        if (authProvider === undefined) return false;
        this.#authError = undefined;
        const challenge = request.challenges?.join(', ') ?? '';
        const response = new Response(null, { status: request.status, headers: { 'WWW-Authenticate': challenge } });
        const sent = request.headers.find(([name]) => name === 'authorization')?.[1];
        return this.#http.meet(response, sent).catch((error: Error) => {
          this.#authError = error;
          return false;
        });
      },
    });
  }

  /** Ends a session that can no longer be resumed. */
  private async leave(): Promise<void> {
    if (this.currentSession() === undefined || this.#isIdKnown) return;
    await this.endSession().catch(() => undefined);
  }

  private ended(): void {
    this.#sessionId = this.currentSession();
    if (this.#adopted !== undefined) answerNoMore(this.#adopted.number);
    this.#adopted = this.#fault = undefined;
    this.#abort ??= new AbortController();
    this.onclose?.();
  }

  /** What was said of a server that speaks neither this nor HTTP+SSE. */
  private refused(words: string): boolean {
    if (this.#adopted?.describe().revision !== undefined || !STATUS.test(words)) return false;
    this.#refusal = words;
    return true;
  }

  private errorFor(failure: Failure): Error | undefined {
    // What the program's provider threw comes back as it was.
    if (this.#authError?.message === failure.message) return this.#authError;
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

  /** Whom messages go to that come to the object itself. */
  private carrying(): Carrying {
    return {
      take: (message) => this.onmessage?.(message),
      fault: (error) => this.onerror?.(error),
      signal: this.#abort?.signal,
    };
  }

  private currentSession(): string | undefined {
    const found = this.#adopted?.describe().sessionId ?? undefined;
    // The engine learns that a session is over when it uses it next.
    if (found !== undefined && found !== this.#terminated) this.#sessionId = found;
    return this.#sessionId;
  }
}

/** How the engine opens streams again. Requests have more patience, unless the program says how much. */
function reconnect(given: StreamableHTTPReconnectionOptions | undefined): object {
  const { initialReconnectionDelay, maxReconnectionDelay, maxRetries } = given ?? RECONNECTION;
  return {
    initial: initialReconnectionDelay / 1000,
    max: maxReconnectionDelay / 1000,
    ...(given !== undefined && { attempts: maxRetries }),
    stream_attempts: maxRetries,
  };
}

const WRITTEN = written(StreamableHTTPClientTransport, ['start', 'send', 'close', 'setProtocolVersion', 'terminateSession']);
