/**
 * The end of a process whose host is gone. Owns: whether it has any reason to go on, and
 * ending it. Must not know: servers, messages.
 *
 * A host that closes a server's input has left. Timers and open files of the program keep
 * Node alive all the same, and such processes pile up.
 */
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** How long the program has to end by itself, in milliseconds. */
const GRACE = 1000;

/** Listeners of the engine that serve others, which Node does not know of. */
let listeners = 0;

/** The engine serves others, too, or no longer. */
export function serves(more: 1 | -1): void {
  listeners += more;
}

/** Whether a program was at the other end of input: it is neither a terminal nor nothing. */
export function hadHost(): boolean {
  try {
    // In big numbers for the reason given in standard-streams.ts.
    return !fstatSync(0, { bigint: true }).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Whether others can reach the process; unknown where it is not Node that runs it. */
function isReachable(): boolean {
  if (listeners > 0 || process.versions['bun'] !== undefined || process.versions['deno'] !== undefined) return true;
  return process.getActiveResourcesInfo().some((name) => name.endsWith('ServerWrap'));
}

/**
 * A server was closed by a program that listens for SIGINT or SIGTERM, so perhaps in answer to
 * one. Hosts send these along with the end of input, or soon after, and whichever comes first
 * must not hide the other: a host that is gone after the grace ends the process all the same.
 */
export function endAfterSignal(input: () => Readable | undefined): void {
  if (process.listenerCount('SIGTERM') + process.listenerCount('SIGINT') === 0) return;
  setTimeout(() => {
    const stdin = hadHost() && !isReachable() ? input() : undefined;
    // Another server may have the streams by now.
    if (stdin === undefined) return;
    const isRead = stdin.listenerCount('data') + stdin.listenerCount('readable') > 0;
    const end = (): void => {
      if (!isReachable()) process.exit();
    };
    if (stdin.readableEnded || stdin.destroyed) return end();
    stdin.once('end', end).once('close', end);
    if (!isRead) stdin.resume();
    // That is not a reason to go on.
    (stdin as { unref?: () => void }).unref?.();
  }, GRACE).unref();
}

/** Input has ended: ends the process after the grace, unless it has by then or serves others. */
export function endSoon(): void {
  if (!hadHost()) return;
  setTimeout(() => {
    if (!isReachable()) process.exit();
  }, GRACE).unref();
}
