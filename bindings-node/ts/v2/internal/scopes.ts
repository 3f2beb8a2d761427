/**
 * Scopes that single operations require. Owns: declaring them, and the response to a request that
 * lacks them. Must not know: tools, transports.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import type { JSONRPCRequest } from '../../protocol/types';
import { challenge } from './bearer';
import { getOAuthProtectedResourceMetadataUrl } from './metadata';

/** The scopes that a request lacks, and a description. */
export interface ScopeChallenge {
  /** The scopes that the request needs. */
  scopes: readonly [string, ...string[]];
  /** A description of the problem for people. */
  errorDescription?: string;
}

/** Returns the scopes that a request lacks; `undefined` if it may pass. */
export type ScopeChallengeHandler = (context: {
  request: JSONRPCRequest;
  authInfo?: AuthInfo;
}) => ScopeChallenge | undefined | Promise<ScopeChallenge | undefined>;

const SCOPE = /^[!#-[\]-~]+$/;
const WORDS = /^[ !#-[\]-~]+$/;

function checkScope(scope: unknown, where: string): void {
  if (typeof scope !== 'string' || !SCOPE.test(scope)) throw new TypeError(`${where} must satisfy the OAuth scope-token grammar`);
}

/**
 * Requires all of these scopes. Requests without a token are not checked here; that is up to the
 * endpoint's own guard.
 * @param scopes - The scopes.
 */
export function requireScopes(...scopes: readonly [string, ...string[]]): ScopeChallengeHandler {
  if (scopes.length === 0) throw new TypeError('requireScopes must contain at least one scope');
  scopes.forEach((scope, index) => checkScope(scope, `requireScopes scope[${index}]`));
  return ({ authInfo }) => {
    if (authInfo === undefined || scopes.every((scope) => authInfo.scopes.includes(scope))) return undefined;
    return { scopes: [...scopes] as [string, ...string[]] };
  };
}

/** The response to a request that lacks scopes. */
export function scopeResponse(lacks: ScopeChallenge, authInfo: AuthInfo | undefined, id: unknown): Response {
  lacks.scopes.forEach((scope, index) => checkScope(scope, `scope challenge scopes[${index}]`));
  const words = lacks.errorDescription ?? 'Insufficient scope';
  if (!WORDS.test(words)) throw new TypeError('scope challenge errorDescription must satisfy the RFC 6750 error-description grammar');
  const known = (authInfo as { resourceMetadataUrl?: string } | undefined)?.resourceMetadataUrl;
  const url = known ?? (authInfo?.resource === undefined ? undefined : getOAuthProtectedResourceMetadataUrl(authInfo.resource));
  const body = { jsonrpc: '2.0', error: { code: -32003, message: words }, id: id ?? null };
  const headers = { 'WWW-Authenticate': challenge(words, lacks.scopes, url) };
  return Response.json(body, { status: 403, headers });
}
