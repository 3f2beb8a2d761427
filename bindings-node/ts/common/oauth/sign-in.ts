/**
 * Signing in with a browser, in one line: `auth: 'oauth'` of a transport. Not in the official packages.
 *
 * Owns: the parts that are usual for a program with a user. Must not know: how they work.
 */
import { join } from 'node:path';
import type { OAuthClientInformationMixed, OAuthClientMetadata, OAuthTokens } from '../../protocol/auth';
import type { FetchLike } from '../../protocol/transport';
import { defaultFolder, FileTokenStorage } from './file-storage';
import { OAuthClientFlowError } from './flow-errors';
import { LoopbackRedirect, type LoopbackRedirectOptions } from './loopback';
import type { OAuthClientProvider, ProofOfPossession } from './provider';
import { signOut } from './sign-out';

const NAME = 'mcpbolt';

/** Options of an `OAuth`. */
export interface OAuthOptions {
  /**
   * The folder for tokens and credentials, see `FileTokenStorage`. Default: one for each name of a client;
   * that of `mcpbolt` is the one that the program of this name uses.
   */
  folder?: string;
  /** The port that the browser comes back to, and what opens it. Default: a free port, and that of the system. */
  redirect?: LoopbackRedirectOptions;
  /** The scopes to ask for where the server names none, separated by spaces. Default: none. */
  scope?: string;
  /**
   * An HTTPS URL with the client's metadata, used as its client id by servers that support this instead of
   * registration. Default: none.
   */
  clientMetadataUrl?: string;
  /**
   * The key to bind tokens to, a `DpopSession`, if the authorization server supports it (RFC 9449; a draft
   * for the protocol, SEP-1932). Default: none.
   */
  dpop?: ProofOfPossession;
}

/**
 * Signs the user in where a server wants a token: opens the browser, receives its answer on a port of this
 * machine, and stores tokens in a file. Requests wait meanwhile. Pass it to a transport as `auth`;
 * `auth: 'oauth'` is short for `auth: new OAuth()`. For other parts, write an `OAuthClientProvider`.
 *
 * @example
 * ```ts
 * const transport = new StreamableHTTPClientTransport('https://mcp.example.com/mcp', { auth: new OAuth('Example') });
 * await client.connect(transport);
 * ```
 */
export class OAuth {
  /** The name of this program, which users see when they are asked. */
  readonly clientName: string;
  readonly #options: OAuthOptions;

  /**
   * Creates the parts for any number of servers. Nothing happens before a server wants a token.
   * @param clientName - The name of this program, which users see when they are asked. Default: `mcpbolt`.
   * @param options - The folder, the browser and so on. Default: none.
   */
  constructor(clientName: string = NAME, options: OAuthOptions = {}) {
    this.clientName = clientName;
    this.#options = options;
  }

  /**
   * Makes the provider for one server, for `authProvider` of a transport or for `auth`.
   * @param serverUrl - The URL of the MCP server's endpoint.
   * @throws {OAuthClientFlowError} If `serverUrl` is no URL of a server.
   */
  provider(serverUrl: string | URL): OAuthClientProvider {
    const { folder = ownFolder(this.clientName), ...options } = this.#options;
    return new SignIn(this.clientName, new FileTokenStorage(serverUrl, folder), options);
  }

  /**
   * Forgets the tokens for one server, then has the authorization server revoke them, if it offers that
   * (RFC 7009). The client stays registered; the next request signs in anew.
   * @param serverUrl - The URL of the MCP server's endpoint.
   * @param options - `fetchFn` sends the requests. Default: the global `fetch`.
   * @throws if a token was not revoked. It is forgotten all the same.
   */
  async signOut(serverUrl: string | URL, options: { fetchFn?: FetchLike } = {}): Promise<void> {
    await signOut(this.provider(serverUrl), { serverUrl, ...options });
  }
}

/** Programs with names of their own are clients of their own; in Python their folders have the same names. */
function ownFolder(name: string): string {
  if (name === NAME) return defaultFolder();
  const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
  return join(defaultFolder(), encodeURIComponent(name).replace(/[!'()*]/g, escaped).replaceAll('%20', ' '));
}

/** The provider for one server. */
class SignIn implements OAuthClientProvider {
  readonly clientMetadataUrl?: string;
  readonly dpop?: () => ProofOfPossession;
  readonly #name: string;
  readonly #scope: string | undefined;
  readonly #storage: FileTokenStorage;
  readonly #redirect: LoopbackRedirect;
  /** What the file had when it was read last; requests do not wait for the disk. */
  #tokens: Promise<OAuthTokens | undefined> | undefined;
  /** Whether the authorization server does not know the stored client any more. */
  #isSpent = false;

  constructor(name: string, storage: FileTokenStorage, { redirect, scope, clientMetadataUrl, dpop }: OAuthOptions) {
    this.#name = name;
    this.#storage = storage;
    this.#redirect = new LoopbackRedirect(redirect);
    this.#scope = scope;
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl;
    if (dpop !== undefined) this.dpop = () => dpop;
  }

  get redirectUrl(): string {
    return this.#redirect.listen();
  }

  get clientMetadata(): OAuthClientMetadata {
    return { client_name: this.#name, redirect_uris: [this.redirectUrl], ...(this.#scope !== undefined && { scope: this.#scope }) };
  }

  async clientInformation(): Promise<OAuthClientInformationMixed | undefined> {
    return this.#isSpent ? undefined : this.#storage.clientInformation();
  }

  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    await this.#storage.saveClientInformation(client);
    this.#isSpent = false;
  }

  tokens(): Promise<OAuthTokens | undefined> {
    const reading = (this.#tokens ??= this.#storage.tokens());
    // A file that could not be read is read again.
    reading.catch(() => this.#tokens === reading && (this.#tokens = undefined));
    return reading;
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    await this.#storage.saveTokens(tokens);
    this.#tokens = undefined;
  }

  async invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): Promise<void> {
    // Another client takes the place of this one when it has registered.
    if (scope === 'all' || scope === 'client') this.#isSpent = true;
    if (scope === 'all' || scope === 'tokens') await this.saveTokens({ access_token: '', token_type: 'Bearer' });
  }

  redirectToAuthorization(url: URL): Promise<void> {
    return this.#redirect.show(url);
  }

  waitForRedirect(): Promise<URL> {
    return this.#redirect.wait();
  }

  saveCodeVerifier(): void {
    throw endsByItself();
  }

  codeVerifier(): string {
    throw endsByItself();
  }

  /** Waits for the user no more: nobody wants the tokens. */
  giveUp(): void {
    this.#redirect.close();
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#storage.exclusively(async () => {
      this.#tokens = undefined;
      try {
        return await work();
      } finally {
        this.#redirect.close();
      }
    });
  }
}

function endsByItself(): Error {
  return new OAuthClientFlowError('This sign-in ends by itself, without `finishAuth`; await `connect` of the client');
}
