/** The token endpoint. Owns: the two grant types, and the PKCE check. Must not know: what tokens are. */
import { createHash } from 'node:crypto';
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, RequestHandler, Response } from 'express';
import { readParams, refuse } from './answers';
import { guardedRouter, unkept, WINDOWS } from './endpoint';
import type { RateLimitOptions } from './limits';
import type { OAuthClientInformationFull, OAuthTokens } from '../../protocol/auth';
import { InvalidGrantError, ServerError, UnsupportedGrantTypeError } from '../../common/oauth/errors';
import { authenticateClient } from './client-auth';
import type { OAuthServerProvider } from './provider';

/** Options of `tokenHandler`. */
export type TokenHandlerOptions = {
  /** The provider that issues tokens. */
  provider: OAuthServerProvider;
  /** The rate limit of the endpoint; `false` for no limit. */
  rateLimit?: Partial<RateLimitOptions> | false;
};

const RESOURCE = { optional: true, url: true as const };
const CODE_RULES = { code: {}, code_verifier: {}, redirect_uri: { optional: true }, resource: RESOURCE };
const REFRESH_RULES = { refresh_token: {}, scope: { optional: true }, resource: RESOURCE };

function resourceOf(resource: string | undefined): URL | undefined {
  return resource ? new URL(resource) : undefined;
}

async function forCode(provider: OAuthServerProvider, client: OAuthClientInformationFull, body: unknown): Promise<OAuthTokens> {
  const { code, code_verifier, redirect_uri, resource } = readParams(body, CODE_RULES);
  const skips = provider.skipLocalPkceValidation;
  if (!skips) {
    const challenge = await provider.challengeForAuthorizationCode(client, code);
    const proof = createHash('sha256').update(code_verifier).digest('base64url');
    if (proof !== challenge) throw new InvalidGrantError('code_verifier does not match the challenge');
  }
  return provider.exchangeAuthorizationCode(client, code, skips ? code_verifier : undefined, redirect_uri, resourceOf(resource));
}

async function forRefresh(provider: OAuthServerProvider, client: OAuthClientInformationFull, body: unknown): Promise<OAuthTokens> {
  const { refresh_token, scope, resource } = readParams(body, REFRESH_RULES) as Partial<Record<keyof typeof REFRESH_RULES, string>>;
  return provider.exchangeRefreshToken(client, refresh_token as string, scope?.split(' '), resourceOf(resource));
}

async function tokensFor(provider: OAuthServerProvider, client: OAuthClientInformationFull | undefined, body: unknown): Promise<OAuthTokens> {
  const { grant_type } = readParams(body, { grant_type: {} });
  if (!client) throw new ServerError('Internal Server Error');
  if (grant_type === 'authorization_code') return forCode(provider, client, body);
  if (grant_type === 'refresh_token') return forRefresh(provider, client, body);
  throw new UnsupportedGrantTypeError('The grant type is not supported by this authorization server.');
}

/** Returns the handler of the token endpoint. */
export function tokenHandler({ provider, rateLimit }: TokenHandlerOptions): RequestHandler {
  const limit = { windowMs: WINDOWS.quarter, max: 50, what: 'token' };
  const router = guardedRouter({ methods: ['POST'], body: 'form', anyOrigin: true, limit }, rateLimit);
  router.use(authenticateClient({ clientsStore: provider.clientsStore }));
  const answer = async (req: Request, res: Response): Promise<void> => {
    try {
      const { client } = req as { client?: OAuthClientInformationFull };
      res.status(200).json(await tokensFor(provider, client, req.body));
    } catch (error) {
      refuse(res, error);
    }
  };
  router.post('/', unkept(answer));
  return router;
}
