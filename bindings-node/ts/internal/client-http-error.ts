/**
 * What goes wrong over HTTP, as errors. Owns: the class of streamable HTTP, and the system's
 * names for what failed below it. Must not know: transports.
 */
import { getSystemErrorName } from 'node:util';
import { causeOf } from './cause';
import { advised, advisedKind, unreachable } from './client-advice';
import { errorFrom } from './errors';
import type { Failure } from './failure';

/** A server answered a request with a status other than success. */
export class StreamableHTTPError extends Error {
  /** The status; -1 if the answer cannot be read. */
  readonly code: number | undefined;

  /** An error with a status. */
  constructor(code: number | undefined, message: string | undefined) {
    super(`Streamable HTTP error: ${message}`);
    this.code = code;
  }
}

/** What the engine adds to a failure over HTTP. */
interface HttpFacts {
  status?: unknown;
  body?: unknown;
  contentType?: unknown;
}

/** A server's refusal over HTTP, as the error of streamable HTTP; `undefined` if the failure is something else. */
export function refusalError(failure: Failure, url: URL): StreamableHTTPError | undefined {
  const { http } = (failure.data ?? {}) as { http?: HttpFacts };
  if (typeof http?.status !== 'number') return undefined;
  if ('contentType' in http) return unexpectedType(http.contentType, url);
  const words = typeof http.body === 'string' ? http.body : failure.message;
  return postError(http.status, words, url, http.body);
}

/** A POST was answered with a status other than success, and this text. */
export function postError(status: number, words: string | null, url: URL, body: unknown): StreamableHTTPError {
  return advised(new StreamableHTTPError(status, `Error POSTing to endpoint: ${words}`), status, url, body);
}

/** A request was answered with something that is neither JSON nor a stream of events. */
export function unexpectedType(type: unknown, url: URL): StreamableHTTPError {
  return advisedKind(new StreamableHTTPError(-1, `Unexpected content type: ${type}`), type, url);
}

/** A network's failure, with what `fetch` gives as the cause: `ECONNREFUSED` and the like. */
export function networkError(failure: Failure, url: URL): Error {
  const error = errorFrom({ ...failure, message: unreachable(url, failure.message) });
  const [, number] = /os error (\d+)/.exec(failure.message) ?? [];
  if (number !== undefined) {
    const errno = -Number(number);
    error.cause = Object.assign(causeOf(failure.message), { errno, code: getSystemErrorName(errno), syscall: 'connect' });
  }
  return error;
}
