/**
 * HTTP failures as errors. Owns: the error class of streamable HTTP, and the system's error codes
 * for network failures. Must not know: transports.
 */
import { getSystemErrorName } from 'node:util';
import { causeOf } from '../../engine/cause';
import { advised, advisedKind, isInMessage, unreachable } from './advice';
import { errorFrom } from '../../engine/errors';
import type { Failure } from '../../engine/failure';

const PREFIX = 'Streamable HTTP error: ';

/** The server responded with an HTTP error status, or with something unexpected. */
export class StreamableHTTPError extends Error {
  /** The HTTP status; -1 if the response cannot be read. */
  readonly code: number | undefined;

  /** Creates an error with a status. */
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

/** The error for a network failure; its cause has a code as with `fetch`, e.g. `ECONNREFUSED`. */
export function networkError(failure: Failure, url: URL): Error {
  const error = errorFrom({ ...failure, message: unreachable(url, failure.message) });
  const [, number] = /os error (\d+)/.exec(failure.message) ?? [];
  if (number !== undefined) {
    const errno = -Number(number);
    error.cause = Object.assign(causeOf(failure.message), { errno, code: getSystemErrorName(errno), syscall: 'connect' });
  }
  return error;
}
