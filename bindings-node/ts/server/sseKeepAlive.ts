/**
 * Signs of life on streams of events. Owns: when they are given. Must not know: streams.
 */

/** Milliseconds between them, unless told otherwise. */
export const DEFAULT_SSE_KEEP_ALIVE_MS = 15_000;

/** Longest time a timer takes. */
const LONGEST = 2 ** 31 - 1;

/** Has `onTick` called every so many milliseconds, by a timer that keeps no program alive; not at all below 1. */
export function armSseKeepAlive(intervalMs: number, onTick: () => void): ReturnType<typeof setInterval> | undefined {
  if (!Number.isFinite(intervalMs) || intervalMs < 1) return undefined;
  return setInterval(onTick, Math.min(intervalMs, LONGEST)).unref();
}
