/**
 * The router of 2.x for an authorization server, whose responses name the issuer (RFC 9207). Owns: that
 * they do where the provider lets them. Must not know: endpoints.
 */
/** @ts-ignore Express is a peer that a program may do without. */
import type { RequestHandler } from 'express';
import type { OAuthMetadata } from '../../protocol/auth';
import { describedServer, routerOf, type AuthRouterOptions } from './router';

/**
 * Makes the metadata of an authorization server from its options; they say whether responses name the
 * issuer.
 *
 * @param options - The provider, the issuer and further URLs.
 * @throws if the issuer is not an HTTPS URL and not on localhost, or has a query or fragment.
 */
export const createOAuthMetadata = (
  options: Pick<
    AuthRouterOptions,
    'provider' | 'issuerUrl' | 'baseUrl' | 'serviceDocumentationUrl' | 'scopesSupported' | 'clientDocumentOptions'
  >,
): OAuthMetadata => describedServer(options, options.provider.authorizationResponseIssParameterSupported ?? true);

/**
 * Returns a router with the endpoints of an authorization server: authorization, token, metadata,
 * and registration and revocation if the provider supports them. Mount it at the root of an app:
 * `app.use(mcpAuthRouter({ provider, issuerUrl }))`.
 * @param options - The provider, the issuer and further URLs.
 */
export function mcpAuthRouter(options: AuthRouterOptions): RequestHandler {
  const authorizationOptions = { issuerUrl: options.issuerUrl, ...options.authorizationOptions };
  return routerOf({ ...options, authorizationOptions }, createOAuthMetadata(options));
}
