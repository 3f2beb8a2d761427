/** The authorization server that stored values belong to. Owns: comparing issuers. Must not know: what is stored. */

function isSame(one: string, other: string): boolean {
  const [a, b] = URL.canParse(one) && URL.canParse(other) ? [new URL(one).href, new URL(other).href] : [one, other];
  // Published identifiers often lack the final slash that URLs have.
  return a === b || a === `${b}/` || `${a}/` === b;
}

/** A stored value, unless it belongs to another authorization server. Without an issuer it may be used with any. */
export function ofIssuer<T extends object>(stored: T | null | undefined, issuer: string): T | undefined {
  if (!stored) return undefined;
  const { issuer: noted } = stored as { issuer?: unknown };
  if (typeof noted !== 'string') return noted === undefined || noted === null ? stored : { ...stored, issuer: undefined };
  return isSame(noted, issuer) ? stored : undefined;
}

/** The error for a client that is registered with another authorization server. */
export function boundElsewhere(stored: object, issuer: string): Error {
  const { issuer: noted } = stored as { issuer?: string };
  return new Error(
    `OAuth client information is bound to authorization server ${noted} and is not presented to ${issuer}. ` +
      'Clear the stored client information, or correct `expectedIssuer`, if the authorization server has moved.',
  );
}
