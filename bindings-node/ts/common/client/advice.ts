/**
 * Errors on the way to a server, with the place and what may help. Owns: their wording, and how
 * much of a URL they show. Must not know: transports, error classes.
 */
import { causeOf } from '../../engine/cause';

/** Path segments of at least this length that mix letters and digits may be keys. */
const KEY_LENGTH = 20;

function mayBeKey(part: string): boolean {
  return part.length >= KEY_LENGTH && /\d/.test(part) && /[a-z]/i.test(part);
}

/**
 * A URL as errors show it, the engine's as well: without credentials, query and fragment, and
 * without path segments that may be keys.
 */
export function placeOf({ origin, protocol, host, pathname }: URL): string {
  const path = pathname.split('/').map((part) => (mayBeKey(part) ? '…' : part));
  return `${origin === 'null' ? `${protocol}//${host}` : origin}${path.join('/')}`;
}

/** The URL that was probably meant, if the path is not the usual one. */
function meant(url: URL, usual: string): string {
  return url.pathname.endsWith(usual) ? 'is this the right server?' : `did you mean ${usual}?`;
}

/** The advice for an HTTP error status: where it came from, and what to do. */
function adviceOn(status: number, url: URL, usual: string): string {
  const at = `${status} at ${placeOf(url)}`;
  if (status === 401) return `${at}: the server wants credentials; give the transport an authProvider, or an Authorization header in requestInit`;
  if (status === 403) return `${at}: these credentials do not suffice, or requests from here are refused`;
  if (status === 404 || status === 405) return `${at}: ${meant(url, usual)}`;
  if (status === 429) return `${at}: the server's rate limit was hit; try again later`;
  return status >= 500 ? `${at}: the fault is the server's; its log may say more` : at;
}

/** Replaces an error's message, in its stack as well. */
function reword(error: Error, words: string): void {
  error.stack = error.stack?.replace(error.message, () => words);
  error.message = words;
}

/** Whether advice on a response becomes part of the message: for a 404 whose body is not JSON. */
export function isInMessage(status: number, body: unknown): boolean {
  return status === 404 && !(typeof body === 'string' && /^\s*[[{]/.test(body));
}

/**
 * Adds the place and what to do to the error of an HTTP error status. The official message is kept,
 * and the advice is its cause; a 404 whose body is not JSON has it in the message.
 */
export function advised<E extends Error>(error: E, status: number, url: URL, body: unknown, usual = '/mcp'): E {
  const words = adviceOn(status, url, usual);
  if (isInMessage(status, body)) reword(error, `${error.message.trimEnd()} (${words})`);
  else error.cause = causeOf(words);
  return error;
}

/** Adds advice to the error of a response that is not an MCP message; `usual` is where servers mostly are. */
export function advisedKind<E extends Error>(error: E, type: unknown, url: URL, usual = '/mcp'): E {
  const wanted = usual === '/sse' ? 'with a stream of events' : 'in JSON or events';
  const what = String(type).includes('html') ? 'answers with a web page' : `does not answer ${wanted}`;
  error.cause = causeOf(`${placeOf(url)} ${what}: ${meant(url, usual)}`);
  return error;
}

/** Explains in one sentence why a `fetch` failed, because `fetch failed` alone says nothing. */
export function fetchFailed(error: unknown, url: URL): unknown {
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return error;
  const { cause } = error as { cause?: { code?: string; message?: string; errors?: { message: string }[] } };
  const why = cause?.message || cause?.errors?.[0]?.message || cause?.code;
  return new TypeError(unreachable(url, `fetch failed${why ? `: ${why}` : ''}`), { cause });
}

/** Matches messages of network errors; other errors of a program's `fetch` look different. */
const NETWORK = /cannot be reached|fetch failed|^the connection to|connecting took/;

/** Whether a failure is one of the network, not one that a program's `fetch` made up. */
export function isOfNetwork(why: string): boolean {
  return NETWORK.test(why);
}

/** Adds the place to a network error, unless its message has it already. */
export function unreachable(url: URL, why: string): string {
  if (why.includes(placeOf(url)) || !NETWORK.test(why)) return why;
  const remedy = /ECONNREFUSED|refused/.test(why) ? '; is a server running there?' : '';
  return `${why}, at ${placeOf(url)}${remedy}`;
}

/** The URL of a transport, which programs may pass as text; throws if it is not valid. */
export function urlOf(given: URL | string, transport: string, usual: string): URL {
  if (typeof given !== 'string') return given;
  const example = `http://localhost:3000${usual}`;
  if (!URL.canParse(given)) throw new TypeError(`${transport}: ${JSON.stringify(given)} is not a URL; write one such as ${example}`);
  const url = new URL(given);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  const guess = `http://${given}`;
  const likely = !given.includes('://') && URL.canParse(guess) ? guess : example;
  throw new TypeError(`${transport}: ${JSON.stringify(given)} does not begin with http:// or https://; write one such as ${likely}`);
}
