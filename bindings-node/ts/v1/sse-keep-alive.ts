/** Keep-alive comments on streams of events. Owns: their timer. Must not know: streams. */

/** The default interval between keep-alive comments, in milliseconds. */
export const DEFAULT_SSE_KEEP_ALIVE_MS = 15_000;

/** The longest delay that a timer supports. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls `onTick` at an interval in milliseconds; the timer does not keep the process alive. Below
 * 1, no timer is started.
 */
export function armSseKeepAlive(intervalMs: number, onTick: () => void): ReturnType<typeof setInterval> | undefined {
  if (!Number.isFinite(intervalMs) || intervalMs < 1) return undefined;
  return setInterval(onTick, Math.min(intervalMs, LONGEST)).unref();
}
