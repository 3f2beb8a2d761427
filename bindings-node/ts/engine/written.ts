/**
 * Whether methods are still the original ones. Owns: checking objects and their classes, because
 * programs replace methods of prototypes, too, to watch what is sent. Must not know: what the
 * methods do.
 */

/** Methods of a class by name. */
export type Written<Name extends string = string> = Readonly<Record<Name, unknown>>;

/** The current methods of a class; called before a program can have replaced any. */
export function written<Name extends string>(base: { prototype: { [N in Name]?: unknown } }, names: readonly Name[]): Written<Name> {
  return Object.fromEntries(names.map((name) => [name, base.prototype[name]])) as Written<Name>;
}

/** Whether an object has the original methods. */
export function isAsWritten<Name extends string>(object: { [N in Name]?: unknown }, methods: Written<Name>): boolean {
  for (const name in methods) if (object[name] !== methods[name]) return false;
  return true;
}
