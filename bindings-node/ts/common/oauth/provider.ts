/**
 * What a program provides for OAuth, and what an authorization is about. Owns: the types. Must not
 * know: how tokens are obtained.
 */
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
  OAuthTokens,
} from '../../protocol/auth';
import type { FetchLike } from '../../protocol/transport';

/** Adds a client's credentials to a token request, in its headers or its form parameters. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => void | Promise<void>;

/** The authorization server that credentials belong to; passed to providers by 2.x. */
export interface OAuthClientInformationContext {
  /** The issuer of the authorization server. */
  issuer: string;
}

/** Signs proofs that a client holds the key its tokens are bound to (RFC 9449); see `DpopSession`. */
export interface ProofOfPossession {
  /** Makes a proof for a request. */
  buildProof(request: { htm: string; htu: string | URL; accessToken?: string; nonce?: string }): Promise<string>;
  /** Remembers the nonce of a response. */
  observeNonce(response: Response, url: string | URL): void;
}

/**
 * What a program implements to authorize with OAuth: it stores the client's credentials and tokens, and
 * sends the user to the page for signing in. Pass it to a transport as `authProvider`.
 */
export interface OAuthClientProvider {
  /** The URL that the browser comes back to after signing in; `undefined` if there is no user. */
  get redirectUrl(): string | URL | undefined;
  /** An HTTPS URL with this client's metadata, used as its client id by servers that support this. Default: none. */
  clientMetadataUrl?: string;
  /** The name, redirect URLs and so on that the client registers with. */
  get clientMetadata(): OAuthClientMetadata;
  /**
   * Whether `/authorize`, `/token` and `/register` are tried at an authorization server that publishes no
   * metadata, as in 2025-03-26. Nothing says then that it checks PKCE. Default: no, such a server is refused.
   */
  assumeEndpoints?: boolean;
  /** Whether a server may have its authorization server in a private network, such as a company's. Default: no. */
  privateNetworks?: boolean;
  /** Makes a random `state` for an authorization request. Default: none is sent. */
  state?(): string | Promise<string>;
  /**
   * Returns the stored client id and secret; `undefined` before the client has registered.
   * @param ctx - The authorization server of the credentials. Default: not known (1.x).
   */
  clientInformation(
    ctx?: OAuthClientInformationContext,
  ): OAuthClientInformationMixed | undefined | Promise<OAuthClientInformationMixed | undefined>;
  /**
   * Stores the client id and secret. Without this function, the client cannot register.
   * @param clientInformation - The client's id and secret.
   * @param ctx - The authorization server of the credentials. Default: not known (1.x).
   */
  saveClientInformation?(clientInformation: OAuthClientInformationMixed, ctx?: OAuthClientInformationContext): void | Promise<void>;
  /**
   * Returns the stored tokens; `undefined` if there are none.
   * @param ctx - The authorization server of the credentials. Default: not known (1.x).
   */
  tokens(ctx?: OAuthClientInformationContext): OAuthTokens | undefined | Promise<OAuthTokens | undefined>;
  /**
   * Stores tokens, instead of earlier ones.
   * @param tokens - The tokens.
   * @param ctx - The authorization server of the credentials. Default: not known (1.x).
   */
  saveTokens(tokens: OAuthTokens, ctx?: OAuthClientInformationContext): void | Promise<void>;
  /**
   * Sends the user to the page for signing in, usually in a browser. When the browser comes back, call
   * `finishAuth` of the transport.
   * @param authorizationUrl - The URL at which the user signs in.
   */
  redirectToAuthorization(authorizationUrl: URL): void | Promise<void>;
  /**
   * Waits until the browser comes back; returns the URL that it came back to, whatever that says. With this
   * function signing in ends by itself: `finishAuth` is not needed, `state`, `saveCodeVerifier` and
   * `codeVerifier` are not called, and requests wait for the user. Default: none.
   */
  waitForRedirect?(): Promise<string | URL>;
  /**
   * Runs `work` while no other program with the same storage is inside of this function, for storages that
   * several programs share: a refresh token can be used once. Tokens are renewed inside; what `tokens`
   * returns there is what the others left. Default: none.
   * @param work - What is to be done meanwhile.
   */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Stores the PKCE code verifier until the browser comes back.
   * @param codeVerifier - The code verifier.
   */
  saveCodeVerifier(codeVerifier: string): void | Promise<void>;
  /** Returns the stored PKCE code verifier. */
  codeVerifier(): string | Promise<string>;
  /** Adds the client's credentials to a token request, instead of the standard ways. Default: none. */
  addClientAuthentication?: AddClientAuthentication;
  /** Returns the key to bind tokens to (RFC 9449); only for clients of 2.x. Default: none. */
  dpop?(): ProofOfPossession | undefined | Promise<ProofOfPossession | undefined>;
  /**
   * Returns the scopes to refresh tokens with, if fewer than before; only for clients of 2.x.
   * @param tokens - The tokens to refresh.
   */
  scopeForRefresh?(tokens: OAuthTokens): string | undefined | Promise<string | undefined>;
  /**
   * Stores the authorization server that was found; only for clients of 2.x.
   * @param authorizationServerUrl - The URL of the authorization server.
   */
  saveAuthorizationServerUrl?(authorizationServerUrl: string): void | Promise<void>;
  /** Returns the stored authorization server. */
  authorizationServerUrl?(): string | undefined | Promise<string | undefined>;
  /**
   * Stores the resource that tokens are requested for; only for clients of 2.x.
   * @param resourceUrl - The URL of the resource.
   */
  saveResourceUrl?(resourceUrl: string): void | Promise<void>;
  /** Returns the stored resource. */
  resourceUrl?(): string | undefined | Promise<string | undefined>;
  /**
   * Returns the resource to request tokens for, instead of the standard check; throws to refuse the server.
   * @param serverUrl - The URL of the MCP server.
   * @param resource - The resource that the server publishes. Default: it publishes none.
   */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  /**
   * Deletes stored values that turned out to be invalid.
   * @param scope - Which values to delete.
   */
  invalidateCredentials?(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void | Promise<void>;
  /**
   * Returns the form parameters of a token request without an authorization code, such as for the grant
   * `client_credentials`.
   * @param scope - The scopes to ask for, separated by spaces. Default: none are named.
   */
  prepareTokenRequest?(scope?: string): URLSearchParams | Promise<URLSearchParams | undefined> | undefined;
  /**
   * Stores the metadata that were found about a server's authorization.
   * @param state - The metadata.
   */
  saveDiscoveryState?(state: OAuthDiscoveryState): void | Promise<void>;
  /** Returns the stored metadata. */
  discoveryState?(): OAuthDiscoveryState | undefined | Promise<OAuthDiscoveryState | undefined>;
}

/** The authorization server of an MCP server. */
export interface OAuthServerInfo {
  /** The URL of the authorization server. */
  authorizationServerUrl: string;
  /** The metadata of the authorization server, if it could be read. */
  authorizationServerMetadata?: AuthorizationServerMetadata;
  /** The metadata of the protected resource, if it could be read. */
  resourceMetadata?: OAuthProtectedResourceMetadata;
}

/** The metadata that were found about a server's authorization, for a provider to store. */
export interface OAuthDiscoveryState extends OAuthServerInfo {
  /** The URL that the metadata of the protected resource was read from. */
  resourceMetadataUrl?: string;
}

/** The outcome of an authorization: there are tokens, or the user was sent to the page for signing in. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT';

/** Options of an authorization. */
export interface AuthorizeOptions {
  /** The server that demands authorization. */
  serverUrl: string | URL;
  /** The authorization code that the browser came back with. Default: none, the authorization begins. */
  authorizationCode?: string;
  /** The `iss` that the browser came back with (RFC 9207). Default: none; only 2.x notices that it is missing. */
  iss?: string | undefined;
  /** The scopes that the server asks for, separated by spaces. Default: none. */
  scope?: string;
  /** The URL of the resource metadata that the server named. Default: none. */
  resourceMetadataUrl?: URL;
  /** Sends the requests. Default: the global `fetch`. */
  fetchFn?: FetchLike;
  /** Whether to accept metadata that name another issuer than was asked. Default: false. */
  skipIssuerMetadataValidation?: boolean;
  /** Whether to ask the user even if tokens could be refreshed, to get more scopes (2.x). Default: false. */
  forceReauthorization?: boolean;
}
