/**
 * The end of a process whose host is gone. Owns: whether the process has a reason to go on, and
 * ending it. Must not know: servers, messages.
 *
 * A host that closes a server's input has left. The program's timers and open files keep Node alive
 * all the same, and such processes pile up.
 */
import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { runtime } from './timers';

/** How long the program has to end by itself, in milliseconds. */
const GRACE = 1000;

/** The number of the engine's listeners, which Node does not know about. */
let listeners = 0;

/** Counts the engine's listeners: 1 when one opens, -1 when it closes. */
export function serves(more: 1 | -1): void {
  listeners += more;
}

/** Whether standard input is connected to a host: neither a terminal nor `/dev/null`. */
export function hadHost(): boolean {
  try {
    // With `bigint` for the reason given in standard-streams.ts.
    return !fstatSync(0, { bigint: true }).isCharacterDevice();
  } catch {
    return false;
  }
}

/** Whether clients can still reach the process; assumed under Bun and Deno, where it is unknown. */
function isReachable(): boolean {
  if (listeners > 0 || process.versions['bun'] !== undefined || process.versions['deno'] !== undefined) return true;
  return process.getActiveResourcesInfo().some((name) => name.endsWith('ServerWrap'));
}

/**
 * Ends the process if its host leaves after the program closed a server. The program listens for
 * SIGINT or SIGTERM, and may have closed the server because of one. Hosts send signals together
 * with the end of input or soon after, in either order, so the end of input counts as well.
 */
export function endAfterSignal(input: () => Readable | undefined): void {
  if (process.listenerCount('SIGTERM') + process.listenerCount('SIGINT') === 0) return;
  runtime.setTimeout(() => {
    const stdin = hadHost() && !isReachable() ? input() : undefined;
    // Another server may have taken the streams by now.
    if (stdin === undefined) return;
    const isRead = stdin.listenerCount('data') + stdin.listenerCount('readable') > 0;
    const end = (): void => {
      if (!isReachable()) process.exit();
    };
    if (stdin.readableEnded || stdin.destroyed) return end();
    stdin.once('end', end).once('close', end);
    if (!isRead) stdin.resume();
    // Reading must not keep the process alive.
    (stdin as { unref?: () => void }).unref?.();
  }, GRACE).unref();
}

/** Ends the process a second after its input has ended, unless it still serves other clients. */
export function endSoon(): void {
  if (!hadHost()) return;
  runtime.setTimeout(() => {
    if (!isReachable()) process.exit();
  }, GRACE).unref();
}
