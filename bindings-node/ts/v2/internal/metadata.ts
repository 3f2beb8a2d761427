/**
 * The metadata documents by which clients find a server's authorization server. Owns: their
 * contents; the engine says where they are. Must not know: any web framework.
 */
import { decide } from '../../common/oauth/decisions';
import { OAuthError, OAuthErrorCode } from './oauth-error';

const SERVER = '/.well-known/oauth-authorization-server';
const METHODS = 'GET, HEAD, OPTIONS';

/** The metadata of an authorization server. */
export interface IssuerMetadata {
  /** The issuer's URL. */
  issuer: string;
  /** Other members are passed on unchanged. */
  [member: string]: unknown;
}

/** The metadata of a protected resource (RFC 9728). */
export interface ResourceMetadataDocument {
  resource: string;
  authorization_servers: string[];
  scopes_supported: string[] | undefined;
  resource_name: string | undefined;
  resource_documentation: string | undefined;
}

/** Options of the metadata documents. */
export interface AuthMetadataOptions {
  /** The metadata of the authorization server; passed on unchanged. */
  oauthMetadata: IssuerMetadata;
  /** The URL of this server, as tokens name it. */
  resourceServerUrl: URL;
  /** The URL of documentation for people. */
  serviceDocumentationUrl?: URL;
  /** The scopes that clients may request. */
  scopesSupported?: string[];
  /** The display name of this server. */
  resourceName?: string;
  /** Allows an issuer URL without TLS. For tests only. */
  dangerouslyAllowInsecureIssuerUrl?: boolean;
}

/** Throws unless the issuer's URL uses TLS or is on this machine. */
function checkIssuer(issuer: URL, insecure: boolean | undefined): void {
  decide('issuer_url', { words: 'typescript2', url: issuer.href, insecure: insecure ?? false });
}

/**
 * Builds the metadata of this server as a protected resource (RFC 9728).
 *
 * @param options - The resource and its authorization servers.
 * @throws Error if the issuer's URL uses neither TLS nor this machine.
 */
export function buildOAuthProtectedResourceMetadata(options: AuthMetadataOptions): ResourceMetadataDocument {
  const { oauthMetadata, resourceServerUrl, scopesSupported, resourceName, serviceDocumentationUrl } = options;
  checkIssuer(new URL(oauthMetadata.issuer), options.dangerouslyAllowInsecureIssuerUrl);
  return {
    resource: resourceServerUrl.href,
    authorization_servers: [oauthMetadata.issuer],
    scopes_supported: scopesSupported,
    resource_name: resourceName,
    resource_documentation: serviceDocumentationUrl?.href,
  };
}

/** The last one asked for: a server asks for its own with each request. */
let last: { readonly server: string; readonly url: string } | undefined;

/**
 * The URL of a server's metadata document.
 * @param serverUrl - The URL of the resource.
 */
export function getOAuthProtectedResourceMetadataUrl(serverUrl: URL): string {
  const server = serverUrl.href;
  if (last?.server !== server) {
    last = { server, url: decide<string>('resource_metadata_url', { words: 'typescript2', url: server }) };
  }
  return last.url;
}

/** The answer to a request for a document. */
export interface MetadataAnswer {
  status: number;
  headers: Record<string, string>;
  /** What is sent as JSON; `undefined` for no body. */
  json: unknown;
}

const OPEN = { 'Access-Control-Allow-Origin': '*' };

function preflight(wanted: string | undefined): MetadataAnswer {
  const headers: Record<string, string> = { ...OPEN, 'Access-Control-Allow-Methods': METHODS };
  if (wanted !== undefined) {
    headers['Access-Control-Allow-Headers'] = wanted;
    headers['Vary'] = 'Access-Control-Request-Headers';
  }
  return { status: 204, headers, json: undefined };
}

/** Answers a request for a document; `wanted` is its `Access-Control-Request-Headers`. */
export function documentAnswer(method: string, wanted: string | undefined, document: unknown): MetadataAnswer {
  if (method === 'OPTIONS') return preflight(wanted);
  if (method === 'GET') return { status: 200, headers: OPEN, json: document };
  if (method === 'HEAD') return { status: 200, headers: { ...OPEN, 'Content-Type': 'application/json' }, json: undefined };
  const words = `The method ${method} is not allowed for this endpoint`;
  const error = new OAuthError(OAuthErrorCode.MethodNotAllowed, words);
  return { status: 405, headers: { ...OPEN, Allow: METHODS }, json: error.toResponseObject() };
}

/** The path without a slash at its end. */
export function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

/** The two documents by their paths. Throws for an issuer that is not allowed. */
export function metadataDocuments(options: AuthMetadataOptions): ReadonlyMap<string, unknown> {
  const own = new URL(getOAuthProtectedResourceMetadataUrl(options.resourceServerUrl)).pathname;
  const resource = buildOAuthProtectedResourceMetadata(options);
  return new Map<string, unknown>([[SERVER, options.oauthMetadata], [own, resource]]);
}

/**
 * The response to a request for one of the two documents; `undefined` for any other path.
 * @param request - The request.
 * @param options - The metadata, and the URL of the resource.
 */
export function oauthMetadataResponse(request: Request, options: AuthMetadataOptions): Response | undefined {
  const path = withoutSlash(new URL(request.url).pathname);
  const own = new URL(getOAuthProtectedResourceMetadataUrl(options.resourceServerUrl)).pathname;
  if (path !== own && path !== SERVER) return undefined;
  const wanted = request.headers.get('access-control-request-headers') ?? undefined;
  const { status, headers, json } = documentAnswer(request.method, wanted, metadataDocuments(options).get(path));
  return json === undefined ? new Response(null, { status, headers }) : Response.json(json, { status, headers });
}
