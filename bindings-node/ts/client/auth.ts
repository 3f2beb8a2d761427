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
  /** What this client says of itself. */
  get clientMetadata(): OAuthClientMetadata;
  /** A fresh `state` for an authorization. */
  state?(): string | Promise<string>;
  /** What the authorization server knows this client as. */
  clientInformation(): OAuthClientInformationMixed | undefined | Promise<OAuthClientInformationMixed | undefined>;
  /** Keeps that. Without it, clients cannot register themselves. */
  saveClientInformation?(clientInformation: OAuthClientInformationMixed): void | Promise<void>;
  /** The tokens that are there. */
  tokens(): OAuthTokens | undefined | Promise<OAuthTokens | undefined>;
  /** Keeps them. */
  saveTokens(tokens: OAuthTokens): void | Promise<void>;
  /** Sends the user to the authorization server. */
  redirectToAuthorization(authorizationUrl: URL): void | Promise<void>;
  /** Keeps the verifier of the authorization that begins. */
  saveCodeVerifier(codeVerifier: string): void | Promise<void>;
  /** That verifier. */
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
  /** What was found out before. */
  discoveryState?(): OAuthDiscoveryState | undefined | Promise<OAuthDiscoveryState | undefined>;
}

/** Where a server's tokens come from. */
export interface OAuthServerInfo {
  /** The authorization server. */
  authorizationServerUrl: string;
  /** What it says of itself. */
  authorizationServerMetadata?: AuthorizationServerMetadata;
  /** What the resource says of itself. */
  resourceMetadata?: OAuthProtectedResourceMetadata;
}

/** What was found out about a server, to be kept. */
export interface OAuthDiscoveryState extends OAuthServerInfo {
  /** Where the resource's metadata was. */
  resourceMetadataUrl?: string;
}

/** How an authorization ended: with tokens, or with the user on the way. */
export type AuthResult = 'AUTHORIZED' | 'REDIRECT';
