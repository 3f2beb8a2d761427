/**
 * The authorization server that stored values and answers belong to. Owns: the error for those of
 * another. Must not know: what is stored; how issuers are compared.
 */
import { decide, type Like } from './decisions';
import { AuthorizationServerMismatchError, IssuerMismatchError } from './flow-errors';

/** A stored value, unless it belongs to another authorization server. Without an issuer it may be used with any. */
export function ofIssuer<T extends object>(stored: T | null | undefined, issuer: string): T | undefined {
  if (!stored) return undefined;
  const { issuer: noted } = stored as { issuer?: unknown };
  if (typeof noted !== 'string') return noted === undefined || noted === null ? stored : { ...stored, issuer: undefined };
  return isSameIssuer(noted, issuer) ? stored : undefined;
}

/** Whether two texts name one authorization server. Published identifiers often lack the final slash that URLs have. */
export function isSameIssuer(one: string, other: string): boolean {
  return decide<boolean>('same_issuer', { one, other, like: 'typescript' });
}

/** The error for a client that is registered with another authorization server. */
export function boundElsewhere(stored: object, issuer: string, like: Like): Error {
  const { issuer: noted } = stored as { issuer?: string };
  if (like === 'typescript2') return new AuthorizationServerMismatchError(String(noted), issuer);
  return new Error(
    `OAuth client information is bound to authorization server ${noted} and is not presented to ${issuer}. ` +
      'Clear the stored client information, or correct `expectedIssuer`, if the authorization server has moved.',
  );
}

/**
 * Checks the issuer in an authorization response (RFC 9207). Issuers are compared as exact strings.
 *
 * @param given - The issuer in the response, and the expected one.
 * @throws {IssuerMismatchError} if it differs, or is missing although the authorization server
 * always sends it.
 */
export function validateAuthorizationResponseIssuer(given: {
  /** The `iss` parameter of the response. */
  iss: string | undefined;
  /** The issuer it must be equal to; `undefined` if that is not known. */
  expectedIssuer: string | undefined;
  /** Whether the authorization server always sends `iss`. */
  issParameterSupported: boolean | undefined;
}): void {
  const { iss, expectedIssuer: expected, issParameterSupported } = given;
  if (expected === undefined) return;
  if (decide<boolean>('redirect_issuer', { iss, expected, promised: issParameterSupported === true })) return;
  throw new IssuerMismatchError('authorization_response', expected, iss);
}
