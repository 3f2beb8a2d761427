/**
 * What the engine asks of the program while it reaches a server over HTTP: requests through the
 * program's `fetch`, and credentials.
 *
 * Owns: which connection's program answers, and passing bodies. Must not know: what they contain,
 * sessions.
 */
import type { FetchLike } from '../../protocol/transport';
import { fetchFailed } from './advice';
import { driver, type Driver } from '../../engine/driver';
import { runtime } from '../../engine/timers';
import type { Thrown } from './thrown';

/** A request that the engine is about to send. */
export interface EngineRequest {
  connection: number;
  method: string;
  url: string;
  headers: [string, string][];
  /** Only for `client.fetch`. */
  body?: string | null;
  /** Only for `client.challenged`. */
  status?: number;
  /** Only for `client.challenged`: the values of `WWW-Authenticate`. */
  challenges?: string[];
  /** Only for `client.challenged`: whether the credentials that were sent are the last that the server took. */
  was_good?: boolean;
}

/** The program's part in the requests of one connection. */
export interface Services {
  /** Sends requests, in place of the engine's own HTTP client. */
  fetch?: FetchLike;
  /** Keeps what `fetch` throws when it sends a message. */
  thrown?: Thrown;
  /** Returns additional headers for every request. */
  headers?(): Record<string, string>;
  /** Returns the value of `Authorization`; `null` to send none. */
  authorize?(request: EngineRequest): Promise<string | null>;
  /** Called when the server refuses a request; returns whether to try again. */
  challenged?(request: EngineRequest): Promise<boolean>;
}

const connections = new Map<number, Services>();

/** Registers the services of a connection. */
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
    known.set('client.pause', pause);
    known.set('client.challenged', async (request: EngineRequest) =>
      JSON.stringify({ retry: (await servicesOf(request).challenged?.(request)) ?? false }),
    );
  }
  connections.set(connection, services);
}

/** Removes the services of a connection. */
export function answerNoMore(connection: number): void {
  connections.delete(connection);
  pauses.get(connection)?.forEach(clearTimeout);
  pauses.delete(connection);
}

/** The waits of each connection before streams are opened again. */
const pauses = new Map<number, Set<NodeJS.Timeout>>();

/** Waits by the program's `setTimeout`, before a lost stream is opened again. */
function pause({ connection, seconds }: { connection: number; seconds: number }): Promise<string> {
  return new Promise((resolve) => {
    const waits = pauses.get(connection) ?? new Set();
    pauses.set(connection, waits);
    const timer = setTimeout(() => {
      waits.delete(timer);
      resolve('null');
    }, seconds * 1000);
    // The connection keeps the process alive, if anything does.
    timer.unref?.();
    waits.add(timer);
  });
}

function servicesOf(request: EngineRequest): Services {
  const services = connections.get(request.connection);
  if (services === undefined) throw new Error('the connection is closed');
  return services;
}

/** Sends a request; returns the head of the response, with the body if it is available at once. */
async function carry(request: EngineRequest, number?: number): Promise<string> {
  const loop = driver();
  const { fetch = globalThis.fetch, thrown } = servicesOf(request);
  const giveUp = new AbortController();
  // Called when the engine does not want the rest of the body.
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
    // The head has to arrive before parts of the body.
    runtime.setImmediate(() => void pass(loop, number!, response.body!));
    return JSON.stringify({ ...head, more: true });
  } catch (error) {
    loop.exchanges.delete(number!);
    throw giveUp.signal.aborted ? error : told(error, request, thrown);
  }
}

/** The error for the engine. Of a message, the program gets back what it threw, unless it is a plain failure of the network. */
function told(error: unknown, { method, url }: EngineRequest, thrown: Thrown | undefined): unknown {
  const explained = fetchFailed(error, new URL(url));
  return explained === error && method === 'POST' && thrown !== undefined ? thrown.keep(error) : explained;
}

/** Whether a header still applies to the body; `fetch` has decoded it, so these three do not. */
function isForBody([name]: [string, string]): boolean {
  return name !== 'content-encoding' && name !== 'content-length' && name !== 'transfer-encoding';
}

/** A mocked response may have a text but no stream. */
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
