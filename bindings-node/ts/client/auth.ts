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

/** Puts a client's own credentials into a request for tokens: into headers, or the form. */
export type AddClientAuthentication = (
  headers: Headers,
  params: URLSearchParams,
  url: string | URL,
  metadata?: AuthorizationServerMetadata,
) => void | Promise<void>;

/** Where a client keeps its credentials, and how it asks its user. */
export interface OAuthClientProvider {
  /** Where the user comes back to; `undefined` if there is no user. */
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

/** What a refusal says: where metadata is, which scope is wanted, which error it is. */
export function extractWWWAuthenticateParams(res: Response): {
  resourceMetadataUrl?: URL;
  scope?: string;
  error?: string;
} {
  const header = res.headers.get('WWW-Authenticate');
  const [scheme, rest] = header?.split(' ', 2) ?? [];
  if (!header || scheme?.toLowerCase() !== 'bearer' || !rest) return {};
  const url = parameter(header, 'resource_metadata');
  return {
    resourceMetadataUrl: url !== undefined && URL.canParse(url) ? new URL(url) : undefined,
    scope: parameter(header, 'scope'),
    error: parameter(header, 'error'),
  };
}

/**
 * Where a refusal says metadata is.
 *
 * @deprecated Use `extractWWWAuthenticateParams`.
 */
export function extractResourceMetadataUrl(res: Response): URL | undefined {
  return extractWWWAuthenticateParams(res).resourceMetadataUrl;
}

/** A parameter of a challenge, quoted or not. */
function parameter(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,]+))`).exec(header);
  return (found?.[1] ?? found?.[2]) || undefined;
}

/** How a client shows who it is when it asks for tokens. */
type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

const isClientAuthMethod = (method: string): method is ClientAuthMethod =>
  ['client_secret_basic', 'client_secret_post', 'none'].includes(method);

/** The way a client and an authorization server both know, the safest first. */
export function selectClientAuthMethod(
  clientInformation: OAuthClientInformationMixed,
  supportedMethods: string[],
): ClientAuthMethod {
  const hasSecret = clientInformation.client_secret !== undefined;
  const { token_endpoint_auth_method: registered } = clientInformation as { token_endpoint_auth_method?: string };
  const isSupported = (method: string) => supportedMethods.length === 0 || supportedMethods.includes(method);
  if (registered && isClientAuthMethod(registered) && isSupported(registered)) return registered;
  if (supportedMethods.length === 0) return hasSecret ? 'client_secret_basic' : 'none';
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    if (hasSecret && supportedMethods.includes(method)) return method;
  }
  if (supportedMethods.includes('none')) return 'none';
  return hasSecret ? 'client_secret_post' : 'none';
}

/** Whether a text is an `https` URL that has a path. */
export function isHttpsUrl(value?: string): boolean {
  if (!value || !URL.canParse(value)) return false;
  const { protocol, pathname } = new URL(value);
  return protocol === 'https:' && pathname !== '/';
}

/** The URLs at which an authorization server's metadata may be, the likeliest first. */
export function buildDiscoveryUrls(authorizationServerUrl: string | URL): { url: URL; type: 'oauth' | 'oidc' }[] {
  const { pathname, origin } = new URL(authorizationServerUrl);
  const at = (path: string, type: 'oauth' | 'oidc') => ({ url: new URL(path, origin), type });
  const [oauth, oidc] = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];
  if (pathname === '/') return [at(oauth, 'oauth'), at(oidc, 'oidc')];
  const path = pathname.replace(/\/$/, '');
  return [at(`${oauth}${path}`, 'oauth'), at(`${oidc}${path}`, 'oidc'), at(`${path}${oidc}`, 'oidc')];
}

/** The form that exchanges a code for tokens. */
export function prepareAuthorizationCodeRequest(
  authorizationCode: string,
  codeVerifier: string,
  redirectUri: string | URL,
): URLSearchParams {
  return new URLSearchParams({
    grant_type: 'authorization_code',
    code: authorizationCode,
    code_verifier: codeVerifier,
    redirect_uri: String(redirectUri),
  });
}
