/** Keep-alive comments on streams of events. Owns: their timer. Must not know: streams. */
import { LONGEST } from '../timers';

/** One such comment. */
export const KEEP_ALIVE = ': keepalive\n\n';

/** The default interval between keep-alive comments, in milliseconds. */
export const DEFAULT_SSE_KEEP_ALIVE_MS = 15_000;

/**
 * Calls `onTick` at an interval in milliseconds; the timer does not keep the process alive. Below
 * 1, no timer is started.
 * @param intervalMs - The interval, in milliseconds.
 * @param onTick - The function.
 */
export function armSseKeepAlive(intervalMs: number, onTick: () => void): ReturnType<typeof setInterval> | undefined {
  if (!Number.isFinite(intervalMs) || intervalMs < 1) return undefined;
  const timer = setInterval(onTick, Math.min(intervalMs, LONGEST));
  // Timers of a test may lack what those of the runtime have.
  timer.unref?.();
  return timer;
}
