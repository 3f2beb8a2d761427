/**
 * Surrogates without their other half, which programs make by cutting a text inside an emoji. Owns: replacing them.
 * Must not know: what a text says.
 *
 * JSON and JavaScript allow them, Unicode does not: the engine and many peers refuse the whole message.
 */

const HALF = /\p{Surrogate}/gu;

/** A backslash that is escaped itself, or a half as `JSON.stringify` writes it. */
const ESCAPED = /\\\\|\\ud[89a-f][0-9a-f]{2}/g;

/** A text with replacement characters for its halves. */
export function withoutHalves(text: string): string {
  return text.replace(HALF, '\ufffd');
}

/** The same for what `JSON.stringify` wrote. */
export function jsonWithoutHalves(text: string): string {
  if (!text.includes('\\ud')) return text;
  return text.replace(ESCAPED, (found) => (found.length === 2 ? found : '\ufffd'));
}
