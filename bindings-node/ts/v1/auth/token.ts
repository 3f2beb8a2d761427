/** The token endpoint. Owns: who is asked. Must not know: what tokens are; which requests are valid, which the engine says. */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, RequestHandler, Response } from 'express';
import { refuse } from './answers';
import { decide } from './decisions';
import { guardedRouter, unkept, WINDOWS } from './endpoint';
import type { RateLimitOptions } from './limits';
import type { OAuthClientInformationFull, OAuthTokens } from '../../protocol/auth';
import { ServerError } from '../../common/oauth/errors';
import { authenticateClient } from './client-auth';
import type { OAuthServerProvider } from './provider';

/** Options of `tokenHandler`. */
export type TokenHandlerOptions = {
  /** The provider that issues tokens. */
  provider: OAuthServerProvider;
  /** The rate limit of the endpoint; `false` for no limit. Default: 50 requests of each client in 15 minutes. */
  rateLimit?: Partial<RateLimitOptions> | false;
};

/** A valid request, as the engine reads it. */
interface Asked {
  readonly grant_type: string;
  readonly code: string;
  readonly code_verifier: string;
  readonly refresh_token: string;
  readonly assertion: string;
  readonly redirect_uri?: string;
  readonly scope?: string;
  readonly resource?: string;
}

async function tokensFor(provider: OAuthServerProvider, client: OAuthClientInformationFull | undefined, form: unknown): Promise<OAuthTokens> {
  const assertions = Boolean(provider.exchangeIdentityAssertion);
  const asked = decide<Asked>('read_token_request', { form, assertions });
  if (!client) throw new ServerError('Internal Server Error');
  const resource = asked.resource ? new URL(asked.resource) : undefined;
  if (asked.grant_type === 'refresh_token') {
    return provider.exchangeRefreshToken(client, asked.refresh_token, asked.scope?.split(' '), resource);
  }
  if (asked.assertion) {
    decide('check_assertion_grant', { enabled: assertions, confidential: Boolean(client.client_secret) });
    const { assertion, scope } = asked;
    return provider.exchangeIdentityAssertion!(client, { assertion, scopes: scope?.split(' '), resource });
  }
  const { code, code_verifier: verifier, redirect_uri: redirect } = asked;
  const skips = provider.skipLocalPkceValidation;
  if (!skips) decide('check_verifier', { verifier, challenge: await provider.challengeForAuthorizationCode(client, code) });
  return provider.exchangeAuthorizationCode(client, code, skips ? verifier : undefined, redirect, resource);
}

/** Returns Express middleware for the token endpoint. */
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
