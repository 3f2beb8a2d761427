/**
 * Requests to authorization servers: registration, authorization, tokens.
 *
 * Owns: each request and its response, as headers and forms. Must not know: their order; how a client
 * proves itself.
 */
import { madeOf, rejectedBy } from './answer';
import { bodyOf, carrying, jsonOf, textOf } from './carrying';
import { decide, likeOf, type Like, type Refused } from './decisions';
import { OAUTH_ERRORS, OAuthError, ServerError } from './errors';
import { InsecureTokenEndpointError } from './flow-errors';
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
import { unfollowed } from '../../engine/client/fetch';
import { boundElsewhere, ofIssuer } from './issuer';
import type { AddClientAuthentication, OAuthClientInformationContext, OAuthClientProvider, ProofOfPossession } from './provider';
import { refusal } from '../../protocol/refusal';

/** How a client authenticates in token requests. */
export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'none';

/** What proves a client. */
interface Proof {
  method: ClientAuthMethod;
  form: Record<string, string>;
  authorization: string | null;
}

function proofOf(client: OAuthClientInformationMixed, supported: string[] | undefined): Proof {
  const { client_id, client_secret, token_endpoint_auth_method } = client as OAuthClientInformationFull;
  const metadata = { issuer: '-', token_endpoint_auth_methods_supported: supported };
  return decide<Proof>('client_proof', { client: { client_id, client_secret, token_endpoint_auth_method }, metadata, like: 'typescript' });
}

/**
 * The method that client and authorization server both support, preferring the safest.
 * @param clientInformation - The client's id and secret.
 * @param supportedMethods - The methods that the authorization server supports.
 */
export function selectClientAuthMethod(
  clientInformation: OAuthClientInformationMixed,
  supportedMethods: string[],
): ClientAuthMethod {
  return proofOf(clientInformation, supportedMethods).method;
}

/** Adds what proves a client to a token request. */
export function identify(
  client: OAuthClientInformationMixed,
  supported: string[] | undefined,
  headers: Headers,
  form: URLSearchParams,
): void {
  const proof = proofOf(client, supported);
  if (proof.authorization !== null) headers.set('Authorization', proof.authorization);
  else if (proof.method === 'client_secret_basic') throw new Error('client_secret_basic authentication requires a client_secret');
  for (const [name, value] of Object.entries(proof.form)) form.set(name, value);
}

/**
 * Reads the error from an authorization server's response.
 * @param input - The response, or its body.
 */
export async function parseErrorResponse(input: Response | string): Promise<OAuthError> {
  return typeof input === 'string' ? refusedIn(input) : refusedIn(await textOf(input), input);
}

function refusedIn(body: string, response?: Response): OAuthError {
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
export interface TokenRequest {
  metadata?: AuthorizationServerMetadata | undefined;
  clientInformation?: OAuthClientInformationMixed | undefined;
  resource?: string | URL | undefined;
  addClientAuthentication?: AddClientAuthentication | undefined;
  /** Signs proofs that the client holds the key its tokens are bound to. */
  dpop?: ProofOfPossession | undefined;
  fetchFn?: FetchLike | undefined;
}

/** Whether nobody on the way to an endpoint can read along. */
export function isSafeEndpoint(url: string): boolean {
  return decide<boolean>('token_endpoint_is_safe', { url, like: 'typescript' });
}

/** Checks that nobody on the way can read along. */
export function checkedEndpoint(tokenEndpoint: string | URL): URL {
  const url = new URL(String(tokenEndpoint));
  if (isSafeEndpoint(url.href)) return url;
  throw new InsecureTokenEndpointError(url.href);
}

/** The answer of a token endpoint. */
export interface TokenAnswer {
  response: Response;
  body: Buffer;
}

/** Sends a form to a token endpoint, with what proves the client. */
export async function askForTokens(url: URL, form: URLSearchParams, about: TokenRequest): Promise<TokenAnswer> {
  const { metadata, clientInformation: client, addClientAuthentication: prove, dpop, fetchFn } = about;
  const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' });
  if (prove === undefined && client !== undefined) {
    identify(client, metadata?.token_endpoint_auth_methods_supported ?? [], headers, form);
  }
  for (let isRepeated = false; ; isRepeated = true) {
    const sent = new Headers(headers);
    await prove?.(sent, form, url, metadata);
    if (dpop !== undefined) sent.set('DPoP', await dpop.buildProof({ htm: 'POST', htu: url }));
    const response = await carrying('credentials', fetchFn)(url, { method: 'POST', headers: sent, body: form });
    dpop?.observeNonce(response, url);
    const body = await bodyOf(response);
    const asksAgain = () => decide<boolean>('wants_nonce', { status: response.status, body: String(body) });
    if (response.ok || dpop === undefined || isRepeated || !asksAgain()) return { response, body };
  }
}

/** The tokens in an answer. @throws if there are none. */
export function tokensIn({ response, body }: TokenAnswer): OAuthTokens {
  if (!response.ok) throw refusedIn(String(body), response);
  const answer: unknown = JSON.parse(String(body));
  const tokens = OAuthTokensSchema.safeParse(answer);
  if (tokens.success) return unstamped(tokens.data);
  // Some servers send errors with status 200; 2.x reads them as such.
  const refused = OAuthErrorResponseSchema.safeParse(answer);
  throw refused.success ? madeOf(refused.data, tokens.error) : tokens.error;
}

async function requestTokens(server: string | URL, form: URLSearchParams, about: TokenRequest): Promise<OAuthTokens> {
  const { metadata, resource } = about;
  const url = checkedEndpoint(new URL(metadata?.token_endpoint ?? '/token', server));
  if (resource !== undefined) form.set('resource', String(resource));
  return tokensIn(await askForTokens(url, form, about));
}

/** Removes `issuer` from a response: it is set by this package, and never taken from a response. */
export function unstamped<T extends object>(answer: T): T {
  const { issuer: _, ...rest } = answer as T & { issuer?: unknown };
  return rest as T;
}

/**
 * The form parameters that exchange an authorization code for tokens.
 * @param authorizationCode - The code.
 * @param codeVerifier - The code verifier.
 * @param redirectUri - The URI that the browser was sent back to.
 */
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

/**
 * Exchanges an authorization code for tokens.
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The code, the code verifier, the client and the metadata.
 */
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

/**
 * Exchanges a refresh token for new tokens; the refresh token is kept if the response has no new
 * one.
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The refresh token, the client and the metadata.
 */
export async function refreshAuthorization(
  authorizationServerUrl: string | URL,
  options: TokenRequest & {
    clientInformation: OAuthClientInformationMixed;
    refreshToken: string;
    /** Fewer scopes than before, in 2.x. */
    scope?: string | undefined;
  },
): Promise<OAuthTokens> {
  const { refreshToken: refresh_token, scope } = options;
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token, ...(scope && { scope }) });
  const tokens = await requestTokens(authorizationServerUrl, form, options);
  return { refresh_token, ...tokens, ...(scope && !tokens.scope && { scope }) };
}

/**
 * Requests tokens: with the provider's own form parameters, or for an authorization code.
 * @param provider - The provider.
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The metadata, the resource, and the code if there is one.
 */
export async function fetchToken(
  provider: OAuthClientProvider,
  authorizationServerUrl: string | URL,
  options: {
    metadata?: AuthorizationServerMetadata | undefined;
    resource?: string | URL | undefined;
    authorizationCode?: string | undefined;
    /** The scopes to request, in 2.x; by default those of the client. */
    scope?: string | undefined;
    fetchFn?: FetchLike | undefined;
  } = {},
): Promise<OAuthTokens> {
  const like = likeOf(provider);
  const { authorizationCode, scope = provider.clientMetadata.scope, ...about } = options;
  const issuer = issuerFor(like, authorizationServerUrl, about.metadata);
  const known = async () => {
    const stored = await provider.clientInformation(...contextFor(like, issuer));
    const own = ofIssuer(stored, issuer);
    if (stored && own === undefined) throw boundElsewhere(stored, issuer, like);
    return own;
  };
  const before = await known();
  const own = await provider.prepareTokenRequest?.(scope);
  const form = own ?? (await codeForm(provider, authorizationCode));
  // The client may have been registered while the request was prepared.
  const clientInformation = before ?? (await known());
  const { addClientAuthentication } = provider;
  const dpop = await provider.dpop?.();
  return requestTokens(authorizationServerUrl, form, { ...about, clientInformation, addClientAuthentication, dpop });
}

/** The issuer that credentials are kept for: in 2.x as its metadata name it. */
export function issuerFor(like: Like, server: string | URL, metadata: AuthorizationServerMetadata | undefined): string {
  return (like === 'typescript2' ? metadata?.issuer : undefined) ?? String(server);
}

/** What 2.x tells stores of credentials: whose they are. */
export function contextFor(like: Like, issuer: string): [] | [OAuthClientInformationContext] {
  return like === 'typescript2' ? [{ issuer }] : [];
}

async function codeForm(provider: OAuthClientProvider, code: string | undefined): Promise<URLSearchParams> {
  if (!code) throw new Error('Either provider.prepareTokenRequest() or authorizationCode is required');
  if (!provider.redirectUrl) throw new Error('redirectUrl is required for authorization_code flow');
  return prepareAuthorizationCodeRequest(code, await provider.codeVerifier(), provider.redirectUrl);
}

/**
 * Builds the authorization URL, and the PKCE code verifier that belongs to it.
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The client, the redirect URL, scopes and metadata.
 */
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
  const given = {
    metadata,
    base: new URL(authorizationServerUrl).href,
    client_id: clientInformation.client_id,
    redirect_uri: String(redirectUrl),
    scope,
    state,
    resource: resource && String(resource),
    like: 'typescript',
  };
  const { url, code_verifier } = decide<{ url: string; code_verifier: string }>('authorization_url', given, incompatible);
  return { authorizationUrl: new URL(url), codeVerifier: code_verifier };
}

const LACKING: Record<string, string> = {
  response_types_supported: 'response type code',
  code_challenge_methods_supported: 'code challenge method S256',
  registration_endpoint: 'dynamic client registration',
};

/** The error for an authorization server that lacks something; `undefined` for other refusals. */
export function incompatible({ kind, field = '' }: Refused): Error | undefined {
  const lacking = kind === 'unsupported' ? LACKING[field] : undefined;
  return lacking === undefined ? undefined : refusal('unsupported', `Incompatible auth server: does not support ${lacking}`);
}

/**
 * Registers this client with an authorization server (RFC 7591).
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The metadata of the client and of the authorization server.
 */
export async function registerClient(
  authorizationServerUrl: string | URL,
  options: { metadata?: AuthorizationServerMetadata; clientMetadata: OAuthClientMetadata; scope?: string; fetchFn?: FetchLike },
): Promise<OAuthClientInformationFull> {
  const { metadata, clientMetadata, scope, fetchFn } = options;
  if (metadata !== undefined && !metadata.registration_endpoint) {
    throw incompatible({ kind: 'unsupported', field: 'registration_endpoint' });
  }
  const url = checkedEndpoint(new URL(metadata?.registration_endpoint ?? '/register', authorizationServerUrl));
  return register(url, { ...clientMetadata, ...(scope !== undefined && { scope }) }, fetchFn);
}

/** The same at an endpoint. */
export async function register(url: URL, submittedMetadata: object, fetchFn?: FetchLike): Promise<OAuthClientInformationFull> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await carrying('credentials', fetchFn)(url, { method: 'POST', headers, body: JSON.stringify(submittedMetadata) });
  if (response.ok) return unstamped(OAuthClientInformationFullSchema.parse(await jsonOf(response)));
  const body = await textOf(response);
  throw rejectedBy(refusedIn(body, response), { status: response.status, body, submittedMetadata });
}
