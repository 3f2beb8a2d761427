/**
 * Timers. Owns: which of them a program's fake timers move, and the timeout of a request that they
 * move. Must not know: who waits for what.
 *
 * What the official packages wait for with `setTimeout` (timeouts of requests, reconnection,
 * keep-alive) follows the `setTimeout` that a program sees. Everything else has to go on while a
 * test holds the time, so it uses the timers of the runtime.
 */

const { setTimeout: atStart } = globalThis;

type Timers = Pick<
  typeof globalThis,
  'setTimeout' | 'clearTimeout' | 'setInterval' | 'clearInterval' | 'setImmediate' | 'clearImmediate' | 'queueMicrotask'
>;

/** The runtime's timers, whatever a program puts in their place. */
export const runtime = {
  setTimeout: bound('setTimeout'),
  clearTimeout: bound('clearTimeout'),
  setInterval: bound('setInterval'),
  clearInterval: bound('clearInterval'),
  setImmediate: bound('setImmediate'),
  clearImmediate: bound('clearImmediate'),
  queueMicrotask: bound('queueMicrotask'),
};

/** Some runtimes call a timer only as a function of the global object. */
function bound<N extends keyof Timers>(name: N): Timers[N] {
  return globalThis[name]?.bind(globalThis) as Timers[N];
}

/** The longest delay of a timer, in milliseconds. */
export const LONGEST = 2 ** 31 - 1;

/** Whether a program has put timers of its own in the place of the runtime's, as tests do that move the time. */
export function areReplaced(): boolean {
  return globalThis.setTimeout !== atStart;
}

/** The timeouts of a request, in seconds; `null` means no limit. */
export interface Patience {
  /** How long to wait for the answer, or for progress. */
  timeout?: number | null;
  /** How long to wait in all. */
  max?: number | null;
}

/** A running timeout. */
export interface Timeout {
  /** Called when there was progress: the wait begins again, the longest wait does not. */
  renew(): void;
  stop(): void;
}

/** Calls `expire` when a request has waited too long, by the timers that the program sees. */
export function startTimeout({ timeout, max }: Patience, expire: () => void): Timeout {
  const after = (seconds: number | null | undefined): NodeJS.Timeout | undefined => {
    const milliseconds = Math.round((seconds ?? Infinity) * 1000);
    return milliseconds > LONGEST ? undefined : setTimeout(expire, milliseconds);
  };
  let idle = after(timeout);
  const renews = max !== timeout;
  const total = renews ? after(max) : undefined;
  return {
    renew() {
      if (!renews) return;
      clearTimeout(idle);
      idle = after(timeout);
    },
    stop() {
      clearTimeout(idle);
      clearTimeout(total);
    },
  };
}
