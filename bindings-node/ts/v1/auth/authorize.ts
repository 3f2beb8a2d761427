/**
 * The authorization endpoint. Owns: who is asked, and where errors go: they are shown to the user until
 * client and redirect URI are verified, after that they go back to the client. Must not know: which
 * requests are valid, which the engine says; how the user is asked.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, RequestHandler, Response } from 'express';
import { oauthError, refuse } from './answers';
import { hostOf } from './client-documents';
import { decide } from './decisions';
import { guardedRouter, unkept, WINDOWS } from './endpoint';
import type { RateLimitOptions } from './limits';
import type { OAuthClientInformationFull } from '../../protocol/auth';
import { InvalidClientError, type OAuthError } from '../../common/oauth/errors';
import type { OAuthServerProvider } from './provider';

/** Options of `authorizationHandler`. */
export type AuthorizationHandlerOptions = {
  /** The provider that asks the user. */
  provider: OAuthServerProvider;
  /** The rate limit of the endpoint; `false` for no limit. Default: 100 requests of each client in 15 minutes. */
  rateLimit?: Partial<RateLimitOptions> | false;
  /**
   * The issuer, which redirects back to the client then name as `iss` (RFC 9207). Default: they name none, and
   * the metadata must not have `authorization_response_iss_parameter_supported`.
   */
  issuerUrl?: URL;
};

/** A valid request, as the engine reads it. */
interface Asked {
  readonly code_challenge: string;
  readonly state: string | null;
  readonly scope: string | null;
  readonly resource: string | null;
}

/**
 * Whether a requested redirect URI matches a registered one: they are equal, or both are on the
 * loopback interface and differ only in the port (RFC 8252, section 7.3).
 * @param requested - The URI of the request.
 * @param registered - A registered URI.
 */
export function redirectUriMatches(requested: string, registered: string): boolean {
  return decide<boolean>('redirect_matches', { requested, registered });
}

function errorRedirect(redirect: string, error: OAuthError, state: string | undefined, issuer: string | undefined): string {
  const url = new URL(redirect);
  url.searchParams.set('error', error.errorCode);
  url.searchParams.set('error_description', error.message);
  if (error.errorUri) url.searchParams.set('error_uri', error.errorUri);
  if (state) url.searchParams.set('state', state);
  if (issuer) url.searchParams.set('iss', issuer);
  return url.href;
}

/** The response, so that a redirect back to the client names the issuer. */
function naming(res: Response, redirect_uri: string, issuer: string | undefined): Response {
  if (issuer === undefined) return res;
  const redirect = res.redirect.bind(res) as (...given: unknown[]) => void;
  const named = (to: unknown): unknown => (typeof to === 'string' ? decide<string>('with_issuer', { location: to, redirect_uri, issuer }) : to);
  res.redirect = (...given: unknown[]) => redirect(...given.map(named));
  return res;
}

async function clientOf(provider: OAuthServerProvider, form: unknown): Promise<[OAuthClientInformationFull, string]> {
  const { client_id, redirect_uri: requested } = decide<{ client_id: string; redirect_uri: string | null }>('authorize_client', { form });
  const client = await provider.clientsStore.getClient(client_id);
  if (!client) throw new InvalidClientError('Invalid client_id');
  return [client, decide<string>('redirect_choice', { registered: client.redirect_uris, requested })];
}

/** Returns Express middleware for the authorization endpoint. */
export function authorizationHandler({ provider, rateLimit, issuerUrl }: AuthorizationHandlerOptions): RequestHandler {
  const limit = { windowMs: WINDOWS.quarter, max: 100, what: 'authorization' };
  const router = guardedRouter({ methods: ['GET', 'POST'], body: 'form', anyOrigin: false, limit }, rateLimit);
  const issuer = issuerUrl?.href;
  const answer = async (req: Request, res: Response): Promise<void> => {
    const form: unknown = req.method === 'POST' ? req.body : req.query;
    let client: OAuthClientInformationFull;
    let redirectUri: string;
    try {
      [client, redirectUri] = await clientOf(provider, form);
    } catch (error) {
      return refuse(res, error);
    }
    let state: string | undefined;
    try {
      const asked = decide<Asked>('authorize_request', { form });
      state = asked.state ?? undefined;
      const scopes = asked.scope === null ? [] : asked.scope.split(' ');
      const resource = asked.resource ? new URL(asked.resource) : undefined;
      const clientHost = hostOf(client);
      const told = { ...(issuer && { issuer }), ...(clientHost && { clientHost }) };
      const params = { state, scopes, redirectUri, codeChallenge: asked.code_challenge, resource, ...told };
      await provider.authorize(client, params, naming(res, redirectUri, issuer));
    } catch (error) {
      res.redirect(302, errorRedirect(redirectUri, oauthError(error), state, issuer));
    }
  };
  router.all('/', unkept(answer));
  return router;
}
