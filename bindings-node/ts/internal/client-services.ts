/**
 * What the engine asks of the program while it reaches a server over HTTP: that a
 * request is carried by a `fetch` of the program's, and for credentials.
 *
 * Owns: which connection's program answers, and bodies on their way. Must not know: what
 * is in them, sessions.
 */
import type { FetchLike } from '../shared/transport';
import { fetchFailed } from './client-advice';
import { driver, type Driver } from './driver';

/** A request the engine is about to make. */
export interface EngineRequest {
  connection: number;
  method: string;
  url: string;
  headers: [string, string][];
  /** Of `client.fetch`. */
  body?: string | null;
  /** Of `client.challenged`. */
  status?: number;
  /** Of `client.challenged`: what `WWW-Authenticate` says. */
  challenges?: string[];
}

/** The program's part in the requests of one connection. */
export interface Services {
  /** Makes requests in place of the engine's own client. */
  fetch?: FetchLike;
  /** What every request has beside the protocol's own. */
  headers?(): Record<string, string>;
  /** What `Authorization` says; `null` for none. */
  authorize?(request: EngineRequest): Promise<string | null>;
  /** The server refused a request; whether to try it again. */
  challenged?(request: EngineRequest): Promise<boolean>;
}

const connections = new Map<number, Services>();

/** Answers for a connection from now on. */
export function answerFor(connection: number, services: Services): void {
  const { services: known } = driver();
  if (!known.has('client.fetch')) {
    known.set('client.fetch', carry);
    known.set('client.headers', async (request: EngineRequest) => {
      const headers = Object.entries(servicesOf(request).headers?.() ?? {});
      return JSON.stringify(headers.map(([name, value]) => [name, String(value)]));
    });
    known.set('client.authorize', async (request: EngineRequest) =>
      JSON.stringify((await servicesOf(request).authorize?.(request)) ?? null),
    );
    known.set('client.challenged', async (request: EngineRequest) =>
      JSON.stringify({ retry: (await servicesOf(request).challenged?.(request)) ?? false }),
    );
  }
  connections.set(connection, services);
}

/** The connection is over. */
export function answerNoMore(connection: number): void {
  connections.delete(connection);
}

function servicesOf(request: EngineRequest): Services {
  const services = connections.get(request.connection);
  if (services === undefined) throw new Error('the connection is closed');
  return services;
}

/** Makes a request; the answer's head, and the body too if it is all there at once. */
async function carry(request: EngineRequest, number?: number): Promise<string> {
  const loop = driver();
  const { fetch: given = globalThis.fetch } = servicesOf(request);
  const fetch: FetchLike = (url, init) =>
    given(url, init).catch((error: unknown) => Promise.reject(fetchFailed(error, new URL(url)) as Error));
  const giveUp = new AbortController();
  // Comes when the engine does not want the rest.
  loop.exchanges.set(number!, () => {
    loop.exchanges.delete(number!);
    giveUp.abort();
  });
  try {
    const response = await fetch(new URL(request.url), {
      method: request.method,
      headers: new Headers(request.headers),
      ...(request.body != null && { body: request.body }),
      redirect: 'manual',
      signal: giveUp.signal,
    });
    const head = { status: response.status, headers: [...(response.headers ?? [])].filter(isForBody) };
    if (response.body === null || response.body === undefined) {
      loop.exchanges.delete(number!);
      return JSON.stringify({ ...head, body: await textOf(response) });
    }
    // The head has to be there before its parts are.
    setImmediate(() => void pass(loop, number!, response.body!));
    return JSON.stringify({ ...head, more: true });
  } catch (error) {
    loop.exchanges.delete(number!);
    throw error;
  }
}

/** `fetch` has undone what these say. */
function isForBody([name]: [string, string]): boolean {
  return name !== 'content-encoding' && name !== 'content-length' && name !== 'transfer-encoding';
}

/** Stand-ins for responses may have a text and no stream. */
async function textOf(response: Response): Promise<string> {
  return typeof response.text === 'function' ? await response.text() : '';
}

async function pass(loop: Driver, number: number, body: ReadableStream<Uint8Array>): Promise<void> {
  loop.flush();
  const { inbox } = loop;
  const nothing = new Uint8Array(0);
  try {
    const reader = body.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (!loop.exchanges.has(number)) return void reader.cancel().catch(() => undefined);
      if (done) break;
      inbox.httpBody(number, value, false);
    }
    inbox.httpBody(number, nothing, true);
  } catch {
    if (loop.exchanges.has(number)) inbox.httpDisconnect(number);
  } finally {
    loop.exchanges.delete(number);
  }
}
