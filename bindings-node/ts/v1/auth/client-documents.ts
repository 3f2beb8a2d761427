/**
 * Clients whose id is the HTTPS URL of a document about them (client id metadata documents); not in the
 * official package. Owns: that such clients are known beside those that the program stores. Must not know:
 * which documents are good, where they may be and for how long, which the engine says.
 */
import { InvalidRequestError } from '../../common/oauth/errors';
import { native, type NativeClientDocuments } from '../../engine/native';
import { OAuthClientInformationFullSchema, type OAuthClientInformationFull } from '../../protocol/auth';
import { onlyKnown } from './answers';
import type { OAuthRegisteredClientsStore } from './clients';
import { decide, oauthErrorOf } from './decisions';
import type { OAuthServerProvider } from './provider';

/** Where the documents of clients may be, besides the public internet. */
export interface ClientDocumentOptions {
  /** Whether documents may be on this machine, also without TLS: for development. Default: false. */
  thisMachine?: boolean;
  /** Whether documents may be in private networks. Default: false. */
  privateNetworks?: boolean;
}

/** A client that its document describes. */
export interface DocumentClient {
  /** What the document says. Anybody can publish one with any `client_name`. */
  client: OAuthClientInformationFull;
  /** The host of the client's id, which users have to be shown. */
  host: string;
}

/** What the engine says of an id. */
interface Said {
  known?: { client: object; host: string };
  refused?: { error: string; error_description?: string };
}

/**
 * Looks clients up by their documents: on the public internet, over HTTPS, without redirects and up to
 * 16 KiB. A document must name exactly its URL as `client_id`; it is kept as long as its `Cache-Control`
 * says, 5 minutes if it says nothing, 24 hours at most. `mcpAuthRouter` has one of these if it is given
 * `clientDocumentOptions`.
 *
 * @example
 * const documents = new ClientDocuments();
 * const known = await documents.client('https://editor.example/client.json');
 */
export class ClientDocuments {
  readonly #engine: NativeClientDocuments;

  /**
   * @param options - Where documents may be. Default: on the public internet.
   */
  constructor(options: ClientDocumentOptions = {}) {
    const { thisMachine: this_machine, privateNetworks: private_networks } = options;
    this.#engine = new native.ClientDocuments(JSON.stringify({ this_machine, private_networks }));
  }

  /**
   * Returns the client of an id; `undefined` if the id is no URL.
   * @param clientId - The id.
   * @throws {OAuthError} if the id or its document is not valid: `invalid_request`; if the document cannot
   *   be had now: `temporarily_unavailable`.
   */
  async client(clientId: string): Promise<DocumentClient | undefined> {
    if (!decide<boolean>('names_document', { client_id: clientId })) return undefined;
    const { known, refused } = JSON.parse(await this.#engine.client(clientId)) as Said;
    if (!known) throw oauthErrorOf(refused!.error, refused!.error_description ?? '');
    const read = OAuthClientInformationFullSchema.safeParse(known.client);
    if (!read.success) {
      const members = new Set(read.error.issues.map(({ path }) => path.join('.')));
      throw new InvalidRequestError(`client_id: its document is not valid: ${[...members].sort().join(', ')}`);
    }
    return { client: onlyKnown(OAuthClientInformationFullSchema, read.data), host: known.host };
  }
}

const HOSTS = new WeakMap<OAuthClientInformationFull, string>();

/** The host that users have to be shown, if the client is known by its document. */
export function hostOf(client: OAuthClientInformationFull): string | undefined {
  return HOSTS.get(client);
}

function storeWith(documents: ClientDocuments, store: OAuthRegisteredClientsStore): OAuthRegisteredClientsStore {
  const getClient = async (clientId: string): Promise<OAuthClientInformationFull | undefined> => {
    const stored = await store.getClient(clientId);
    if (stored) return stored;
    const known = await documents.client(clientId);
    if (known) HOSTS.set(known.client, known.host);
    return known?.client;
  };
  return { getClient };
}

/**
 * The provider, which also knows clients by their documents. Its methods run on the program's own object,
 * which may have private members.
 */
export function withDocuments(provider: OAuthServerProvider, options: ClientDocumentOptions): OAuthServerProvider {
  const documents = new ClientDocuments(options);
  const get = (_: object, name: string | symbol): unknown => {
    if (name === 'clientsStore') return storeWith(documents, provider.clientsStore);
    const value: unknown = Reflect.get(provider, name);
    return typeof value === 'function' ? (value.bind(provider) as unknown) : value;
  };
  // Not a proxy of the provider itself: it may be frozen, and its methods could not be bound then.
  return new Proxy({}, { get }) as OAuthServerProvider;
}
