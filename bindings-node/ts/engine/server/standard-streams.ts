/**
 * `process.stdin` and `process.stdout` while a server uses them. Owns: noticing that a program uses
 * them, and what the program sees in their place. Must not know: messages.
 *
 * While the engine has the standard streams, descriptor 0 yields nothing. A program that waits for
 * `end` or `close` of `process.stdin` must see them when the client is gone, and not before.
 * Descriptor 1 is standard error then; what a program prints between connecting and the engine's
 * start is sent there, too.
 */
import { fstatSync } from 'node:fs';
import { Readable } from 'node:stream';

type Name = 'stdin' | 'stdout';

/** Events that programs listen for on standard input. */
const WAITED_FOR = ['data', 'readable', 'end', 'close', 'error'];

let standIn: Readable | undefined;
let isTaken = false;
let isDiverted = false;
const used = { stdin: wasUsed(), stdout: false };
const own = { stdin: watch('stdin'), stdout: watch('stdout') };

/**
 * Whether the program used standard input before this module was loaded. The stream is created on
 * first use, which changes the descriptor, so the open handles are searched instead.
 */
function wasUsed(): boolean {
  const { _getActiveHandles: handles } = process as { _getActiveHandles?: () => { fd?: unknown }[] };
  if (handles?.call(process).some(({ fd }) => fd === 0)) return true;
  try {
    // A file has no handle; creating its stream is harmless. With `bigint`, because after a plain
    // `fstat` of a pipe Node 20 resolves imports through symbolic links without following them.
    return fstatSync(0, { bigint: true }).isFile() && WAITED_FOR.some((event) => process.stdin.listenerCount(event) > 0);
  } catch {
    return false;
  }
}

/** Notices the first use of a stream; returns the original getter. */
function watch(name: Name): (() => unknown) | undefined {
  const descriptor = Object.getOwnPropertyDescriptor(process, name);
  if (descriptor?.get === undefined || descriptor.configurable !== true) return undefined;
  Object.defineProperty(process, name, { ...descriptor, get: () => instead(name) ?? actual(name) });
  return descriptor.get.bind(process);
}

/** What a program sees instead of a stream. */
function instead(name: Name): unknown {
  if (name === 'stdin' && isTaken) return (standIn ??= silence());
  return name === 'stdout' && isDiverted && !used.stdout ? process.stderr : undefined;
}

function actual(name: Name): unknown {
  used[name] = true;
  return own[name]!();
}

/** A stream without data, until it ends. */
function silence(): Readable {
  const stream = new Readable({ read: () => undefined });
  Object.assign(stream, { fd: 0, isTTY: false });
  return stream.resume();
}

/** The real standard input. */
export function input(): Readable {
  return (own.stdin === undefined ? process.stdin : own.stdin()) as Readable;
}

/** Whether a server uses the standard streams. */
export function isInUse(): boolean {
  return isTaken;
}

/** Takes the streams for a server; returns `false` if the program used standard input before. */
export function take(): boolean {
  if (used.stdin) return false;
  if (isTaken) throw new Error('standard input and output are already in use by a server');
  isTaken = true;
  return true;
}

/** Whether a program replaced `process.stdout.write`, to watch or add messages. */
export function isOutputReplaced(): boolean {
  return used.stdout && Object.hasOwn(process.stdout, 'write');
}

/** Redirects what the program prints to standard error. Returns a function that undoes it. */
export function divert(): () => void {
  if (!used.stdout) {
    isDiverted = true;
    return () => void (isDiverted = false);
  }
  const { stdout, stderr } = process;
  const write = Object.getOwnPropertyDescriptor(stdout, 'write');
  Object.defineProperty(stdout, 'write', { value: stderr.write.bind(stderr), writable: true, configurable: true });
  return () => {
    if (write === undefined) Reflect.deleteProperty(stdout, 'write');
    else Object.defineProperty(stdout, 'write', write);
  };
}

/** Called when the server has reached the end of input. */
export function ended(): void {
  if (!isTaken) return;
  isTaken = false;
  standIn?.push(null);
  standIn = undefined;
}
