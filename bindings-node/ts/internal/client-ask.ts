/**
 * One request of a client, from the options of the 1.x face to its result.
 *
 * Owns: timeouts, progress, cancelling, the official errors. Must not know: which requests there
 * are.
 */
import { AsyncResource } from 'node:async_hooks';
import { causeOf } from './cause';
import type { TransportSendOptions } from '../shared/transport';
import type { Progress } from '../types';
import { served } from './client-connection';
import type { ClientLink } from './client-link';
import type { Pending, Plan } from './driver';
import { errorFrom, ErrorCode, McpError } from './errors';
import { failureOf, type Failure } from './failure';
import { parseWith } from './schema';

/** The default timeout of a request, in milliseconds. */
export const DEFAULT_TIMEOUT = 60_000;
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

/** The engine's options for these options. */
function planOf(options: Asking | undefined, inside: number | undefined): Plan | undefined {
  const { timeout = DEFAULT_TIMEOUT, onprogress, resetTimeoutOnProgress, maxTotalTimeout } = options ?? {};
  const progress = onprogress !== undefined || resetTimeoutOnProgress === true;
  const limit = seconds(timeout);
  // A server reports progress only for requests with a progress token, so one is sent.
  const max = resetTimeoutOnProgress ? seconds(maxTotalTimeout) : limit;
  return { timeout: limit, max, progress, ...(inside !== undefined && { inside }), ...options?.plan };
}

/**
 * Sends a request. Throws at once if it cannot be sent; the promise rejects with the server's
 * error, or with the reason why there is no answer.
 */
export function ask(
  link: ClientLink,
  request: { method: string; params?: unknown },
  schema: unknown,
  options?: Asking,
): Promise<unknown> {
  if (options === undefined) return answered(link, begin(link, request, undefined), schema, undefined, 0);
  options.signal?.throwIfAborted();
  const { byHand } = link.reach ?? {};
  if (byHand !== undefined && (options.onresumptiontoken ?? options.resumptionToken) !== undefined) {
    const { askByHand } = require('./client-by-hand') as typeof import('./client-by-hand');
    const result = askByHand(link, byHand, request, options);
    return schema === undefined ? result : result.then((value) => parseWith(schema, value));
  }
  const began = performance.now();
  return answered(link, begin(link, request, options), schema, options, began);
}

async function answered(
  link: ClientLink,
  pending: Pending,
  schema: unknown,
  options: Asking | undefined,
  began: number,
): Promise<unknown> {
  const signal = options?.signal;
  const item = await (signal === undefined ? pending.answer : withdrawable(link, pending, signal));
  const failure = item[5];
  if (failure === null) return schema === undefined ? item[4] : parseWith(schema, item[4]);
  const timeout = options?.timeout ?? DEFAULT_TIMEOUT;
  throw link.errorFor(pending.id, failure) ?? errorOf(failure, timeout, options, performance.now() - began);
}

function begin(link: ClientLink, request: { method: string; params?: unknown }, options: Asking | undefined): Pending {
  const { method } = request;
  const params = request.params === undefined ? undefined : JSON.stringify(request.params);
  const { onprogress, resumptionToken, onresumptiontoken, relatedRequestId } = options ?? {};
  const { timeout, resetTimeoutOnProgress, plan } = options ?? {};
  const isPlain = timeout === undefined && !onprogress && !resetTimeoutOnProgress && !plan;
  // The engine has the timeout of the handshake as its default, for plain requests as well.
  const inside = served.getStore();
  const isOrdinary = isPlain && link.timeout === DEFAULT_TIMEOUT && inside === undefined;
  // Progress callbacks run in the async context of the call.
  let here: AsyncResource | undefined;
  let report: ((params: unknown) => void) | undefined;
  if (onprogress !== undefined) {
    here = new AsyncResource('MCPBOLT', { requireManualDestroy: true });
    report = (params) => here!.runInAsyncScope(reported, undefined, link, onprogress, params);
  }
  try {
    link.carry?.flush();
    const pending = link.connection.ask(method, params, isOrdinary ? undefined : planOf(options, inside), report);
    if (here !== undefined) void pending.answer.then(() => here.emitDestroy());
    link.asked(pending.id, method, options && { resumptionToken, onresumptiontoken, relatedRequestId });
    return pending;
  } catch (error) {
    const failure = failureOf(error);
    throw failure === undefined ? error : errorFrom(failure);
  }
}

function reported(link: ClientLink, onprogress: (progress: Progress) => void, params: unknown): void {
  const { progressToken: _, ...progress } = params as Progress & { progressToken?: unknown };
  try {
    onprogress(progress as Progress);
  } catch (error) {
    link.fault(new Error(`Uncaught error in notification handler: ${error}`));
  }
}

/** Waits for the answer, unless the program cancels the request first. */
async function withdrawable(link: ClientLink, pending: Pending, signal: AbortSignal): Promise<Awaited<Pending['answer']>> {
  let withdraw!: () => void;
  const given = new Promise<never>((_, reject) => {
    withdraw = () => {
      reject(withdrawn(signal));
      link.withdraw(pending.id, String(signal.reason));
    };
  });
  const stop = onAbort(signal, withdraw);
  try {
    return await Promise.race([pending.answer, given]);
  } finally {
    stop();
  }
}

/**
 * The error for a request without a connection: a plain `Error`, as in the official package, with
 * its kind as a property.
 */
export function notConnected(wasConnected: boolean): Error {
  const remedy = wasConnected ? 'the connection is over; connect() opens another' : 'await client.connect(transport) comes first';
  const error = new Error('Not connected', { cause: causeOf(remedy) });
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
