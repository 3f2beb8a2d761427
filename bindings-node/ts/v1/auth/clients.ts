/** Registered OAuth clients. Owns: the interface of a client store. Must not know: any implementation. */
import type { OAuthClientInformationFull } from '../../protocol/auth';

/** Stores the registered clients. Programs implement it. */
export interface OAuthRegisteredClientsStore {
  /**
   * Gets a client by id; `undefined` if it is not registered.
   * @param clientId - The id of the client.
   */
  getClient(clientId: string): OAuthClientInformationFull | undefined | Promise<OAuthClientInformationFull | undefined>;
  /**
   * Registers a client; without this function clients cannot register themselves. The client is
   * sent what it returns.
   * @param client - The metadata of the client, with its new id and secret.
   */
  registerClient?(
    client: Omit<OAuthClientInformationFull, 'client_id' | 'client_id_issued_at'>,
  ): OAuthClientInformationFull | Promise<OAuthClientInformationFull>;
}
