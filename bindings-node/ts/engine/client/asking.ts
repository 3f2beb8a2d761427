/**
 * The options of a client's request, and the errors it ends with.
 *
 * Owns: defaults, what aborting calls, the official errors. Must not know: how a request is sent.
 */
import type { TransportSendOptions } from '../../protocol/transport';
import type { Progress } from '../../protocol/types';
import { causeOf } from '../cause';
import type { Plan } from '../driver';
import { errorFrom, ErrorCode, McpError } from '../errors';
import type { Failure } from '../failure';
import { refusal } from '../../protocol/refusal';

/** The default timeout of a request, in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;
/** How much longer requests wait that may wait for a user to sign in. */
export const SIGNING_IN = 300_000;
/** Timeouts from this length on count as no limit. */
const ENDLESS = 1e12;

/** Options of a request, as in `RequestOptions`. */
export type Asking = {
  onprogress?: ((progress: Progress) => void) | undefined;
  signal?: AbortSignal | undefined;
  timeout?: number | undefined;
  resetTimeoutOnProgress?: boolean | undefined;
  maxTotalTimeout?: number | undefined;
  /** Further options of the engine. */
  plan?: Plan | undefined;
} & TransportSendOptions;

/** Converts milliseconds to the engine's seconds; `null` means no limit. */
export function seconds(milliseconds: number | undefined): number | null {
  if (milliseconds === undefined || !(milliseconds < ENDLESS)) return null;
  return Math.max(milliseconds, 0) / 1000;
}

/**
 * The error for a request without a connection: a plain `Error`, as in the official package, with
 * its kind as a property.
 */
export function notConnected(wasConnected: boolean): Error {
  const remedy = wasConnected ? 'the connection is over; connect() opens another' : 'await client.connect(transport) comes first';
  const error = refusal('not_connected', 'Not connected', { cause: causeOf(remedy) });
  Object.defineProperty(error, 'kind', { value: 'closed', configurable: true });
  return error;
}

/** The error of a request that the program cancelled; it holds the program's reason. */
export function withdrawn({ reason }: AbortSignal): Error {
  if (reason instanceof McpError) return reason;
  return errorFrom({ kind: 'cancelled', code: ErrorCode.RequestTimeout, message: String(reason) });
}

/** The functions that wait for each signal: one listener, however many requests share it. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls a function when a signal is aborted. Returns a function that removes it. */
export function onAbort(signal: AbortSignal, body: () => void): () => void {
  let bodies = waiting.get(signal);
  if (bodies === undefined) {
    const all = (bodies = new Set());
    const tell = () => {
      for (const each of [...all]) each();
    };
    waiting.set(signal, all);
    signal.addEventListener('abort', tell, { once: true });
    listeners.set(all, tell);
  }
  const all = bodies;
  all.add(body);
  return () => {
    all.delete(body);
    if (all.size > 0 || waiting.get(signal) !== all) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', listeners.get(all)!);
  };
}

const listeners = new WeakMap<Set<() => void>, () => void>();

/** The error that a request ends with. */
export function errorOf(failure: Failure, timeout: number, options: Asking | undefined, elapsed: number): Error {
  if (failure.kind === 'timeout') {
    const { resetTimeoutOnProgress, maxTotalTimeout } = options ?? {};
    if (resetTimeoutOnProgress && maxTotalTimeout !== undefined && elapsed >= maxTotalTimeout) {
      const data = { maxTotalTimeout, totalElapsed: Math.round(elapsed) };
      return errorFrom({ ...failure, code: ErrorCode.RequestTimeout, message: 'Maximum total timeout exceeded', data });
    }
    const error = errorFrom({ ...failure, code: ErrorCode.RequestTimeout, message: 'Request timed out', data: { timeout } });
    error.cause = causeOf(`no answer within ${timeout} ms; the request's option "timeout" says how long to wait`);
    return error;
  }
  if (failure.kind === 'closed') {
    const error = errorFrom({ ...failure, code: ErrorCode.ConnectionClosed, message: 'Connection closed' });
    // The cause holds what the server's process wrote when it ended.
    error.cause = causeOf(failure.message);
    return error;
  }
  return errorFrom(failure);
}
