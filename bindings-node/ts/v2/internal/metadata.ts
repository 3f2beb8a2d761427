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

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
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

function preflight(request: Request): Response {
  const wanted = request.headers.get('access-control-request-headers');
  const headers = new Headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': METHODS });
  if (wanted !== null) {
    headers.set('Access-Control-Allow-Headers', wanted);
    headers.set('Vary', 'Access-Control-Request-Headers');
  }
  return new Response(null, { status: 204, headers });
}

function document(request: Request, metadata: unknown): Response {
  const headers = { 'Access-Control-Allow-Origin': '*' };
  if (request.method === 'OPTIONS') return preflight(request);
  if (request.method === 'GET') return Response.json(metadata, { headers });
  if (request.method === 'HEAD') return new Response(null, { headers: { ...headers, 'content-type': 'application/json' } });
  const words = `The method ${request.method} is not allowed for this endpoint`;
  const error = new OAuthError(OAuthErrorCode.MethodNotAllowed, words);
  return Response.json(error.toResponseObject(), { status: 405, headers: { ...headers, Allow: METHODS } });
}

/**
 * The response to a request for one of the two documents; `undefined` for any other path.
 * @param request - The request.
 * @param options - The metadata, and the URL of the resource.
 */
export function oauthMetadataResponse(request: Request, options: AuthMetadataOptions): Response | undefined {
  const path = withoutSlash(new URL(request.url).pathname);
  const own = new URL(getOAuthProtectedResourceMetadataUrl(options.resourceServerUrl)).pathname;
  if (path === own) return document(request, buildOAuthProtectedResourceMetadata(options));
  if (path !== SERVER) return undefined;
  buildOAuthProtectedResourceMetadata(options);
  return document(request, options.oauthMetadata);
}
