/**
 * What goes wrong over HTTP, as errors. Owns: the class of streamable HTTP, and the system's
 * names for what failed below it. Must not know: transports.
 */
import { getSystemErrorName } from 'node:util';
import { errorFrom } from './errors';
import type { Failure } from './failure';

/** A server answered a request with a status that is no success. */
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
export function refusalError(failure: Failure): StreamableHTTPError | undefined {
  const { http } = (failure.data ?? {}) as { http?: HttpFacts };
  if (typeof http?.status !== 'number') return undefined;
  if ('contentType' in http) return new StreamableHTTPError(-1, `Unexpected content type: ${http.contentType}`);
  const words = typeof http.body === 'string' ? http.body : failure.message;
  return new StreamableHTTPError(http.status, `Error POSTing to endpoint: ${words}`);
}

/** A network's failure, with what `fetch` gives as the cause: `ECONNREFUSED` and the like. */
export function networkError(failure: Failure): Error {
  const error = errorFrom(failure);
  const [, number] = /os error (\d+)/.exec(failure.message) ?? [];
  if (number !== undefined) {
    const errno = -Number(number);
    error.cause = Object.assign(new Error(failure.message), { errno, code: getSystemErrorName(errno), syscall: 'connect' });
  }
  return error;
}
