/**
 * Bearer tokens of requests, without any web framework. Owns: reading, judging, and what
 * is answered to a bad one. Must not know: who verifies tokens, and how.
 */
import type { AuthInfo } from '../../server/auth/types';
import { OAuthError, OAuthErrorCode } from './oauth-error';

/** What knows tokens. */
export interface OAuthTokenVerifier {
  /** What a token stands for. Throws an `OAuthError` if it is not valid. */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}

/** What is asked of a token. */
export interface BearerAuthOptions {
  /** What knows tokens. */
  verifier: OAuthTokenVerifier;
  /** Scopes it has to have, all of them. */
  requiredScopes?: string[];
  /** Where a client finds out who gives tokens; goes into the challenge. */
  resourceMetadataUrl?: string;
}

/** The same, with the resource a token has to be for. */
export interface VerifyBearerTokenOptions extends BearerAuthOptions {
  /** This server, as tokens name it. */
  expectedResource?: URL;
}

/** Two names of a resource are the same without fragment and last slash. */
function comparable(resource: URL | string): string {
  return String(resource).split('#', 1)[0]!.replace(/\/$/, '');
}

function tokenOf(header: string | null | undefined): string {
  if (!header) throw new OAuthError(OAuthErrorCode.InvalidToken, 'Missing Authorization header');
  const [type, token] = header.split(' ');
  if (type?.toLowerCase() === 'bearer' && token) return token;
  throw new OAuthError(OAuthErrorCode.InvalidToken, "Invalid Authorization header format, expected 'Bearer TOKEN'");
}

/**
 * What the token in an `Authorization` header stands for.
 *
 * @throws OAuthError which `bearerAuthChallengeResponse` turns into an answer.
 */
export async function verifyBearerToken(
  authorizationHeader: string | null | undefined,
  options: VerifyBearerTokenOptions,
): Promise<AuthInfo> {
  const { verifier, requiredScopes = [], expectedResource, resourceMetadataUrl } = options;
  const info = await verifier.verifyAccessToken(tokenOf(authorizationHeader));
  const wrong = (code: OAuthErrorCode, words: string): never => {
    throw new OAuthError(code, words);
  };
  if (expectedResource !== undefined && (!info.resource || comparable(info.resource) !== comparable(expectedResource))) {
    wrong(OAuthErrorCode.InvalidToken, 'Token was not issued for this resource');
  }
  if (!requiredScopes.every((scope) => info.scopes.includes(scope))) {
    wrong(OAuthErrorCode.InsufficientScope, 'Insufficient scope');
  }
  if (typeof info.expiresAt !== 'number' || Number.isNaN(info.expiresAt)) {
    wrong(OAuthErrorCode.InvalidToken, 'Token has no expiration time');
  }
  if (info.expiresAt! < Date.now() / 1000) wrong(OAuthErrorCode.InvalidToken, 'Token has expired');
  const known = (info as { resourceMetadataUrl?: string }).resourceMetadataUrl ?? resourceMetadataUrl;
  return known === undefined ? info : ({ ...info, resourceMetadataUrl: known } as AuthInfo);
}

function quoted(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, '\\$&').replaceAll(/[^ -~]/g, ' ')}"`;
}

/** The value of a `WWW-Authenticate` header. */
export function challenge(code: string, words: string, scopes: readonly string[], metadataUrl?: string): string {
  const parts = [`error=${quoted(code)}`, `error_description=${quoted(words)}`];
  if (scopes.length > 0) parts.push(`scope=${quoted(scopes.join(' '))}`);
  if (metadataUrl) parts.push(`resource_metadata=${quoted(metadataUrl)}`);
  return `Bearer ${parts.join(', ')}`;
}

const STATUS: Record<string, number> = {
  [OAuthErrorCode.InvalidToken]: 401,
  [OAuthErrorCode.InsufficientScope]: 403,
  [OAuthErrorCode.ServerError]: 500,
};

/** What is answered to a request whose token was not good: status, challenge and reason. */
export function bearerAuthChallengeResponse(
  error: unknown,
  options: Pick<BearerAuthOptions, 'requiredScopes' | 'resourceMetadataUrl'> = {},
): Response {
  const said = error instanceof OAuthError ? error : new OAuthError(OAuthErrorCode.ServerError, 'Internal Server Error');
  const status = STATUS[said.code] ?? 400;
  const headers = new Headers();
  if (status === 401 || status === 403) {
    headers.set('WWW-Authenticate', challenge(said.code, said.message, options.requiredScopes ?? [], options.resourceMetadataUrl));
  }
  return Response.json(said.toResponseObject(), { status, headers });
}

/** A gate for requests: what the token stands for, or what to answer instead. */
export function requireBearerAuth(options: VerifyBearerTokenOptions): (request: Request) => Promise<AuthInfo | Response> {
  return async (request) => {
    try {
      // Of several values, the first.
      return await verifyBearerToken(request.headers.get('authorization')?.split(',', 1)[0], options);
    } catch (error) {
      return bearerAuthChallengeResponse(error, options);
    }
  };
}
