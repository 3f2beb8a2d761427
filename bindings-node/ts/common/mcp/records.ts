/**
 * What is registered by name. Owns: the table of one kind, and noticing every change of it, also by
 * programs that write to it. Must not know: what the items are.
 *
 * Programs can access the tables and the items in them, as in the official package. The engine
 * answers lists from copies, so every write has to be noticed.
 */
import { causeOf } from '../../engine/cause';
import type { RegistryKind } from '../../engine/registry';

/** Called with the list that changed, and whether something in it wants tasks. */
export type Change = (kind: RegistryKind, wantsTasks?: boolean) => void;

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>;

/** Calls `next` with a value: at once, or when a promise resolves. */
export function chain<T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** Whether a value is a promise. */
export const isPromise = <T>(value: Soon<T>): value is Promise<T> =>
  typeof (value as { then?: unknown } | null | undefined)?.then === 'function';

/** The error for a name that is already registered. */
export function alreadyRegistered(kind: 'Tool' | 'Prompt', name: string): Error {
  const remedy = `choose another name, or update() or remove() what register${kind}() returned for it`;
  return new Error(`${kind} ${name} is already registered`, { cause: causeOf(remedy) });
}

/** Creates a table that reports each write to it. */
export function records<T extends object>(changed: () => void): Record<string, T> {
  return new Proxy<Record<string, T>>({}, {
    defineProperty(table, name, descriptor) {
      const done = Reflect.defineProperty(table, name, descriptor);
      changed();
      return done;
    },
    deleteProperty(table, name) {
      const done = Reflect.deleteProperty(table, name);
      changed();
      return done;
    },
  });
}

/** Wraps an item so that each write to it is reported. */
export function watched<T extends object>(thing: T, changed: () => void): T {
  return new Proxy(thing, {
    defineProperty(target, name, descriptor) {
      const done = Reflect.defineProperty(target, name, descriptor);
      changed();
      return done;
    },
  });
}

/** The item with a name; inherited members of objects do not count. */
export function find<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Stores an item under any name, even one that objects inherit. */
export function put<T>(table: Record<string, T>, name: string, thing: T): void {
  Object.defineProperty(table, name, { value: thing, writable: true, enumerable: true, configurable: true });
}

/** Moves an item to another name, or removes it if the name is `null`. */
export function move<T>(table: Record<string, T>, old: string, name: string | null | undefined, thing: T): void {
  if (name === undefined || name === old) return;
  delete table[old];
  if (name) put(table, name, thing);
}

/** Copies the members that are not `undefined`. */
export function assign<T extends object>(thing: T, updates: Partial<T>): void {
  for (const name of Object.keys(updates) as (keyof T)[]) {
    if (updates[name] !== undefined) thing[name] = updates[name]!;
  }
}
