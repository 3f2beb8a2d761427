/**
 * What tokens allow, as the engine is told of it. Owns: what was noted for a verified token. Must not
 * know: how a token is verified, what needs which scope.
 */
import type { AuthInfo } from '../../protocol/auth-info';

/** What a token allows, and what a challenge for more says beside the scopes. */
export interface Grant {
  /** The scopes that it has, those that they stand for among them. */
  readonly scopes: readonly string[];
  /** The scopes that every request needs. */
  readonly required?: readonly string[] | undefined;
  /** Where the server's metadata are. */
  readonly metadata_url?: string | undefined;
}

const NOTED = new WeakMap<AuthInfo, Grant>();

/** Notes what a middleware knows of a token beside its scopes; returns the same token. */
export function noteGrant(auth: AuthInfo, known: Partial<Grant>): AuthInfo {
  const { scopes, required = [], metadata_url } = grantOf(auth) as Grant;
  // A verifier may give the same object for each request with a token.
  const all = [...new Set([...required, ...(known.required ?? [])])];
  NOTED.set(auth, { scopes: known.scopes ?? scopes, required: all, metadata_url: known.metadata_url ?? metadata_url });
  return auth;
}

/** What a token allows; `undefined` without a token. */
export function grantOf(auth: AuthInfo | undefined): Grant | undefined {
  if (auth === undefined) return undefined;
  const { resourceMetadataUrl: metadata_url } = auth as { resourceMetadataUrl?: string };
  return NOTED.get(auth) ?? { scopes: auth.scopes ?? [], metadata_url };
}

/** Whether the value of `Authorization` says that a proof of possession goes with the token. */
export function isBound(authorization: string | undefined): boolean {
  return authorization !== undefined && /^dpop /i.test(authorization);
}
