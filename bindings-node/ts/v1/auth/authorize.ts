/**
 * The authorization endpoint. Owns: which requests reach the provider, and where errors go: they
 * are shown to the user until client and redirect URI are verified, after that they go back to the
 * client. Must not know: how the user is asked.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, RequestHandler, Response } from 'express';
import { oauthError, readParams, refuse } from './answers';
import { guardedRouter, unkept, WINDOWS } from './endpoint';
import type { RateLimitOptions } from './limits';
import type { OAuthClientInformationFull } from '../../protocol/auth';
import { InvalidClientError, InvalidRequestError, type OAuthError } from '../../common/oauth/errors';
import type { OAuthServerProvider } from './provider';

/** Options of `authorizationHandler`. */
export type AuthorizationHandlerOptions = {
  /** The provider that asks the user. */
  provider: OAuthServerProvider;
  /** The rate limit of the endpoint; `false` for no limit. */
  rateLimit?: Partial<RateLimitOptions> | false;
};

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const CLIENT_RULES = { client_id: {}, redirect_uri: { optional: true, url: 'redirect_uri must be a valid URL' } };
const RULES = {
  response_type: { literal: 'code' },
  code_challenge: {},
  code_challenge_method: { literal: 'S256' },
  scope: { optional: true },
  state: { optional: true },
  resource: { optional: true, url: true as const },
};

/**
 * Whether a requested redirect URI matches a registered one: they are equal, or both are on the
 * loopback interface and differ only in the port (RFC 8252, section 7.3).
 */
export function redirectUriMatches(requested: string, registered: string): boolean {
  if (requested === registered) return true;
  if (!URL.canParse(requested) || !URL.canParse(registered)) return false;
  const [one, other] = [new URL(requested), new URL(registered)];
  if (!LOOPBACK.has(one.hostname) || !LOOPBACK.has(other.hostname)) return false;
  const parts = ['protocol', 'hostname', 'pathname', 'search'] as const;
  return parts.every((part) => one[part] === other[part]);
}

/** The redirect URI to use; throws if the requested one is not registered. */
function redirectOf(client: OAuthClientInformationFull, requested: string | undefined): string {
  if (requested !== undefined) {
    const isKnown = client.redirect_uris.some((registered) => redirectUriMatches(requested, registered));
    if (!isKnown) throw new InvalidRequestError('Unregistered redirect_uri');
    return requested;
  }
  const [only, another] = client.redirect_uris;
  if (only !== undefined && another === undefined) return only;
  throw new InvalidRequestError('redirect_uri must be specified when client has multiple registered URIs');
}

function errorRedirect(redirect: string, error: OAuthError, state: string | undefined): string {
  const url = new URL(redirect);
  url.searchParams.set('error', error.errorCode);
  url.searchParams.set('error_description', error.message);
  if (error.errorUri) url.searchParams.set('error_uri', error.errorUri);
  if (state) url.searchParams.set('state', state);
  return url.href;
}

async function clientOf(provider: OAuthServerProvider, given: unknown): Promise<[OAuthClientInformationFull, string]> {
  const { client_id, redirect_uri } = readParams(given, CLIENT_RULES);
  const client = await provider.clientsStore.getClient(client_id);
  if (!client) throw new InvalidClientError('Invalid client_id');
  return [client, redirectOf(client, redirect_uri as string | undefined)];
}

/** Returns the handler of the authorization endpoint. */
export function authorizationHandler({ provider, rateLimit }: AuthorizationHandlerOptions): RequestHandler {
  const limit = { windowMs: WINDOWS.quarter, max: 100, what: 'authorization' };
  const router = guardedRouter({ methods: ['GET', 'POST'], body: 'form', anyOrigin: false, limit }, rateLimit);
  const answer = async (req: Request, res: Response): Promise<void> => {
    const given: unknown = req.method === 'POST' ? req.body : req.query;
    let client: OAuthClientInformationFull;
    let redirectUri: string;
    try {
      [client, redirectUri] = await clientOf(provider, given);
    } catch (error) {
      return refuse(res, error);
    }
    let state: string | undefined;
    try {
      const params = readParams(given, RULES) as Partial<Record<keyof typeof RULES, string>>;
      state = params.state;
      const scopes = params.scope === undefined ? [] : params.scope.split(' ');
      const resource = params.resource ? new URL(params.resource) : undefined;
      const codeChallenge = params.code_challenge as string;
      await provider.authorize(client, { state, scopes, redirectUri, codeChallenge, resource }, res);
    } catch (error) {
      res.redirect(302, errorRedirect(redirectUri, oauthError(error), state));
    }
  };
  router.all('/', unkept(answer));
  return router;
}
