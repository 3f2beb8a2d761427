/**
 * Which authorization server something that a program keeps is for. Owns: comparing. Must
 * not know: what is kept.
 */

function isSame(one: string, other: string): boolean {
  const [a, b] = URL.canParse(one) && URL.canParse(other) ? [new URL(one).href, new URL(other).href] : [one, other];
  // Published identifiers often lack the slash that URLs have.
  return a === b || a === `${b}/` || `${a}/` === b;
}

/** What was kept, unless it is for another authorization server. Without a note it is for any. */
export function ofIssuer<T extends object>(stored: T | null | undefined, issuer: string): T | undefined {
  if (!stored) return undefined;
  const { issuer: noted } = stored as { issuer?: unknown };
  if (typeof noted !== 'string') return noted === undefined || noted === null ? stored : { ...stored, issuer: undefined };
  return isSame(noted, issuer) ? stored : undefined;
}

/** The error for a client that another authorization server knows. */
export function boundElsewhere(stored: object, issuer: string): Error {
  const { issuer: noted } = stored as { issuer?: string };
  return new Error(
    `OAuth client information is bound to authorization server ${noted} and is not presented to ${issuer}. ` +
      'Clear the stored client information, or correct `expectedIssuer`, if the authorization server has moved.',
  );
}
