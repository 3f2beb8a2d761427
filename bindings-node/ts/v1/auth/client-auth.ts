/** Client authentication. Owns: the check of the client secret. Must not know: what clients request. */
import { timingSafeEqual } from 'node:crypto';
import { readParams, refuse, type Answering } from './answers';
import type { OAuthClientInformationFull } from '../../protocol/auth';
import type { OAuthRegisteredClientsStore } from './clients';
import { InvalidClientError } from '../../common/oauth/errors';

/** Options of `authenticateClient`. */
export type ClientAuthenticationMiddlewareOptions = {
  /** The registered clients. */
  clientsStore: OAuthRegisteredClientsStore;
};

/** A request with a parsed body; the middleware adds the client. */
interface ClientRequest {
  body?: unknown;
  client?: OAuthClientInformationFull;
}

const RULES = { client_id: {}, client_secret: { optional: true } };

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function checkSecret(client: OAuthClientInformationFull, secret: string | undefined): void {
  if (!client.client_secret) return;
  if (!secret) throw new InvalidClientError('Client secret is required');
  if (!same(client.client_secret, secret)) throw new InvalidClientError('Invalid client_secret');
  const end = client.client_secret_expires_at;
  if (end && end < Math.floor(Date.now() / 1000)) throw new InvalidClientError('Client secret has expired');
}

/** Returns middleware that lets only authenticated clients pass, and sets `req.client`. */
export function authenticateClient({
  clientsStore,
}: ClientAuthenticationMiddlewareOptions): (req: ClientRequest, res: Answering, next: (error?: unknown) => void) => Promise<void> {
  return async (req, res, next) => {
    try {
      const { client_id, client_secret } = readParams(req.body, RULES);
      const client = await clientsStore.getClient(client_id);
      if (!client) throw new InvalidClientError('Invalid client_id');
      checkSecret(client, client_secret);
      req.client = client;
      next();
    } catch (error) {
      refuse(res, error);
    }
  };
}
