/**
 * The endpoint for dynamic client registration. Owns: the documents. Must not know: where clients are
 * stored; their ids and secrets, which the engine makes.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { Request, RequestHandler, Response } from 'express';
import { onlyKnown, refuse } from './answers';
import { decide } from './decisions';
import { guardedRouter, unkept, WINDOWS } from './endpoint';
import type { RateLimitOptions } from './limits';
import { OAuthClientMetadataSchema, type OAuthClientInformationFull } from '../../protocol/auth';
import type { OAuthRegisteredClientsStore } from './clients';
import { InvalidClientMetadataError } from '../../common/oauth/errors';

/** Options of `clientRegistrationHandler`. */
export type ClientRegistrationHandlerOptions = {
  /** Where clients are stored. */
  clientsStore: OAuthRegisteredClientsStore;
  /** How long a client secret is valid, in seconds. Default: 30 days; 0 means without limit. */
  clientSecretExpirySeconds?: number;
  /** The rate limit of the endpoint; `false` for no limit. Default: 20 requests of each client in an hour. */
  rateLimit?: Partial<RateLimitOptions> | false;
  /** Whether the handler makes the client ids; if `false`, the store does. Default: true. */
  clientIdGeneration?: boolean;
};

/** What a client gets. */
interface Given {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_secret: string | null;
  readonly client_secret_expires_at: number | null;
}

const THIRTY_DAYS = 30 * 24 * 60 * 60;

/**
 * Returns the handler of the registration endpoint.
 *
 * @throws if the store does not support registration.
 */
export function clientRegistrationHandler({
  clientsStore,
  clientSecretExpirySeconds = THIRTY_DAYS,
  rateLimit,
  clientIdGeneration = true,
}: ClientRegistrationHandlerOptions): RequestHandler {
  if (!clientsStore.registerClient) throw new Error('Client registration store does not support registering clients');
  const limit = { windowMs: WINDOWS.hour, max: 20, what: 'client registration' };
  const router = guardedRouter({ methods: ['POST'], body: 'json', anyOrigin: true, limit }, rateLimit);
  const answer = async (req: Request, res: Response): Promise<void> => {
    try {
      const parsed = OAuthClientMetadataSchema.safeParse(req.body);
      if (!parsed.success) throw new InvalidClientMetadataError(parsed.error.message);
      const { token_endpoint_auth_method } = parsed.data;
      const wanted = { token_endpoint_auth_method };
      const given = decide<Given>('register_client', { wanted, secret_expiry: clientSecretExpirySeconds });
      const client = {
        ...onlyKnown(OAuthClientMetadataSchema, parsed.data),
        client_secret: given.client_secret ?? undefined,
        client_secret_expires_at: given.client_secret_expires_at ?? undefined,
        ...(clientIdGeneration ? { client_id: given.client_id, client_id_issued_at: given.client_id_issued_at } : {}),
      };
      res.status(201).json(await clientsStore.registerClient?.(client as OAuthClientInformationFull));
    } catch (error) {
      refuse(res, error);
    }
  };
  router.post('/', unkept(answer));
  return router;
}
