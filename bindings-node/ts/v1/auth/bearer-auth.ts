/**
 * Bearer tokens in front of an endpoint. Owns: who is asked, and sending refusals. Must not know: how a
 * token is verified; what is refused and how, which the engine says.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { noteGrant } from '../../engine/http/grants';
import { Bearer } from '../../common/oauth/bearer';
import { oauthError } from './answers';
import { oauthErrorOf } from './decisions';
import type { OAuthTokenVerifier } from './provider';
import type { AuthInfo } from '../../protocol/auth-info';

/** Options of `requireBearerAuth`. */
export type BearerAuthMiddlewareOptions = {
  /** Verifies access tokens. */
  verifier: OAuthTokenVerifier;
  /** The scopes that a token must have, all of them. Default: none. */
  requiredScopes?: string[];
  /** The URL of the resource metadata, sent in `WWW-Authenticate` to clients without a valid token. Default: not sent. */
  resourceMetadataUrl?: string;
  /** The URL of this server. Only tokens that were issued for it are accepted. Default: tokens for any resource are. */
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

/**
 * Returns Express middleware that lets requests with a valid access token pass. It sets `req.auth` to the
 * verifier's `AuthInfo`, which transports hand to handlers as `extra.authInfo`.
 *
 * @param options - The verifier, the required scopes, and the URL of the resource's metadata.
 * @example
 * app.use('/mcp', requireBearerAuth({ verifier, requiredScopes: ['notes'] }));
 */
export function requireBearerAuth(
  options: BearerAuthMiddlewareOptions,
): (req: AuthorizedRequest, res: Answering, next: (error?: unknown) => void) => Promise<void> {
  const bearer = new Bearer('typescript', options, oauthErrorOf);
  return async (req, res, next) => {
    try {
      const auth = await options.verifier.verifyAccessToken(bearer.token(req.headers.authorization));
      bearer.check(auth);
      req.auth = noteGrant(auth, { required: options.requiredScopes, metadata_url: options.resourceMetadataUrl });
      next();
    } catch (thrown) {
      const body = oauthError(thrown).toResponseObject();
      const { status, headers } = bearer.answer(body);
      for (const [name, value] of Object.entries(headers)) res.set(name, value);
      res.status(status).json(body);
    }
  };
}
