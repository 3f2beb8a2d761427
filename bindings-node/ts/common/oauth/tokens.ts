/**
 * Requests to authorization servers: registration, authorization, tokens.
 *
 * Owns: each request and its response. Must not know: their order.
 */
import { madeOf } from './answer';
import { decide } from './decisions';
import { OAUTH_ERRORS, OAuthError, ServerError } from './errors';
import {
  OAuthClientInformationFullSchema,
  OAuthErrorResponseSchema,
  OAuthTokensSchema,
  type AuthorizationServerMetadata,
  type OAuthClientInformationFull,
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthTokens,
} from '../../protocol/auth';
import type { FetchLike } from '../../protocol/transport';
import { fetchWithinOrigin, unfollowed } from '../../engine/client/fetch';
import { boundElsewhere, ofIssuer } from './issuer';
import type { AddClientAuthentication, OAuthClientProvider } from './provider';
import { refusal } from '../../protocol/refusal';

/** How a client authenticates in token requests. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

const METHODS: readonly string[] = ['client_secret_basic', 'client_secret_post', 'none'];

/** The method that client and authorization server both support, preferring the safest. */
export function selectClientAuthMethod(
  clientInformation: OAuthClientInformationMixed,
  supportedMethods: string[],
): ClientAuthMethod {
  const hasSecret = clientInformation.client_secret !== undefined;
  const { token_endpoint_auth_method: registered } = clientInformation as { token_endpoint_auth_method?: string };
  const isSupported = (method: string) => supportedMethods.length === 0 || supportedMethods.includes(method);
  if (registered && METHODS.includes(registered) && isSupported(registered)) return registered as ClientAuthMethod;
  if (supportedMethods.length === 0) return hasSecret ? 'client_secret_basic' : 'none';
  for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
    if (hasSecret && supportedMethods.includes(method)) return method;
  }
  if (supportedMethods.includes('none')) return 'none';
  return hasSecret ? 'client_secret_post' : 'none';
}

function identify(method: ClientAuthMethod, client: OAuthClientInformationMixed, headers: Headers, form: URLSearchParams): void {
  const { client_id, client_secret } = client;
  if (method === 'client_secret_basic') {
    if (!client_secret) throw new Error('client_secret_basic authentication requires a client_secret');
    headers.set('Authorization', `Basic ${btoa(`${client_id}:${client_secret}`)}`);
    return;
  }
  form.set('client_id', client_id);
  if (method === 'client_secret_post' && client_secret) form.set('client_secret', client_secret);
}

/** Reads the error from an authorization server's response. */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  const response = typeof input === 'string' ? undefined : input;
  const body = typeof input === 'string' ? input : await input.text();
  try {
    const answer = OAuthErrorResponseSchema.parse(JSON.parse(body));
    const { error, error_description, error_uri } = answer;
    return madeOf(answer, new (OAUTH_ERRORS[error] ?? ServerError)(error_description || '', error_uri));
  } catch (error) {
    const status = response === undefined ? '' : `HTTP ${response.status}: `;
    const redirect = response && unfollowed(response, response.url, 'follow');
    return new ServerError(`${status}${redirect ?? `Invalid OAuth error response: ${error}. Raw body: ${body}`}`);
  }
}

/** What every token request needs. */
interface TokenRequest {
  metadata?: AuthorizationServerMetadata;
  clientInformation?: OAuthClientInformationMixed;
  resource?: string | URL;
  addClientAuthentication?: AddClientAuthentication;
  fetchFn?: FetchLike;
}

async function requestTokens(server: string | URL, form: URLSearchParams, about: TokenRequest): Promise<OAuthTokens> {
  const { metadata, clientInformation, resource, addClientAuthentication, fetchFn = fetch } = about;
  const url = new URL(metadata?.token_endpoint ?? '/token', server);
  const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' });
  if (resource !== undefined) form.set('resource', String(resource));
  if (addClientAuthentication !== undefined) {
    await addClientAuthentication(headers, form, url, metadata);
  } else if (clientInformation !== undefined) {
    const supported = metadata?.token_endpoint_auth_methods_supported ?? [];
    identify(selectClientAuthMethod(clientInformation, supported), clientInformation, headers, form);
  }
  const response = await fetchWithinOrigin(fetchFn)(url, { method: 'POST', headers, body: form });
  if (!response.ok) throw await parseErrorResponse(response);
  const answer: unknown = await response.json();
  const tokens = OAuthTokensSchema.safeParse(answer);
  if (tokens.success) return unstamped(tokens.data);
  // Some servers send errors with status 200; 2.x reads them as such.
  const refused = OAuthErrorResponseSchema.safeParse(answer);
  throw refused.success ? madeOf(refused.data, tokens.error) : tokens.error;
}

/** Removes `issuer` from a response: it is set by this package, and never taken from a response. */
function unstamped<T extends object>(answer: T): T {
  const { issuer: _, ...rest } = answer as T & { issuer?: unknown };
  return rest as T;
}

/** The form parameters that exchange an authorization code for tokens. */
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

/** Exchanges an authorization code for tokens. */
export function exchangeAuthorization(
  authorizationServerUrl: string | URL,
  options: TokenRequest & {
    clientInformation: OAuthClientInformationMixed;
    authorizationCode: string;
    codeVerifier: string;
    redirectUri: string | URL;
  },
): Promise<OAuthTokens> {
  const { authorizationCode, codeVerifier, redirectUri } = options;
  const form = prepareAuthorizationCodeRequest(authorizationCode, codeVerifier, redirectUri);
  return requestTokens(authorizationServerUrl, form, options);
}

/** Exchanges a refresh token for new tokens; the refresh token is kept if the response has no new one. */
export async function refreshAuthorization(
  authorizationServerUrl: string | URL,
  options: TokenRequest & { clientInformation: OAuthClientInformationMixed; refreshToken: string },
): Promise<OAuthTokens> {
  const { refreshToken: refresh_token } = options;
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token });
  return { refresh_token, ...(await requestTokens(authorizationServerUrl, form, options)) };
}

/** Requests tokens: with the provider's own form parameters, or for an authorization code. */
export async function fetchToken(
  provider: OAuthClientProvider,
  authorizationServerUrl: string | URL,
  options: { metadata?: AuthorizationServerMetadata; resource?: string | URL; authorizationCode?: string; fetchFn?: FetchLike } = {},
): Promise<OAuthTokens> {
  const issuer = String(authorizationServerUrl);
  const known = async () => {
    const stored = await provider.clientInformation();
    const own = ofIssuer(stored, issuer);
    if (stored && own === undefined) throw boundElsewhere(stored, issuer);
    return own;
  };
  const before = await known();
  const own = await provider.prepareTokenRequest?.(provider.clientMetadata.scope);
  const form = own ?? (await codeForm(provider, options.authorizationCode));
  // The client may have been registered while the request was prepared.
  const clientInformation = before ?? (await known());
  const { addClientAuthentication } = provider;
  return requestTokens(authorizationServerUrl, form, { ...options, clientInformation, addClientAuthentication });
}

async function codeForm(provider: OAuthClientProvider, code: string | undefined): Promise<URLSearchParams> {
  if (!code) throw new Error('Either provider.prepareTokenRequest() or authorizationCode is required');
  if (!provider.redirectUrl) throw new Error('redirectUrl is required for authorization_code flow');
  return prepareAuthorizationCodeRequest(code, await provider.codeVerifier(), provider.redirectUrl);
}

/** Builds the authorization URL, and the PKCE code verifier that belongs to it. */
export async function startAuthorization(
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata;
    clientInformation: OAuthClientInformationMixed;
    redirectUrl: string | URL;
    scope?: string;
    state?: string;
    resource?: string | URL;
  },
): Promise<{ authorizationUrl: URL; codeVerifier: string }> {
  const { metadata, clientInformation, redirectUrl, scope, state, resource } = options;
  if (metadata !== undefined) checkSupport(metadata);
  const authorizationUrl = new URL(metadata?.authorization_endpoint ?? '/authorize', authorizationServerUrl);
  const pkce = decide<{ code_verifier: string; code_challenge: string }>('pkce', {});
  const codeVerifier = pkce.code_verifier;
  const { searchParams } = authorizationUrl;
  searchParams.set('response_type', 'code');
  searchParams.set('client_id', clientInformation.client_id);
  searchParams.set('code_challenge', pkce.code_challenge);
  searchParams.set('code_challenge_method', 'S256');
  searchParams.set('redirect_uri', String(redirectUrl));
  if (state) searchParams.set('state', state);
  if (scope) searchParams.set('scope', scope);
  // OpenID providers grant offline access only if the user is asked.
  if (scope?.includes('offline_access')) searchParams.append('prompt', 'consent');
  if (resource) searchParams.set('resource', String(resource));
  return { authorizationUrl, codeVerifier };
}

function checkSupport({ response_types_supported, code_challenge_methods_supported }: AuthorizationServerMetadata): void {
  if (!response_types_supported.includes('code')) {
    throw refusal('unsupported', 'Incompatible auth server: does not support response type code');
  }
  if (code_challenge_methods_supported && !code_challenge_methods_supported.includes('S256')) {
    throw refusal('unsupported', 'Incompatible auth server: does not support code challenge method S256');
  }
}

/** Registers this client with an authorization server (RFC 7591). */
export async function registerClient(
  authorizationServerUrl: string | URL,
  options: { metadata?: AuthorizationServerMetadata; clientMetadata: OAuthClientMetadata; scope?: string; fetchFn?: FetchLike },
): Promise<OAuthClientInformationFull> {
  const { metadata, clientMetadata, scope, fetchFn = fetch } = options;
  if (metadata !== undefined && !metadata.registration_endpoint) {
    throw refusal('unsupported', 'Incompatible auth server: does not support dynamic client registration');
  }
  const url = new URL(metadata?.registration_endpoint ?? '/register', authorizationServerUrl);
  const body = JSON.stringify({ ...clientMetadata, ...(scope !== undefined && { scope }) });
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetchWithinOrigin(fetchFn)(url, { method: 'POST', headers, body });
  if (!response.ok) throw await parseErrorResponse(response);
  return unstamped(OAuthClientInformationFullSchema.parse(await response.json()));
}
