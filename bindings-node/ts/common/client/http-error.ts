/**
 * HTTP failures as errors. Owns: the error class of streamable HTTP, and the system's error codes
 * for network failures. Must not know: transports.
 */
import { getSystemErrorName } from 'node:util';
import { causeOf } from '../../engine/cause';
import { advised, advisedKind, isInMessage, isOfNetwork, unreachable } from './advice';
import { errorFrom } from '../../engine/errors';
import type { Failure } from '../../engine/failure';

const PREFIX = 'Streamable HTTP error: ';
/** How the messages of `fetch` begin. */
const FAILED = 'fetch failed';

/** The server responded with an HTTP error status, or with something unexpected. */
export class StreamableHTTPError extends Error {
  /** The HTTP status; -1 if the response cannot be read. */
  readonly code: number | undefined;

  /**
   * Creates an error with a status.
   * @param code - The HTTP status; `undefined` if there was no response.
   * @param message - What went wrong.
   */
  constructor(code: number | undefined, message: string | undefined) {
    super(`${PREFIX}${message}`);
    this.code = code;
  }
}

/** What a response said that was not an answer. */
interface Said {
  /** The body of an error response to a POST. */
  text?: string;
  /** The content type of a response that cannot be read. */
  contentType?: string;
}

const SAID = new WeakMap<StreamableHTTPError, Said>();

/** The message of an error without the prefix of its class, and what the response said. */
export function factsOf(error: StreamableHTTPError): Said & { words: string } {
  return { ...SAID.get(error), words: error.message.slice(PREFIX.length) };
}

/** What the engine adds to an HTTP failure. */
interface HttpFacts {
  status?: unknown;
  body?: unknown;
  contentType?: unknown;
}

/** Converts an HTTP error status to a `StreamableHTTPError`; `undefined` for other failures. */
export function refusalError(failure: Failure, url: URL): StreamableHTTPError | undefined {
  const { http } = (failure.data ?? {}) as { http?: HttpFacts };
  if (typeof http?.status !== 'number') return undefined;
  if ('contentType' in http) return unexpectedType(http.contentType, url);
  const words = typeof http.body === 'string' ? http.body : failure.message;
  // The session is gone, not the server: another one is being opened.
  if (failure.kind === 'closed') return new StreamableHTTPError(http.status, `Error POSTing to endpoint: ${words}`);
  return postError(http.status, words, url, http.body);
}

/** The error for a POST with an HTTP error status and this body. */
export function postError(status: number, words: string | null, url: URL, body: unknown): StreamableHTTPError {
  const error = new StreamableHTTPError(status, `Error POSTing to endpoint: ${words}`);
  // Advice in the message stands where the body would end in blanks.
  SAID.set(error, { text: isInMessage(status, body) ? String(words).trimEnd() : String(words) });
  return advised(error, status, url, body);
}

/** The error for a response that is neither JSON nor a stream of events. */
export function unexpectedType(type: unknown, url: URL): StreamableHTTPError {
  const error = new StreamableHTTPError(-1, `Unexpected content type: ${type}`);
  SAID.set(error, { contentType: String(type) });
  return advisedKind(error, type, url);
}

/**
 * The error for a network failure: a `TypeError`, as with `fetch`, whose cause has a code, e.g.
 * `ECONNREFUSED`.
 */
export function networkError(failure: Failure, url: URL): Error {
  const words = unreachable(url, failure.message);
  if (!isOfNetwork(failure.message)) return errorFrom({ ...failure, message: words });
  const error = new TypeError(words.startsWith(FAILED) ? words : `${FAILED}: ${words}`, { cause: systemCause(failure.message) });
  for (const [name, value] of Object.entries({ kind: failure.kind, local: true })) {
    Object.defineProperty(error, name, { value, configurable: true });
  }
  return error;
}

/** The cause of a network failure, with the members that errors of the system have. */
function systemCause(message: string): Error {
  const cause = causeOf(message);
  const [, number] = /os error (\d+)/.exec(message) ?? [];
  const [code] = /\bE[A-Z]{4,}\b/.exec(message) ?? [];
  if (number === undefined) return code === undefined ? cause : Object.assign(cause, { code });
  const errno = -Number(number);
  return Object.assign(cause, { errno, code: getSystemErrorName(errno), syscall: 'connect' });
}
