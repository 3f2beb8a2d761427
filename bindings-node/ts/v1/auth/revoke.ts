/** The token revocation endpoint. Owns: reading the request. Must not know: tokens. */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, RequestHandler, Response } from 'express';
import { onlyKnown, refuse } from './answers';
import { guardedRouter, unkept, WINDOWS } from './endpoint';
import type { RateLimitOptions } from './limits';
import { OAuthTokenRevocationRequestSchema, type OAuthClientInformationFull } from '../../protocol/auth';
import { InvalidRequestError, ServerError } from '../../common/oauth/errors';
import { authenticateClient } from './client-auth';
import type { OAuthServerProvider } from './provider';

/** Options of `revocationHandler`. */
export type RevocationHandlerOptions = {
  /** The provider that revokes tokens. */
  provider: OAuthServerProvider;
  /** The rate limit of the endpoint; `false` for no limit. Default: 50 requests of each client in 15 minutes. */
  rateLimit?: Partial<RateLimitOptions> | false;
};

/**
 * Returns the handler of the revocation endpoint.
 *
 * @throws if the provider does not support revocation.
 */
export function revocationHandler({ provider, rateLimit }: RevocationHandlerOptions): RequestHandler {
  if (!provider.revokeToken) throw new Error('Auth provider does not support revoking tokens');
  const limit = { windowMs: WINDOWS.quarter, max: 50, what: 'token revocation' };
  const router = guardedRouter({ methods: ['POST'], body: 'form', anyOrigin: true, limit }, rateLimit);
  router.use(authenticateClient({ clientsStore: provider.clientsStore }));
  const answer = async (req: Request, res: Response): Promise<void> => {
    try {
      const parsed = OAuthTokenRevocationRequestSchema.safeParse(req.body);
      if (!parsed.success) throw new InvalidRequestError(parsed.error.message);
      const { client } = req as { client?: OAuthClientInformationFull };
      if (!client) throw new ServerError('Internal Server Error');
      await provider.revokeToken?.(client, onlyKnown(OAuthTokenRevocationRequestSchema, parsed.data));
      res.status(200).json({});
    } catch (error) {
      refuse(res, error);
    }
  };
  router.post('/', unkept(answer));
  return router;
}
