/**
 * Bearer tokens of requests, without any web framework. Owns: reading and checking tokens, and the
 * responses to invalid ones. Must not know: who verifies tokens, and how.
 */
import type { AuthInfo } from '../../protocol/auth-info';
import { OAuthError, OAuthErrorCode } from './oauth-error';

/** Verifies access tokens. Programs implement it. */
export interface OAuthTokenVerifier {
  /** Verifies an access token and returns what is known about it; throws an `OAuthError` if the token is not valid. */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}

/** Options for checking bearer tokens. */
export interface BearerAuthOptions {
  /** Verifies access tokens. */
  verifier: OAuthTokenVerifier;
  /** The scopes that a token must have, all of them. */
  requiredScopes?: string[];
  /** The URL of the resource metadata; it is part of the challenge. */
  resourceMetadataUrl?: string;
}

/** Options for checking bearer tokens, with the resource they must be issued for. */
export interface VerifyBearerTokenOptions extends BearerAuthOptions {
  /** The URL of this server. Only tokens that were issued for it are accepted. */
  expectedResource?: URL;
}

/** The resource URL without its fragment and without a slash at its end. */
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
 * Verifies the token of an `Authorization` header and returns what is known about it.
 *
 * @throws OAuthError which `bearerAuthChallengeResponse` turns into a response.
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

/** Builds the value of a `WWW-Authenticate` header. */
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

/** Makes the response to a request without a valid token: status, challenge and reason. */
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

/**
 * Returns a function that checks a request's token: it gives what is known about the token, or the
 * response to send if it is not valid.
 */
export function requireBearerAuth(options: VerifyBearerTokenOptions): (request: Request) => Promise<AuthInfo | Response> {
  return async (request) => {
    try {
      // Only the first value counts if the header was sent several times.
      return await verifyBearerToken(request.headers.get('authorization')?.split(',', 1)[0], options);
    } catch (error) {
      return bearerAuthChallengeResponse(error, options);
    }
  };
}
