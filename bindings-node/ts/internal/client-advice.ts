/**
 * What goes wrong on the way to a server, with where and what may help. Owns: those words, and
 * how much of a URL they show. Must not know: transports, classes of errors.
 */
import { causeOf } from './cause';

/** A URL as errors show it: without credentials, query and fragment. */
export function placeOf({ origin, protocol, host, pathname }: URL): string {
  return `${origin === 'null' ? `${protocol}//${host}` : origin}${pathname}`;
}

/** What may have been meant by an address that is not the usual one. */
function meant(url: URL, usual: string): string {
  return url.pathname.endsWith(usual) ? 'is this the right server?' : `did you mean ${usual}?`;
}

/** Advice for a status other than success: where it came from, and what to do next. */
function adviceOn(status: number, url: URL, usual: string): string {
  const at = `${status} at ${placeOf(url)}`;
  if (status === 401) return `${at}: the server wants credentials; give the transport an authProvider, or an Authorization header in requestInit`;
  if (status === 403) return `${at}: these credentials do not suffice, or requests from here are refused`;
  if (status === 404 || status === 405) return `${at}: ${meant(url, usual)}`;
  if (status === 429) return `${at}: the server's rate limit was hit; try again later`;
  return status >= 500 ? `${at}: the fault is the server's; its log may say more` : at;
}

/** Gives an error other words, where they are printed, too. */
function reword(error: Error, words: string): void {
  error.stack = error.stack?.replace(error.message, () => words);
  error.message = words;
}

/**
 * Adds where and what next to the error of a refusal. Its official words stay; a 404 that no
 * MCP server worded says it in the message itself.
 */
export function advised<E extends Error>(error: E, status: number, url: URL, body: unknown, usual = '/mcp'): E {
  const words = adviceOn(status, url, usual);
  const isTheirs = typeof body === 'string' && /^\s*[[{]/.test(body);
  if (status === 404 && !isTheirs) reword(error, `${error.message.trimEnd()} (${words})`);
  else error.cause = causeOf(words);
  return error;
}

/** Adds advice to the error of an answer that is not an MCP message. */
export function advisedKind<E extends Error>(error: E, type: unknown, url: URL): E {
  const what = String(type).includes('html') ? 'answers with a web page' : 'does not answer in JSON or events';
  error.cause = causeOf(`${placeOf(url)} ${what}: ${meant(url, '/mcp')}`);
  return error;
}

/** Why a request by `fetch` was not answered, in one sentence: `fetch failed` alone says nothing. */
export function fetchFailed(error: unknown, url: URL): unknown {
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return error;
  const { cause } = error as { cause?: { code?: string; message?: string; errors?: { message: string }[] } };
  const why = cause?.message || cause?.errors?.[0]?.message || cause?.code;
  return new TypeError(unreachable(url, `fetch failed${why ? `: ${why}` : ''}`), { cause });
}

/** What is said of a network; programs' own functions say other things. */
const NETWORK = /cannot be reached|fetch failed|connection to the server|connecting took/;

/** A server that cannot be reached: where, unless that is said. */
export function unreachable(url: URL, why: string): string {
  if (why.includes(placeOf(url)) || !NETWORK.test(why)) return why;
  const remedy = /ECONNREFUSED|refused/.test(why) ? '; is a server running there?' : '';
  return `${why}, at ${placeOf(url)}${remedy}`;
}

/** The URL a transport was given, as text or as it is. */
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
