/**
 * Results of tools that are objects of a program's own class. Owns: which of their members are sent. Must not
 * know: who sends them.
 */

/** The members of a result that may be getters of its class. */
const MEMBERS = ['content', 'structuredContent', 'isError', '_meta'] as const;

/**
 * A result of which `JSON.stringify` writes all members: it leaves out those of a class. Plain objects and those
 * that say themselves how they are written are returned as they are.
 */
export function plainResult(result: unknown): unknown {
  if (typeof result !== 'object' || result === null) return result;
  const base: unknown = Object.getPrototypeOf(result);
  if (base === Object.prototype || base === null) return result;
  const given = result as Record<string, unknown>;
  if (typeof given['toJSON'] === 'function') return result;
  let plain: Record<string, unknown> | undefined;
  for (const name of MEMBERS) {
    if (!(name in given) || Object.prototype.propertyIsEnumerable.call(given, name)) continue;
    plain ??= { ...given };
    plain[name] = given[name];
  }
  return plain ?? result;
}
