/**
 * Metadata that servers publish about authorization: of protected resources (RFC 9728),
 * authorization servers (RFC 8414) and OpenID providers.
 *
 * Owns: the URLs where it is looked for. Must not know: tokens.
 */
import {
  OAuthMetadataSchema,
  OAuthProtectedResourceMetadataSchema,
  OpenIdProviderDiscoveryMetadataSchema,
  type AuthorizationServerMetadata,
  type OAuthMetadata,
  type OAuthProtectedResourceMetadata,
} from '../../protocol/auth';
import { decide } from './decisions';
import { checkResourceAllowed, resourceUrlFromServerUrl } from './resource';
import type { FetchLike } from '../../protocol/transport';
import { LATEST_PROTOCOL_VERSION } from '../../protocol/types';
import { fetchWithinOrigin } from '../../engine/client/fetch';
import type { OAuthClientProvider, OAuthServerInfo } from './provider';

type Found = Response | undefined;

/**
 * Requests metadata. Browsers report a response that they may not read as a `TypeError`; the
 * request is then repeated without headers, and gives `undefined` if that fails, too.
 */
async function look(url: URL, headers: Record<string, string>, fetchFn: FetchLike = fetch): Promise<Found> {
  const get = fetchWithinOrigin(fetchFn);
  for (const init of [{ headers }, {}]) {
    try {
      return await get(url, init);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return undefined;
}

/** Requests metadata below the server's path first, then at its root. */
async function lookTwice(
  server: URL,
  kind: string,
  fetchFn: FetchLike | undefined,
  options: { protocolVersion?: string; metadataUrl?: string | URL } = {},
): Promise<Found> {
  const headers = { 'MCP-Protocol-Version': options.protocolVersion ?? LATEST_PROTOCOL_VERSION };
  if (options.metadataUrl !== undefined) return look(new URL(options.metadataUrl), headers, fetchFn);
  const below = new URL(`/.well-known/${kind}${server.pathname.replace(/\/$/, '')}`, server);
  below.search = server.search;
  const response = await look(below, headers, fetchFn);
  const isElsewhere = response === undefined || (!response.ok && response.status < 500 && server.pathname !== '/');
  return isElsewhere ? look(new URL(`/.well-known/${kind}`, server), headers, fetchFn) : response;
}

/** Reads the metadata of a protected resource. @throws if there is none. */
export async function discoverOAuthProtectedResourceMetadata(
  serverUrl: string | URL,
  opts?: { protocolVersion?: string; resourceMetadataUrl?: string | URL },
  fetchFn?: FetchLike,
): Promise<OAuthProtectedResourceMetadata> {
  const { protocolVersion, resourceMetadataUrl: metadataUrl } = opts ?? {};
  const response = await lookTwice(new URL(serverUrl), 'oauth-protected-resource', fetchFn, { protocolVersion, metadataUrl });
  if (response?.ok) return OAuthProtectedResourceMetadataSchema.parse(await response.json());
  await response?.body?.cancel();
  if (response === undefined || response.status === 404) {
    throw new Error('Resource server does not implement OAuth 2.0 Protected Resource Metadata.');
  }
  throw new Error(`HTTP ${response.status} trying to load well-known OAuth protected resource metadata.`);
}

/**
 * Reads the metadata of an authorization server; `undefined` if there is none.
 *
 * @deprecated Use `discoverAuthorizationServerMetadata`.
 */
export async function discoverOAuthMetadata(
  issuer: string | URL,
  { authorizationServerUrl, protocolVersion }: { authorizationServerUrl?: string | URL; protocolVersion?: string } = {},
  fetchFn?: FetchLike,
): Promise<OAuthMetadata | undefined> {
  const server = new URL(authorizationServerUrl ?? issuer);
  const response = await lookTwice(server, 'oauth-authorization-server', fetchFn, { protocolVersion });
  if (response?.ok) return OAuthMetadataSchema.parse(await response.json());
  await response?.body?.cancel();
  if (response === undefined || response.status === 404) return undefined;
  throw new Error(`HTTP ${response.status} trying to load well-known OAuth metadata`);
}

/** The URLs where an authorization server's metadata may be, the most likely first. */
export function buildDiscoveryUrls(authorizationServerUrl: string | URL): { url: URL; type: 'oauth' | 'oidc' }[] {
  const issuer = new URL(authorizationServerUrl).href;
  const places = decide<string[]>('server_places', { issuer, server_url: issuer });
  return places.map((place) => ({ url: new URL(place), type: place.includes('/openid-configuration') ? 'oidc' : 'oauth' }));
}

/** Reads the metadata of an authorization server or OpenID provider; `undefined` if there is none. */
export async function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  { fetchFn, protocolVersion = LATEST_PROTOCOL_VERSION }: { fetchFn?: FetchLike; protocolVersion?: string } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const headers = { 'MCP-Protocol-Version': protocolVersion, Accept: 'application/json' };
  for (const { url, type } of buildDiscoveryUrls(authorizationServerUrl)) {
    const response = await look(url, headers, fetchFn);
    if (response === undefined) continue;
    if (response.ok) {
      const found: unknown = await response.json();
      return type === 'oauth' ? OAuthMetadataSchema.parse(found) : OpenIdProviderDiscoveryMetadataSchema.parse(found);
    }
    await response.body?.cancel();
    if (response.status >= 500) {
      const what = type === 'oauth' ? 'OAuth' : 'OpenID provider';
      throw new Error(`HTTP ${response.status} trying to load ${what} metadata from ${url}`);
    }
  }
  return undefined;
}

/**
 * Finds the authorization server of an MCP server, and the metadata of both. Servers of older
 * revisions are their own authorization servers.
 */
export async function discoverOAuthServerInfo(
  serverUrl: string | URL,
  opts?: { resourceMetadataUrl?: URL; fetchFn?: FetchLike },
): Promise<OAuthServerInfo> {
  const { resourceMetadataUrl, fetchFn } = opts ?? {};
  const resourceMetadata = await discoverOAuthProtectedResourceMetadata(serverUrl, { resourceMetadataUrl }, fetchFn).catch(() => undefined);
  const authorizationServerUrl = resourceMetadata?.authorization_servers?.[0] || String(new URL('/', serverUrl));
  const authorizationServerMetadata = await discoverAuthorizationServerMetadata(authorizationServerUrl, { fetchFn });
  return { authorizationServerUrl, authorizationServerMetadata, resourceMetadata };
}

/** The resource to request tokens for. @throws if the metadata names one that does not match the server. */
export async function selectResourceURL(
  serverUrl: string | URL,
  provider: OAuthClientProvider,
  resourceMetadata?: OAuthProtectedResourceMetadata,
): Promise<URL | undefined> {
  const requestedResource = resourceUrlFromServerUrl(serverUrl);
  const configuredResource = resourceMetadata?.resource;
  if (provider.validateResourceURL) return provider.validateResourceURL(requestedResource, configuredResource);
  if (configuredResource === undefined) return undefined;
  if (!checkResourceAllowed({ requestedResource, configuredResource })) {
    throw new Error(`Protected resource ${configuredResource} does not match expected ${requestedResource} (or origin)`);
  }
  return new URL(configuredResource);
}
