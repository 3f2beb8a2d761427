/**
 * Numbers that JSON cannot represent. Owns: finding them in structured content, where JSON would
 * turn them into `null`. Must not know: tools.
 */

/** Describes the first number that is not finite; `undefined` if all are. */
export function notFinite(value: unknown, where = 'structuredContent'): string | undefined {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return undefined;
    return `${where} is ${value}: JSON has no such number; use null or text in its place`;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, part] of Object.entries(value)) {
    const wrong = notFinite(part, isList ? `${where}[${key}]` : `${where}.${key}`);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
