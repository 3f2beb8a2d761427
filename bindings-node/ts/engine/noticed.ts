/** Members that a program may set at any time. Owns: noticing it. Must not know: what follows from it. */

/** Calls `changed` whenever a member of an object of this class is set. */
export function noticed<T extends object>(prototype: T, name: keyof T & string, changed: (object: T) => void): void {
  const values = new WeakMap<T, unknown>();
  Object.defineProperty(prototype, name, {
    configurable: true,
    enumerable: true,
    get(this: T) {
      return values.get(this);
    },
    set(this: T, value: unknown) {
      values.set(this, value);
      changed(this);
    },
  });
}
