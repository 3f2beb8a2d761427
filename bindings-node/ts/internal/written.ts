/**
 * Whether methods are still those that were written here. Owns: telling so of objects and
 * of their classes, for programs put others into prototypes, to watch what is sent. Must
 * not know: what the methods do.
 */

/** Methods of a class, by their names. */
export type Written<Name extends string = string> = Readonly<Record<Name, unknown>>;

/** The methods that a class has now, before any program has seen it. */
export function written<Name extends string>(base: { prototype: { [N in Name]?: unknown } }, names: readonly Name[]): Written<Name> {
  return Object.fromEntries(names.map((name) => [name, base.prototype[name]])) as Written<Name>;
}

/** Whether an object has these methods. */
export function isAsWritten<Name extends string>(object: { [N in Name]?: unknown }, methods: Written<Name>): boolean {
  for (const name in methods) if (object[name] !== methods[name]) return false;
  return true;
}
