/**
 * `process.stdin` while the engine reads it. Owns: noticing that a program uses it, and
 * what the program sees in its place. Must not know: messages.
 *
 * While the engine has the standard streams, descriptor 0 reads nothing. A program that
 * waits for `end` or `close` of `process.stdin` must hear of them when the client is gone,
 * and not at once.
 */
import { Readable } from 'node:stream';

let used = false;
let standIn: Readable | undefined;
let taken = false;

const own = Object.getOwnPropertyDescriptor(process, 'stdin');

if (own?.get !== undefined && own.configurable) {
  Object.defineProperty(process, 'stdin', {
    ...own,
    get(): unknown {
      if (taken) return (standIn ??= silence());
      used = true;
      return own.get!.call(process);
    },
  });
}

/** Never says anything, until it ends. */
function silence(): Readable {
  const stream = new Readable({ read: () => undefined });
  Object.assign(stream, { fd: 0, isTTY: false });
  return stream.resume();
}

/** Whether a program has laid hands on `process.stdin`: the engine must leave it alone then. */
export function isUsed(): boolean {
  return used;
}

/** The engine reads it from now on. */
export function take(): void {
  taken = true;
}

/** The engine has reached the end. */
export function ended(): void {
  standIn?.push(null);
}
