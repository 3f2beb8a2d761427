/** Client authentication. Owns: looking the client up. Must not know: what proves it, which the engine says. */
import { refuse, type Answering } from './answers';
import { decide } from './decisions';
import type { OAuthClientInformationFull } from '../../protocol/auth';
import type { OAuthRegisteredClientsStore } from './clients';

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

/** Returns middleware that lets only authenticated clients pass, and sets `req.client`. */
export function authenticateClient({
  clientsStore,
}: ClientAuthenticationMiddlewareOptions): (req: ClientRequest, res: Answering, next: (error?: unknown) => void) => Promise<void> {
  return async (req, res, next) => {
    try {
      const client = await clientsStore.getClient(decide<string>('named_client', { form: req.body }));
      decide('prove_client', { form: req.body, client });
      req.client = client as OAuthClientInformationFull;
      next();
    } catch (error) {
      refuse(res, error);
    }
  };
}
