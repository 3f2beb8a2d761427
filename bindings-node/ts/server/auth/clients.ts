/** Who may ask an authorization server. Owns: the contract of a store of clients. Must not know: any store. */
import type { OAuthClientInformationFull } from '../../shared/auth';

/** Knows the clients that are registered. */
export interface OAuthRegisteredClientsStore {
  /** A client, if it is registered. */
  getClient(clientId: string): OAuthClientInformationFull | undefined | Promise<OAuthClientInformationFull | undefined>;
  /** Registers a client, if clients may register themselves. What it returns is what the client is told. */
  registerClient?(
    client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>,
  ): OAuthClientInformationFull | Promise<OAuthClientInformationFull>;
}
