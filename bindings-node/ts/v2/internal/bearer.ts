/**
 * Bearer tokens of requests, without any web framework. Owns: who is asked, and responses to invalid
 * tokens. Must not know: how tokens are verified; what is refused and how, which the engine says.
 */
import { grantOf, noteGrant } from '../../engine/http/grants';
import { Bearer, type BearerOptions } from '../../common/oauth/bearer';
import type { AuthInfo } from '../../protocol/auth-info';
import { OAuthError, OAuthErrorCode } from './oauth-error';

/** Verifies access tokens. Programs implement it. */
export interface OAuthTokenVerifier {
  /**
   * Verifies an access token and returns what is known about it; throws an `OAuthError` if the
   * token is not valid.
   * @param token - The token as it was sent.
   */
  verifyAccessToken(token: string): Promise<AuthInfo>;
}

/** Options for checking bearer tokens. */
export interface BearerAuthOptions {
  /** Verifies access tokens. */
  verifier: OAuthTokenVerifier;
  /** The scopes that a token must have, all of them. Default: none. */
  requiredScopes?: string[];
  /** The URL of the resource metadata, sent in the challenge. Default: it is not sent. */
  resourceMetadataUrl?: string;
}

/** Options for checking bearer tokens, with the resource they must be issued for. */
export interface VerifyBearerTokenOptions extends BearerAuthOptions {
  /** The URL of this server. Only tokens that were issued for it are accepted. Default: tokens for any resource are. */
  expectedResource?: URL;
}

const KEPT = new WeakMap<object, Bearer>();

/** The rules for options; read once for each object. */
function rulesOf(options: BearerOptions): Bearer {
  let bearer = KEPT.get(options);
  if (bearer === undefined) {
    bearer = new Bearer('typescript2', options, (code, text) => new OAuthError(code, text));
    KEPT.set(options, bearer);
  }
  return bearer;
}

/**
 * Verifies the token of an `Authorization` header and returns what is known about it.
 *
 * @param authorizationHeader - The value of the header.
 * @param options - The verifier and the required scopes.
 * @throws OAuthError which `bearerAuthChallengeResponse` turns into a response.
 */
export async function verifyBearerToken(
  authorizationHeader: string | null | undefined,
  options: VerifyBearerTokenOptions,
): Promise<AuthInfo> {
  const rules = rulesOf(options);
  const info = await options.verifier.verifyAccessToken(rules.token(authorizationHeader));
  rules.check(info);
  const known = (info as { resourceMetadataUrl?: string }).resourceMetadataUrl ?? options.resourceMetadataUrl;
  const grant = { ...grantOf(info), required: options.requiredScopes, metadata_url: known };
  return noteGrant(known === undefined ? info : ({ ...info, resourceMetadataUrl: known } as AuthInfo), grant);
}

/** Builds the value of a `WWW-Authenticate` header for scopes that one operation needs. */
export function challenge(words: string, scopes: readonly string[], resourceMetadataUrl?: string): string {
  return rulesOf({ resourceMetadataUrl }).challenge(words, scopes);
}

/**
 * Makes the response to a request without a valid token: status, challenge and reason.
 * @param error - The reason for the refusal.
 * @param options - The required scopes, and the URL of the resource's metadata.
 */
export function bearerAuthChallengeResponse(
  error: unknown,
  options: Pick<BearerAuthOptions, 'requiredScopes' | 'resourceMetadataUrl'> = {},
): Response {
  const said = error instanceof OAuthError ? error : new OAuthError(OAuthErrorCode.ServerError, 'Internal Server Error');
  const body = said.toResponseObject();
  const { status, headers } = rulesOf(options).answer(body);
  return Response.json(body, { status, headers });
}

/**
 * Returns a function that checks the token of a request: it resolves to the verifier's `AuthInfo`, or to the
 * response to send if the token is missing or not valid.
 * @param options - The verifier, the required scopes, and the URL of the resource's metadata.
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
