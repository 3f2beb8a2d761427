/**
 * Messages over streamable HTTP, with a function like `fetch`.
 *
 * Owns: the requests of a transport that carries messages itself, and their responses. Must not
 * know: who sends or receives the messages.
 */
import { mediaTypeEssence } from '../../protocol/media-type';
import { createFetchWithInit, normalizeHeaders, type FetchLike, type TransportSendOptions } from '../../protocol/transport';
import type { JSONRPCMessage } from '../../protocol/types';
import { bearer, proving, type AnyProvider } from './credentials';
import { Demands, type Refused } from './demands';
import { fetchWithinOrigin, unfollowed, type RedirectPolicy } from '../../engine/client/fetch';
import { isRequest, readMessages } from '../../engine/client/message';
import { native } from '../../engine/native';
import { advised, fetchFailed } from './advice';
import { postError, StreamableHTTPError, unexpectedType } from './http-error';
import { HttpStream, type Reconnection } from './stream';

/** How streams are reopened by default. */
export const RECONNECTION: Reconnection = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};

/** How often a request is repeated that was refused for its credentials, as the engine does. */
const MAX_REFUSALS = 3;

/** The transport that requests are sent for. */
export interface HttpOwner {
  readonly url: URL;
  readonly policy: RedirectPolicy;
  readonly options: {
    authProvider?: AnyProvider;
    requestInit?: RequestInit;
    fetch?: FetchLike;
    reconnectionOptions?: Reconnection;
  };
  /** The current session id. */
  session(): string | undefined;
  /** Called when the server starts a session. */
  sessionIs(id: string): void;
  /** The revision that was negotiated. */
  version(): string | undefined;
}

/** Where messages go, and until when. */
export interface Carrying {
  take(message: JSONRPCMessage): void;
  fault(error: Error): void;
  /** Aborted when the transport is closed; `undefined` before it is started. */
  signal: AbortSignal | undefined;
}

/** How a message is sent. */
export type PostOptions = Pick<TransportSendOptions, 'onresumptiontoken' | 'headers' | 'requestSignal' | 'onRequestStreamEnd'>;

/** The requests of one transport. */
export class HttpMessages {
  readonly #owner: HttpOwner;
  readonly #demands: Demands;

  constructor(owner: HttpOwner) {
    this.#owner = owner;
    this.#demands = new Demands(owner.url, owner.options.authProvider, () => this.fetchWithInit());
  }

  /** The program's `fetch`, with the options that its requests start from. */
  fetchWithInit(): FetchLike {
    const { fetch, requestInit } = this.#owner.options;
    return createFetchWithInit(fetch, requestInit);
  }

  private fetch(): FetchLike {
    const { fetch: own = globalThis.fetch, authProvider } = this.#owner.options;
    const given = proving(authProvider, own);
    const base: FetchLike = async (url, init) => {
      try {
        return await given(url, init);
      } catch (error) {
        throw fetchFailed(error, this.#owner.url);
      }
    };
    return this.#owner.policy === 'follow' ? base : fetchWithinOrigin(base);
  }

  private async headers(authorization: string | undefined): Promise<Headers> {
    const { requestInit } = this.#owner.options;
    const [session, version] = [this.#owner.session(), this.#owner.version()];
    return new Headers({
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...normalizeHeaders(requestInit?.headers),
    });
  }

  /** Obtains the credentials that a server demands; returns whether to try again. */
  meet(response: Response, sent: string | undefined, refused?: Refused): Promise<boolean> {
    return this.#demands.meet(response, sent, refused);
  }

  /** Notes that the user came back, and the provider has the tokens. */
  finished(): Promise<void> {
    return this.#demands.finished();
  }

  /** Creates a stream for messages of the server, new or resumed. */
  stream(carrying: Carrying): HttpStream {
    return new HttpStream({
      get: (lastEventId) => this.get(lastEventId, carrying.signal),
      message: carrying.take,
      fault: carrying.fault,
      signal: () => carrying.signal,
      policy: this.#owner.options.reconnectionOptions ?? RECONNECTION,
    });
  }

  private async get(
    lastEventId: string | undefined,
    signal: AbortSignal | undefined,
    again = false,
  ): Promise<ReadableStream<Uint8Array> | undefined> {
    const { url, policy, options } = this.#owner;
    const sent = await bearer(options.authProvider);
    const headers = await this.headers(sent);
    headers.set('Accept', 'text/event-stream');
    if (lastEventId) headers.set('last-event-id', lastEventId);
    const response = await this.fetch()(url, { method: 'GET', headers, signal });
    if (response.ok) {
      this.#demands.accepted(sent);
      return response.body ?? undefined;
    }
    await response.body?.cancel();
    // Servers do not have to offer this stream.
    if (response.status === 405) return undefined;
    if (response.status === 401 && options.authProvider !== undefined && !again && (await this.meet(response, sent))) {
      return this.get(lastEventId, signal, true);
    }
    const text = unfollowed(response, url, policy) ?? response.statusText;
    const error = new StreamableHTTPError(response.status, `Failed to open SSE stream: ${text}`);
    throw advised(error, response.status, url, '{');
  }

  /** Sends one or more messages and handles the response. */
  async post(
    message: JSONRPCMessage | JSONRPCMessage[],
    carrying: Carrying,
    given: PostOptions = {},
    refusals: number[] = [],
  ): Promise<void> {
    const { url, policy, options } = this.#owner;
    const signal = either(carrying.signal, given.requestSignal);
    const sent = await bearer(options.authProvider);
    const headers = await this.headers(sent);
    for (const [name, value] of Object.entries(given.headers ?? {})) if (!native.isReservedHeader(name)) headers.set(name, value);
    headers.set('content-type', 'application/json');
    headers.set('accept', 'application/json, text/event-stream');
    const body = JSON.stringify(message);
    const repeated = native.messageHeaders(body);
    for (const [name, value] of repeated) headers.set(name, value);
    const response = await this.fetch()(url, { ...options.requestInit, method: 'POST', headers, body, signal });
    const session = response.headers.get('mcp-session-id');
    if (session) this.#owner.sessionIs(session);
    if (response.ok) {
      this.#demands.accepted(sent);
      return this.answer(response, message, { ...carrying, signal }, given);
    }
    const text = await response.text().catch(() => null);
    const mayRepeat = options.authProvider !== undefined && refusals.length < MAX_REFUSALS;
    if (mayRepeat && (await this.meet(response, sent, { again: refusals.at(-1) === 401 }))) {
      return this.post(message, carrying, given, [...refusals, response.status]);
    }
    // What a server of the modern era refuses before it looks at more than the head.
    const answer = response.status === 400 && repeated.length > 0 ? refusalOf(message, text) : undefined;
    if (answer !== undefined) return carrying.take(answer);
    const words = unfollowed(response, url, policy) ?? text;
    throw postError(response.status, words, url, text);
  }

  private async answer(
    response: Response,
    message: JSONRPCMessage | JSONRPCMessage[],
    carrying: Carrying,
    { onresumptiontoken, onRequestStreamEnd }: PostOptions,
  ): Promise<void> {
    if (response.status === 202) {
      await response.body?.cancel();
      if (!Array.isArray(message) && 'method' in message && message.method === 'notifications/initialized') {
        this.stream(carrying).open({}).catch(() => undefined);
      }
      return;
    }
    const asked = (Array.isArray(message) ? message : [message]).some(isRequest);
    const type = response.headers.get('content-type');
    const media = asked ? mediaTypeEssence(type) : undefined;
    if (media === 'text/event-stream') {
      if (response.body) this.stream(carrying).follow(response.body, { onresumptiontoken, onRequestStreamEnd }, false);
      else onRequestStreamEnd?.();
    } else if (media === 'application/json') {
      for (const one of readMessages(JSON.stringify(await response.json()))) carrying.take(one);
    } else {
      await response.body?.cancel();
      if (asked) throw unexpectedType(type, this.#owner.url);
    }
  }

  /** Ends the session. A 405 is accepted: the server does not let clients end sessions. */
  async terminate(signal: AbortSignal): Promise<void> {
    const { url, policy, options } = this.#owner;
    const headers = await this.headers(await bearer(options.authProvider));
    const response = await this.fetch()(url, { ...options.requestInit, method: 'DELETE', headers, signal });
    await response.body?.cancel();
    if (response.ok || response.status === 405) return;
    const text = unfollowed(response, url, policy) ?? response.statusText;
    throw new StreamableHTTPError(response.status, `Failed to terminate session: ${text}`);
  }
}

/** A signal that is aborted when one of two is. */
function either(one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined {
  return one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);
}

/** The answer to a request that is the body of a refusal. */
function refusalOf(message: JSONRPCMessage | JSONRPCMessage[], text: string | null): JSONRPCMessage | undefined {
  if (Array.isArray(message) || !isRequest(message)) return undefined;
  try {
    const [answer, ...more] = readMessages(text ?? '');
    return more.length === 0 && answer !== undefined && 'error' in answer && answer.id === message.id ? answer : undefined;
  } catch {
    return undefined;
  }
}
