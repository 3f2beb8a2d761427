/**
 * Bearer tokens in front of an endpoint. Owns: reading the header, and how refusals are worded.
 * Must not know: how a token is verified.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { InsufficientScopeError, InvalidTokenError, OAuthError, ServerError } from '../../common/oauth/errors';
import type { OAuthTokenVerifier } from './provider';
import type { AuthInfo } from '../../protocol/auth-info';

/** Options of `requireBearerAuth`. */
export type BearerAuthMiddlewareOptions = {
  /** Verifies access tokens. */
  verifier: OAuthTokenVerifier;
  /** The scopes that a token must have, all of them. */
  requiredScopes?: string[];
  /** The URL of the resource metadata, sent to clients without a valid token in `WWW-Authenticate`. */
  resourceMetadataUrl?: string;
  /** Accepts only tokens that were issued for this resource. */
  expectedResource?: URL;
};

/** The members of a request that are used. */
interface AuthorizedRequest {
  headers: IncomingHttpHeaders;
  auth?: AuthInfo;
}

/** The members of an Express response that are used. */
interface Answering {
  set(name: string, value: string): unknown;
  status(code: number): { json(body: unknown): unknown };
}

/** The resource URL without its fragment and without one slash at its end. */
function comparable(resource: URL | string): string {
  return String(resource).replace(/#.*$/s, '').replace(/\/$/, '');
}

function tokenOf(header: string | undefined): string {
  if (!header) throw new InvalidTokenError('Missing Authorization header');
  const [scheme, token] = header.split(' ');
  if (scheme?.toLowerCase() !== 'bearer' || !token) {
    throw new InvalidTokenError("Invalid Authorization header format, expected 'Bearer TOKEN'");
  }
  return token;
}

function check(auth: AuthInfo, options: BearerAuthMiddlewareOptions): void {
  const { expectedResource, requiredScopes = [] } = options;
  if (expectedResource !== undefined) {
    const same = auth.resource !== undefined && comparable(auth.resource) === comparable(expectedResource);
    if (!same) throw new InvalidTokenError('Token was not issued for this resource');
  }
  if (!requiredScopes.every((scope) => auth.scopes.includes(scope))) {
    throw new InsufficientScopeError('Insufficient scope');
  }
  if (typeof auth.expiresAt !== 'number' || Number.isNaN(auth.expiresAt)) {
    throw new InvalidTokenError('Token has no expiration time');
  }
  if (auth.expiresAt < Date.now() / 1000) throw new InvalidTokenError('Token has expired');
}

function statusOf(error: OAuthError): number {
  if (error instanceof InvalidTokenError) return 401;
  if (error instanceof InsufficientScopeError) return 403;
  return error instanceof ServerError ? 500 : 400;
}

function challenge(error: OAuthError, options: BearerAuthMiddlewareOptions): string {
  const parts = [`error="${error.errorCode}"`, `error_description="${error.message}"`];
  const scopes = options.requiredScopes ?? [];
  if (scopes.length > 0) parts.push(`scope="${scopes.join(' ')}"`);
  if (options.resourceMetadataUrl) parts.push(`resource_metadata="${options.resourceMetadataUrl}"`);
  return `Bearer ${parts.join(', ')}`;
}

/**
 * Returns Express middleware that lets requests with a valid access token pass. It sets `req.auth`,
 * where transports find what is known about the token.
 *
 * @example
 * app.use('/mcp', requireBearerAuth({ verifier, requiredScopes: ['notes'] }));
 */
export function requireBearerAuth(
  options: BearerAuthMiddlewareOptions,
): (req: AuthorizedRequest, res: Answering, next: (error?: unknown) => void) => Promise<void> {
  return async (req, res, next) => {
    try {
      const auth = await options.verifier.verifyAccessToken(tokenOf(req.headers.authorization));
      check(auth, options);
      req.auth = auth;
      next();
    } catch (thrown) {
      const error = thrown instanceof OAuthError ? thrown : new ServerError('Internal Server Error');
      const status = statusOf(error);
      if (status === 401 || status === 403) res.set('WWW-Authenticate', challenge(error, options));
      res.status(status).json(error.toResponseObject());
    }
  };
}
