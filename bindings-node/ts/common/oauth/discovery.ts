/**
 * Metadata that servers publish about authorization: of protected resources (RFC 9728),
 * authorization servers (RFC 8414) and OpenID providers.
 *
 * Owns: requesting it from place to place. Must not know: tokens; where it may be, and what an
 * answer means for the search.
 */
import {
  OAuthMetadataSchema,
  OAuthProtectedResourceMetadataSchema,
  OpenIdProviderDiscoveryMetadataSchema,
  type AuthorizationServerMetadata,
  type OAuthMetadata,
  type OAuthProtectedResourceMetadata,
} from '../../protocol/auth';
import { carrying, jsonOf } from './carrying';
import { decide, type Like } from './decisions';
import { IssuerMismatchError } from './flow-errors';
import { checkResourceAllowed, resourceUrlFromServerUrl } from './resource';
import type { FetchLike } from '../../protocol/transport';
import { LATEST_PROTOCOL_VERSION } from '../../protocol/types';
import type { OAuthClientProvider, OAuthServerInfo } from './provider';

/** What a search for metadata came to. */
interface Found {
  /** The last place that was asked. */
  url: URL;
  /** Its answer, if it could be reached. */
  response: Response | undefined;
  /** Whether the answer is read, or the search ends there. */
  verdict: 'read' | 'next' | 'end';
}

/** The headers of a request for the metadata of a resource, or of an authorization server. */
export function headersFor(whose: 'resource' | 'server', version: string = LATEST_PROTOCOL_VERSION): Record<string, string> {
  return { 'MCP-Protocol-Version': version, ...(whose === 'server' && { Accept: 'application/json' }) };
}

/**
 * Requests metadata. Browsers report a response that they may not read as a `TypeError`; the
 * request is then repeated without headers, and gives `undefined` if that fails, too.
 */
export async function look(url: URL, headers: Record<string, string>, fetchFn?: FetchLike): Promise<Response | undefined> {
  const get = carrying('document', fetchFn);
  for (const init of [{ headers }, {}]) {
    try {
      return await get(url, init);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return undefined;
}

/** Requests metadata from one place after another, until one is good enough. */
async function search(
  places: string[],
  headers: Record<string, string>,
  { fetchFn, like = 'typescript' }: Looking,
): Promise<Found | undefined> {
  let found: Found | undefined;
  for (const url of places.map((place) => new URL(place))) {
    await found?.response?.body?.cancel();
    const response = await look(url, headers, fetchFn);
    found = { url, response, verdict: decide('document_status', { status: response?.status, like }) };
    if (found.verdict !== 'next') return found;
  }
  return found;
}

/** How documents are looked for. */
interface Looking {
  fetchFn?: FetchLike | undefined;
  /** As which package the engine decides. */
  like?: Like | undefined;
  /** The MCP server that said where to look; without it, the program said so. */
  sentBy?: string | URL | undefined;
  /** Whether that server may point into private networks. */
  privateNetworks?: boolean | undefined;
}

/**
 * Reads the metadata of a protected resource. @throws if there is none.
 * @param serverUrl - The URL of the MCP server.
 * @param opts - The revision, and the URL of the metadata if it is known. Default: neither.
 * @param fetchFn - Sends the requests. Default: the global `fetch`.
 */
export function discoverOAuthProtectedResourceMetadata(
  serverUrl: string | URL,
  opts?: { protocolVersion?: string; resourceMetadataUrl?: string | URL },
  fetchFn?: FetchLike,
): Promise<OAuthProtectedResourceMetadata> {
  return resourceMetadataOf(serverUrl, opts ?? {}, { fetchFn });
}

async function resourceMetadataOf(
  serverUrl: string | URL,
  { protocolVersion, resourceMetadataUrl }: { protocolVersion?: string; resourceMetadataUrl?: string | URL | undefined },
  looking: Looking,
): Promise<OAuthProtectedResourceMetadata> {
  const challenge = resourceMetadataUrl === undefined ? undefined : String(new URL(resourceMetadataUrl));
  const { like = 'typescript', privateNetworks: private_networks = false } = looking;
  const given = { server_url: new URL(serverUrl).href, challenge, private_networks, like };
  const places = decide<string[]>('resource_places', given);
  // A server that says where its metadata are has them nowhere else.
  const found = await search(challenge === undefined ? places : places.slice(0, 1), headersFor('resource', protocolVersion), looking);
  if (found?.verdict === 'read') return OAuthProtectedResourceMetadataSchema.parse(await jsonOf(found.response!));
  await found?.response?.body?.cancel();
  const status = found?.response?.status ?? 404;
  if (status === 404) throw new Error('Resource server does not implement OAuth 2.0 Protected Resource Metadata.');
  throw new Error(`HTTP ${status} trying to load well-known OAuth protected resource metadata.`);
}

/**
 * Reads the metadata of an authorization server; `undefined` if there is none. The issuer that they
 * name is for the program to compare.
 *
 * @param issuer - The URL of the authorization server.
 * @param fetchFn - Sends the requests. Default: the global `fetch`.
 * @deprecated Use `discoverAuthorizationServerMetadata`.
 */
export async function discoverOAuthMetadata(
  issuer: string | URL,
  { authorizationServerUrl, protocolVersion }: { authorizationServerUrl?: string | URL; protocolVersion?: string } = {},
  fetchFn?: FetchLike,
): Promise<OAuthMetadata | undefined> {
  const server = new URL(authorizationServerUrl ?? issuer);
  const [below, root] = [server, new URL('/', server)].map((url) => buildDiscoveryUrls(url)[0]!.url.href);
  const found = await search([...new Set([below!, root!])], headersFor('resource', protocolVersion), { fetchFn });
  if (found?.verdict === 'read') return OAuthMetadataSchema.parse(await jsonOf(found.response!));
  await found?.response?.body?.cancel();
  const status = found?.response?.status ?? 404;
  if (status === 404) return undefined;
  throw new Error(`HTTP ${status} trying to load well-known OAuth metadata`);
}

/**
 * The URLs where an authorization server's metadata may be, the most likely first.
 * @param authorizationServerUrl - The URL of the authorization server.
 */
export function buildDiscoveryUrls(authorizationServerUrl: string | URL): { url: URL; type: 'oauth' | 'oidc' }[] {
  return placesOf(authorizationServerUrl, {});
}

function placesOf(server: string | URL, { sentBy, privateNetworks: private_networks = false }: Looking): { url: URL; type: 'oauth' | 'oidc' }[] {
  const issuer = new URL(server).href;
  const server_url = sentBy === undefined ? issuer : new URL(sentBy).href;
  const places = decide<string[]>('server_places', { issuer, server_url, private_networks });
  return places.map((place) => ({ url: new URL(place), type: isOpenId(place) ? 'oidc' : 'oauth' }));
}

/**
 * Reads the metadata of an authorization server or OpenID provider; `undefined` if there is none.
 * @param authorizationServerUrl - The URL of the authorization server.
 * @param options - The revision, and a `fetch` to use. Default: neither.
 * @throws {IssuerMismatchError} if they are of another issuer, unless `skipIssuerValidation` is set.
 */
export function discoverAuthorizationServerMetadata(
  authorizationServerUrl: string | URL,
  options: { fetchFn?: FetchLike; protocolVersion?: string; skipIssuerValidation?: boolean } = {},
): Promise<AuthorizationServerMetadata | undefined> {
  const { fetchFn, protocolVersion, skipIssuerValidation: anyIssuer } = options;
  return serverMetadataOf(authorizationServerUrl, protocolVersion, { fetchFn, anyIssuer });
}

/** Whether metadata are of the issuer that was asked. URL objects have a slash that nobody published. */
function areOf(asked: string | URL, issuer: string): boolean {
  return decide<boolean>('same_issuer', { one: String(asked), other: issuer, published: typeof asked === 'string' });
}

/** The same as a package reads them. */
export async function serverMetadataOf(
  authorizationServerUrl: string | URL,
  protocolVersion: string | undefined,
  looking: Looking & { anyIssuer?: boolean | undefined },
): Promise<AuthorizationServerMetadata | undefined> {
  const places = placesOf(authorizationServerUrl, looking);
  const found = await search(places.map(({ url }) => url.href), headersFor('server', protocolVersion), looking);
  if (found?.verdict === 'read') {
    const metadata = serverMetadataAt(found.url.href, await jsonOf(found.response!));
    if (looking.anyIssuer || areOf(authorizationServerUrl, metadata.issuer)) return metadata;
    throw new IssuerMismatchError('metadata', String(authorizationServerUrl), metadata.issuer);
  }
  await found?.response?.body?.cancel();
  if (found?.verdict !== 'end') return undefined;
  throw failingAt(found.url.href, found.response!.status);
}

const isOpenId = (place: string) => place.includes('/openid-configuration');

/** A document that was found at a place, as the metadata of an authorization server. @throws if it is none. */
export function serverMetadataAt(place: string, document: unknown): AuthorizationServerMetadata {
  return isOpenId(place) ? OpenIdProviderDiscoveryMetadataSchema.parse(document) : OAuthMetadataSchema.parse(document);
}

/** The error for a place that fails. */
export function failingAt(place: string, status: number): Error {
  return new Error(`HTTP ${status} trying to load ${isOpenId(place) ? 'OpenID provider' : 'OAuth'} metadata from ${place}`);
}

/**
 * Finds the authorization server of an MCP server, and the metadata of both. Servers of older
 * revisions are their own authorization servers.
 * @param serverUrl - The URL of the MCP server.
 * @param opts - The URL of the resource's metadata if it is known, and a `fetch` to use. Default: neither.
 */
export function discoverOAuthServerInfo(
  serverUrl: string | URL,
  opts?: { resourceMetadataUrl?: URL; fetchFn?: FetchLike },
): Promise<OAuthServerInfo> {
  return serverInfoOf(serverUrl, opts?.resourceMetadataUrl, { fetchFn: opts?.fetchFn });
}

/** The same as a package finds it. */
export async function serverInfoOf(
  serverUrl: string | URL,
  place: URL | undefined,
  looking: Looking & { anyIssuer?: boolean | undefined },
): Promise<OAuthServerInfo> {
  const resourceMetadata = await resourceMetadataIfAny(serverUrl, place, looking);
  const server = resourceMetadata?.authorization_servers?.[0] || new URL('/', serverUrl);
  const authorizationServerMetadata = await serverMetadataOf(server, undefined, { ...looking, sentBy: serverUrl });
  return { authorizationServerUrl: String(server), authorizationServerMetadata, resourceMetadata };
}

/** Reads the metadata of a protected resource; `undefined` if there are none. */
export async function resourceMetadataIfAny(
  serverUrl: string | URL,
  resourceMetadataUrl: URL | undefined,
  looking: Looking,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  return resourceMetadataOf(serverUrl, { resourceMetadataUrl }, looking).catch(() => undefined);
}

/**
 * The resource to request tokens for. @throws if the metadata names one that does not match the
 * server.
 * @param serverUrl - The URL of the MCP server.
 * @param provider - The provider, whose `validateResourceURL` may choose.
 * @param resourceMetadata - The metadata of the resource. Default: none.
 */
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
