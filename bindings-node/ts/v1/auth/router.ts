/**
 * Express routers for an authorization server, and for the metadata of a protected resource. Owns:
 * which endpoints there are and where. Must not know: what they respond.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { RequestHandler, Router } from 'express';
import { loadExpress } from '../express-load';
import type { OAuthMetadata, OAuthProtectedResourceMetadata } from '../../protocol/auth';
import { decide } from './decisions';
import { authorizationHandler, type AuthorizationHandlerOptions } from './authorize';
import { withDocuments, type ClientDocumentOptions } from './client-documents';
import { metadataHandler } from './metadata';
import { clientRegistrationHandler, type ClientRegistrationHandlerOptions } from './register';
import { revocationHandler, type RevocationHandlerOptions } from './revoke';
import { tokenHandler, type TokenHandlerOptions } from './token';
import type { OAuthServerProvider } from './provider';

/** Options of `mcpAuthRouter`. */
export type AuthRouterOptions = {
  /** The provider behind the endpoints. */
  provider: OAuthServerProvider;
  /** The issuer identifier of the authorization server: an HTTPS URL, except on localhost. */
  issuerUrl: URL;
  /** The base URL of the endpoints; `issuerUrl` by default. */
  baseUrl?: URL;
  /** The URL of documentation for people. */
  serviceDocumentationUrl?: URL;
  /** The scopes that clients may request. */
  scopesSupported?: string[];
  /** The display name of the protected resource. */
  resourceName?: string;
  /** The URL of the protected resource; `baseUrl` or `issuerUrl` by default. */
  resourceServerUrl?: URL;
  /** Options of the authorization endpoint. */
  authorizationOptions?: Omit<AuthorizationHandlerOptions, 'provider'>;
  /** Options of the registration endpoint. */
  clientRegistrationOptions?: Omit<ClientRegistrationHandlerOptions, 'clientsStore'>;
  /** Options of the revocation endpoint. */
  revocationOptions?: Omit<RevocationHandlerOptions, 'provider'>;
  /** Options of the token endpoint. */
  tokenOptions?: Omit<TokenHandlerOptions, 'provider'>;
  /**
   * With it, `{}` for instance, the id of a client may be the HTTPS URL of a document about it, as the
   * metadata then say; `authorize` has to show users the `clientHost`. Default: clients are those that
   * `clientsStore` knows. Not in the official package.
   */
  clientDocumentOptions?: ClientDocumentOptions;
};

/** Options of `mcpAuthMetadataRouter`. */
export type AuthMetadataOptions = {
  /** The metadata of the authorization server. */
  oauthMetadata: OAuthMetadata;
  /** The URL of the protected resource. */
  resourceServerUrl: URL;
  /** The URL of documentation for people. */
  serviceDocumentationUrl?: URL;
  /** The scopes that clients may request. */
  scopesSupported?: string[];
  /** The display name of the protected resource. */
  resourceName?: string;
};

const INSECURE = ['true', '1'].includes(process.env['MCP_DANGEROUSLY_ALLOW_INSECURE_ISSUER_URL'] ?? '');
if (INSECURE) {
  console.warn('MCP_DANGEROUSLY_ALLOW_INSECURE_ISSUER_URL is enabled - HTTP issuer URLs are allowed. Do not use in production.');
}

function checkIssuer(issuer: URL): void {
  decide('issuer_url', { url: issuer.href, insecure: INSECURE });
}

/**
 * Makes the metadata of an authorization server from its options.
 *
 * @param options - The provider, the issuer and further URLs.
 * @throws if the issuer is not an HTTPS URL and not on localhost, or has a query or fragment.
 */
export const createOAuthMetadata = (options: MetadataOptions): OAuthMetadata => describedServer(options);

/** The options that its metadata follow from. */
type MetadataOptions = Pick<
  AuthRouterOptions,
  'provider' | 'issuerUrl' | 'baseUrl' | 'serviceDocumentationUrl' | 'scopesSupported' | 'clientDocumentOptions'
>;

/**
 * The metadata; `names_issuer` is whether responses name the issuer, where that is said.
 * @param options - The provider, the issuer and further URLs.
 * @param names_issuer - Whether authorization responses name the issuer.
 */
export function describedServer(options: MetadataOptions, names_issuer?: boolean): OAuthMetadata {
  const { provider, issuerUrl: issuer, baseUrl, serviceDocumentationUrl, scopesSupported } = options;
  checkIssuer(issuer);
  const document = decide<Record<string, unknown>>('server_document', {
    issuer: issuer.href,
    base: baseUrl?.href,
    documentation: serviceDocumentationUrl?.href,
    scopes: scopesSupported,
    registers: Boolean(provider.clientsStore.registerClient),
    revokes: Boolean(provider.revokeToken),
    assertions: Boolean(provider.exchangeIdentityAssertion),
    reads_documents: Boolean(options.clientDocumentOptions),
    names_issuer,
  });
  const members = Object.entries(document).map(([name, value]) => [name, value ?? undefined]);
  return Object.fromEntries(members) as OAuthMetadata;
}

function pathOf(endpoint: string): string {
  return new URL(endpoint).pathname;
}

/**
 * Returns a router with the endpoints of an authorization server: authorization, token, metadata,
 * and registration and revocation if the provider supports them. Mount it at the root of an app:
 * `app.use(mcpAuthRouter({ provider, issuerUrl }))`.
 * @param options - The provider, the issuer and further URLs.
 */
export function mcpAuthRouter(options: AuthRouterOptions): RequestHandler {
  return routerOf(options, createOAuthMetadata(options));
}

/**
 * The router of a server with these metadata.
 * @param options - The provider, the issuer and further URLs.
 * @param oauthMetadata - The metadata.
 */
export function routerOf(options: AuthRouterOptions, oauthMetadata: OAuthMetadata): RequestHandler {
  const { resourceServerUrl, baseUrl, serviceDocumentationUrl, scopesSupported, resourceName, clientDocumentOptions } = options;
  const provider = clientDocumentOptions ? withDocuments(options.provider, clientDocumentOptions) : options.provider;
  const router = loadExpress('mcpAuthRouter').Router();
  router.use(pathOf(oauthMetadata.authorization_endpoint), authorizationHandler({ provider, ...options.authorizationOptions }));
  router.use(pathOf(oauthMetadata.token_endpoint), tokenHandler({ provider, ...options.tokenOptions }));
  const protectedUrl = resourceServerUrl ?? baseUrl ?? new URL(oauthMetadata.issuer);
  router.use(
    mcpAuthMetadataRouter({ oauthMetadata, resourceServerUrl: protectedUrl, serviceDocumentationUrl, scopesSupported, resourceName }),
  );
  const { registration_endpoint, revocation_endpoint } = oauthMetadata;
  if (registration_endpoint) {
    const { clientsStore } = options.provider;
    router.use(pathOf(registration_endpoint), clientRegistrationHandler({ clientsStore, ...options.clientRegistrationOptions }));
  }
  if (revocation_endpoint) {
    router.use(pathOf(revocation_endpoint), revocationHandler({ provider, ...options.revocationOptions }));
  }
  return router;
}

/**
 * Returns a router with two metadata documents: of the protected resource, and of the authorization
 * server that issues its tokens.
 * @param options - The metadata, and the URL of the resource.
 */
export function mcpAuthMetadataRouter(options: AuthMetadataOptions): Router {
  const { oauthMetadata, resourceServerUrl, scopesSupported, resourceName, serviceDocumentationUrl } = options;
  checkIssuer(new URL(oauthMetadata.issuer));
  const router = loadExpress('mcpAuthMetadataRouter').Router();
  const described: OAuthProtectedResourceMetadata = {
    resource: resourceServerUrl.href,
    authorization_servers: [oauthMetadata.issuer],
    scopes_supported: scopesSupported,
    resource_name: resourceName,
    resource_documentation: serviceDocumentationUrl?.href,
  };
  router.use(pathOf(getOAuthProtectedResourceMetadataUrl(resourceServerUrl)), metadataHandler(described));
  router.use('/.well-known/oauth-authorization-server', metadataHandler(oauthMetadata));
  return router;
}

/**
 * The URL of a protected resource's metadata: for `https://a/mcp` it is
 * `https://a/.well-known/oauth-protected-resource/mcp`.
 * @param serverUrl - The URL of the resource.
 */
export function getOAuthProtectedResourceMetadataUrl(serverUrl: URL): string {
  return decide<string>('resource_metadata_url', { url: serverUrl.href });
}
