/**
 * Credentials of clients. Owns: what a program gives to have its requests authorized, and
 * reading what a server demands. Must not know: transports.
 */
import { UnauthorizedError } from '../internal/mcp-error';
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
  OAuthTokens,
} from '../shared/auth';

export { UnauthorizedError };
export { extractResourceMetadataUrl, extractWWWAuthenticateParams } from '../internal/oauth-challenge';
export {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  selectResourceURL,
} from '../internal/oauth-discovery';
export { auth, isHttpsUrl } from '../internal/oauth-flow';
export {
  exchangeAuthorization,
  fetchToken,
  parseErrorResponse,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from '../internal/oauth-tokens';

/** Puts a client's own credentials into a request for tokens: into headers, or the form. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => void | Promise<void>;

/** Where a client keeps its credentials, and how it asks its user. */
export interface OAuthClientProvider {
  /** The URL the user is redirected back to; `undefined` for flows without a user. */
  get redirectUrl(): string | URL | undefined;
  /** Where this client's metadata is published, for servers that read it there. */
  clientMetadataUrl?: string;
  /** The client's metadata, as it registers it. */
  get clientMetadata(): OAuthClientMetadata;
  /** A fresh `state` for an authorization. */
  state?(): string | Promise<string>;
  /** The client's id and secret at the authorization server, if it has them. */
  clientInformation(): OAuthClientInformationMixed | undefined | Promise<OAuthClientInformationMixed | undefined>;
  /** Stores what a registration returned. Without this method clients cannot register themselves. */
  saveClientInformation?(clientInformation: OAuthClientInformationMixed): void | Promise<void>;
  /** The tokens that were saved, if any. */
  tokens(): OAuthTokens | undefined | Promise<OAuthTokens | undefined>;
  /** Stores the tokens. */
  saveTokens(tokens: OAuthTokens): void | Promise<void>;
  /** Sends the user to the authorization server. */
  redirectToAuthorization(authorizationUrl: URL): void | Promise<void>;
  /** Stores the PKCE verifier of the authorization that begins. */
  saveCodeVerifier(codeVerifier: string): void | Promise<void>;
  /** The stored PKCE verifier. */
  codeVerifier(): string | Promise<string>;
  /** Puts the client's credentials into a request for tokens, in place of the usual ways. */
  addClientAuthentication?: AddClientAuthentication;
  /** Chooses the resource that tokens are for, in place of the usual check. */
  validateResourceURL?(serverUrl: string | URL, resource?: string): Promise<URL | undefined>;
  /** Forgets what turned out to be wrong. */
  invalidateCredentials?(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void | Promise<void>;
  /** The form of a request for tokens that is not for a code. */
  prepareTokenRequest?(scope?: string): URLSearchParams | Promise<URLSearchParams | undefined> | undefined;
  /** Keeps what was found out about a server. */
  saveDiscoveryState?(state: OAuthDiscoveryState): void | Promise<void>;
  /** What an earlier discovery found, if it was stored. */
  discoveryState?(): OAuthDiscoveryState | undefined | Promise<OAuthDiscoveryState | undefined>;
}

/** Where a server's tokens come from. */
export interface OAuthServerInfo {
  /** URL of the authorization server. */
  authorizationServerUrl: string;
  /** Metadata of the authorization server. */
  authorizationServerMetadata?: AuthorizationServerMetadata;
  /** Metadata of the protected resource. */
  resourceMetadata?: OAuthProtectedResourceMetadata;
}

/** What discovery found out about a server, to be stored. */
export interface OAuthDiscoveryState extends OAuthServerInfo {
  /** Where the resource's metadata was. */
  resourceMetadataUrl?: string;
}

/** How an authorization ended: with tokens, or with the user on the way. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT';
