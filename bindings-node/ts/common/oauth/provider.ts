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

/** Which authorization server stored credentials belong to; given to providers by 2.x. */
export interface OAuthClientInformationContext {
  /** The issuer of the authorization server. */
  issuer: string;
}

/** Signs proofs that a client holds the key its tokens are bound to (RFC 9449); see `DpopSession`. */
export interface ProofOfPossession {
  /** Makes a proof for a request. */
  buildProof(request: { htm: string; htu: string | URL; accessToken?: string; nonce?: string }): Promise<string>;
  /** Notes the nonce of a response. */
  observeNonce(response: Response, url: string | URL): void;
}

/** Stores a client's OAuth credentials and redirects its user. Programs implement it. */
export interface OAuthClientProvider {
  /** The URL that the user is redirected back to; `undefined` if there is no user. */
  get redirectUrl(): string | URL | undefined;
  /** The URL of this client's metadata document, for authorization servers that read it. */
  clientMetadataUrl?: string;
  /** The client's OAuth metadata, sent when it registers. */
  get clientMetadata(): OAuthClientMetadata;
  /** Makes a fresh `state` value for an authorization request. */
  state?(): string | Promise<string>;
  /**
   * The client's id and secret at the authorization server; `undefined` if it is not registered.
   * @param ctx - The authorization server that it is about. Default: not known.
   */
  clientInformation(
    ctx?: OAuthClientInformationContext,
  ): OAuthClientInformationMixed | undefined | Promise<OAuthClientInformationMixed | undefined>;
  /**
   * Saves the client's id and secret. Without this function, a client cannot register itself.
   * @param clientInformation - The client's id and secret.
   * @param ctx - The authorization server that it is about. Default: not known.
   */
  saveClientInformation?(clientInformation: OAuthClientInformationMixed, ctx?: OAuthClientInformationContext): void | Promise<void>;
  /**
   * The tokens saved last; `undefined` if there are none.
   * @param ctx - The authorization server that it is about. Default: not known.
   */
  tokens(ctx?: OAuthClientInformationContext): OAuthTokens | undefined | Promise<OAuthTokens | undefined>;
  /**
   * Saves tokens, replacing earlier ones.
   * @param tokens - The tokens.
   * @param ctx - The authorization server that it is about. Default: not known.
   */
  saveTokens(tokens: OAuthTokens, ctx?: OAuthClientInformationContext): void | Promise<void>;
  /**
   * Redirects the user to the authorization server.
   * @param authorizationUrl - The URL at which the user signs in.
   */
  redirectToAuthorization(authorizationUrl: URL): void | Promise<void>;
  /**
   * Saves the PKCE code verifier of the authorization that begins.
   * @param codeVerifier - The code verifier.
   */
  saveCodeVerifier(codeVerifier: string): void | Promise<void>;
  /** The PKCE code verifier that was saved last. */
  codeVerifier(): string | Promise<string>;
  /** Adds the client's credentials to a token request; replaces the standard methods. */
  addClientAuthentication?: AddClientAuthentication;
  /** The key that tokens are bound to; 2.x asks for it. */
  dpop?(): ProofOfPossession | undefined | Promise<ProofOfPossession | undefined>;
  /**
   * The scopes to refresh tokens with, if fewer than before; 2.x asks for it.
   * @param tokens - The tokens to refresh.
   */
  scopeForRefresh?(tokens: OAuthTokens): string | undefined | Promise<string | undefined>;
  /**
   * Saves the authorization server that 2.x found.
   * @param authorizationServerUrl - The URL of the authorization server.
   */
  saveAuthorizationServerUrl?(authorizationServerUrl: string): void | Promise<void>;
  /** The authorization server that was saved last. */
  authorizationServerUrl?(): string | undefined | Promise<string | undefined>;
  /**
   * Saves the resource that 2.x requests tokens for.
   * @param resourceUrl - The URL of the resource.
   */
  saveResourceUrl?(resourceUrl: string): void | Promise<void>;
  /** The resource that was saved last. */
  resourceUrl?(): string | undefined | Promise<string | undefined>;
  /**
   * Chooses the resource that tokens are requested for; replaces the standard check.
   * @param serverUrl - The URL of the MCP server.
   * @param resource - The resource that the metadata name. Default: they name none.
   */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  /**
   * Deletes the saved values that turned out to be invalid.
   * @param scope - Which of them.
   */
  invalidateCredentials?(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void | Promise<void>;
  /**
   * The form parameters of a token request that is not for an authorization code.
   * @param scope - The scopes to ask for, separated by spaces. Default: none are named.
   */
  prepareTokenRequest?(scope?: string): URLSearchParams | Promise<URLSearchParams | undefined> | undefined;
  /**
   * Saves what was discovered about a server's authorization.
   * @param state - What was discovered.
   */
  saveDiscoveryState?(state: OAuthDiscoveryState): void | Promise<void>;
  /** The discovery result that was saved last. */
  discoveryState?(): OAuthDiscoveryState | undefined | Promise<OAuthDiscoveryState | undefined>;
}

/** Which authorization server issues tokens for an MCP server. */
export interface OAuthServerInfo {
  /** The URL of the authorization server. */
  authorizationServerUrl: string;
  /** The metadata of the authorization server, if it could be read. */
  authorizationServerMetadata?: AuthorizationServerMetadata;
  /** The metadata of the protected resource, if it could be read. */
  resourceMetadata?: OAuthProtectedResourceMetadata;
}

/** What was discovered about a server's authorization, for a provider to save. */
export interface OAuthDiscoveryState extends OAuthServerInfo {
  /** The URL that the metadata of the protected resource was read from. */
  resourceMetadataUrl?: string;
}

/** The outcome of an authorization: tokens are there, or the user was redirected. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT';

/** Options of an authorization. */
export interface AuthorizeOptions {
  /** The server that demands authorization. */
  serverUrl: string | URL;
  /** The authorization code that the user came back with. */
  authorizationCode?: string;
  /** The issuer that the user came back with (RFC 9207); 2.x checks it. */
  iss?: string | undefined;
  /** The scopes that the server asks for. */
  scope?: string;
  /** The URL of the resource metadata that the server named. */
  resourceMetadataUrl?: URL;
  /** Sends requests, in place of the global `fetch`. */
  fetchFn?: FetchLike;
  /** Uses metadata of an authorization server although they name another issuer; 2.x checks that otherwise. */
  skipIssuerMetadataValidation?: boolean;
  /** Asks the user although the tokens could be refreshed, in 2.x: refreshing gives no more scopes. */
  forceReauthorization?: boolean;
}
