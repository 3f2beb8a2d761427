/**
 * From a refused request to tokens: finding the authorization server, registering, refreshing,
 * redirecting the user.
 *
 * Owns: the order of the steps, and what is saved. Must not know: the form of each request.
 */
import {
  InvalidClientError,
  InvalidClientMetadataError,
  InvalidGrantError,
  OAuthError,
  ServerError,
  UnauthorizedClientError,
} from './errors';
import type { OAuthClientInformationMixed } from '../../protocol/auth';
import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  selectResourceURL,
} from './discovery';
import { decide } from './decisions';
import { boundElsewhere, ofIssuer } from './issuer';
import type { AuthorizeOptions, AuthResult, OAuthClientProvider, OAuthDiscoveryState, OAuthServerInfo } from './provider';
import { fetchToken, refreshAuthorization, registerClient, startAuthorization } from './tokens';

/** Whether a text is an `https` URL with a path. */
export function isHttpsUrl(value?: string): boolean {
  return Boolean(value) && decide<boolean>('is_client_id_url', { url: value });
}

/**
 * Obtains tokens for a server, or redirects the user. If the authorization server no longer accepts
 * what was saved, that is deleted and the flow tried once more.
 *
 * @returns `AUTHORIZED` if tokens were saved, `REDIRECT` if the user was redirected.
 */
export async function auth(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  try {
    return await flow(provider, options);
  } catch (error) {
    const isUnknown = error instanceof InvalidClientError || error instanceof UnauthorizedClientError;
    if (!isUnknown && !(error instanceof InvalidGrantError)) throw error;
    await provider.invalidateCredentials?.(isUnknown ? 'all' : 'tokens');
    return flow(provider, options);
  }
}

async function flow(provider: OAuthClientProvider, options: AuthorizeOptions): Promise<AuthResult> {
  const { serverUrl, authorizationCode, fetchFn } = options;
  const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = await discover(provider, options);
  const issuer = String(authorizationServerUrl);
  const selected = await selectResourceURL(serverUrl, provider, resourceMetadata);
  // Exactly as published: some servers compare it as a string.
  const resource = selected && resourceMetadata && !provider.validateResourceURL ? resourceMetadata.resource : selected;
  const scope = options.scope || resourceMetadata?.scopes_supported?.join(' ') || provider.clientMetadata.scope;
  const about = { metadata, resource, fetchFn };
  const { client: clientInformation, accepted } = await clientOf(provider, issuer, scope, metadata, options);
  if (authorizationCode !== undefined || !provider.redirectUrl) {
    const tokens = await fetchToken(provider, authorizationServerUrl, { ...about, authorizationCode });
    await accepted();
    await provider.saveTokens({ ...tokens, issuer });
    return 'AUTHORIZED';
  }
  if (await refreshed(provider, issuer, clientInformation, about, accepted)) return 'AUTHORIZED';
  const state = await provider.state?.();
  const { redirectUrl } = provider;
  const start = await startAuthorization(authorizationServerUrl, { metadata, clientInformation, state, redirectUrl, scope, resource });
  await provider.saveCodeVerifier(start.codeVerifier);
  await provider.redirectToAuthorization(start.authorizationUrl);
  return 'REDIRECT';
}

/** Discovers the server's authorization, or reads what was saved about it. */
async function discover(
  provider: OAuthClientProvider,
  { serverUrl, resourceMetadataUrl, fetchFn }: AuthorizeOptions,
): Promise<OAuthServerInfo> {
  const cached = await provider.discoveryState?.();
  const noted = cached?.resourceMetadataUrl;
  const place = resourceMetadataUrl ?? (noted ? new URL(noted) : undefined);
  const keep = (info: OAuthServerInfo) =>
    provider.saveDiscoveryState?.({ ...info, resourceMetadataUrl: place?.toString() } as OAuthDiscoveryState);
  if (!cached?.authorizationServerUrl) {
    const info = await discoverOAuthServerInfo(serverUrl, { resourceMetadataUrl: place, fetchFn });
    await keep(info);
    return info;
  }
  const { authorizationServerUrl } = cached;
  const authorizationServerMetadata =
    cached.authorizationServerMetadata ?? (await discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn }));
  const resourceMetadata =
    cached.resourceMetadata ??
    (await discoverOAuthProtectedResourceMetadata(serverUrl, { resourceMetadataUrl: place }, fetchFn).catch(() => undefined));
  const info = { authorizationServerUrl, authorizationServerMetadata, resourceMetadata };
  const isMore = authorizationServerMetadata !== cached.authorizationServerMetadata || resourceMetadata !== cached.resourceMetadata;
  if (isMore) await keep(info);
  return info;
}

/** A registered client, and what to save once the authorization server has accepted it. */
interface KnownClient {
  client: OAuthClientInformationMixed;
  accepted(): Promise<void>;
}

async function clientOf(
  provider: OAuthClientProvider,
  issuer: string,
  scope: string | undefined,
  metadata: OAuthServerInfo['authorizationServerMetadata'],
  { authorizationCode, fetchFn }: AuthorizeOptions,
): Promise<KnownClient> {
  const stored = await provider.clientInformation();
  const known = ofIssuer(stored, issuer);
  const isNoted = (known as { issuer?: unknown } | undefined)?.issuer;
  if (known !== undefined) {
    // Ignored if it fails: a provider may only support saving after registration.
    const accepted = async () => void (isNoted ?? (await saved(provider, { ...known, issuer }).catch(() => undefined)));
    return { client: known, accepted };
  }
  const canRegister = provider.saveClientInformation !== undefined && Boolean(provider.redirectUrl);
  if (stored && !canRegister) throw boundElsewhere(stored, issuer);
  if (authorizationCode !== undefined) {
    throw new Error('Existing OAuth client information is required when exchanging an authorization code');
  }
  const client = await newClient(provider, issuer, scope, metadata, fetchFn);
  await saved(provider, client);
  return { client, accepted: async () => undefined };
}

async function saved(provider: OAuthClientProvider, client: OAuthClientInformationMixed): Promise<void> {
  await provider.saveClientInformation?.(client);
}

/** Identifies a new client by its metadata URL, or registers it. */
async function newClient(
  provider: OAuthClientProvider,
  issuer: string,
  scope: string | undefined,
  metadata: OAuthServerInfo['authorizationServerMetadata'],
  fetchFn: AuthorizeOptions['fetchFn'],
): Promise<OAuthClientInformationMixed> {
  const { clientMetadataUrl, clientMetadata } = provider;
  if (clientMetadataUrl && !isHttpsUrl(clientMetadataUrl)) {
    throw new InvalidClientMetadataError(
      `clientMetadataUrl must be a valid HTTPS URL with a non-root pathname, got: ${clientMetadataUrl}`,
    );
  }
  if (clientMetadataUrl && metadata?.client_id_metadata_document_supported === true) {
    return { client_id: clientMetadataUrl, issuer } as OAuthClientInformationMixed;
  }
  if (!provider.saveClientInformation) {
    throw new Error('OAuth client information must be saveable for dynamic registration');
  }
  return { ...(await registerClient(issuer, { metadata, clientMetadata, scope, fetchFn })), issuer };
}

/** Refreshes the tokens if possible. If the server fails, the user is asked instead. */
async function refreshed(
  provider: OAuthClientProvider,
  issuer: string,
  clientInformation: OAuthClientInformationMixed,
  about: Pick<Parameters<typeof refreshAuthorization>[1], 'metadata' | 'resource' | 'fetchFn'>,
  accepted: () => Promise<void>,
): Promise<boolean> {
  const tokens = ofIssuer(await provider.tokens(), issuer);
  if (!tokens?.refresh_token) return false;
  const { refresh_token: refreshToken } = tokens;
  const { addClientAuthentication } = provider;
  try {
    const fresh = await refreshAuthorization(issuer, { ...about, clientInformation, refreshToken, addClientAuthentication });
    await accepted();
    await provider.saveTokens({ ...fresh, issuer });
    return true;
  } catch (error) {
    if (error instanceof OAuthError && !(error instanceof ServerError)) throw error;
    return false;
  }
}
