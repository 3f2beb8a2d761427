/** OAuth for clients. Owns: the list of names. Must not know: transports. */
export { UnauthorizedError } from '../protocol/mcp-error';
export { extractResourceMetadataUrl, extractWWWAuthenticateParams } from '../internal/oauth-challenge';
export {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  selectResourceURL,
} from '../internal/oauth-discovery';
export { auth, isHttpsUrl } from '../internal/oauth-flow';
export {
  exchangeAuthorization,
  fetchToken,
  parseErrorResponse,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from '../internal/oauth-tokens';
export type {
  AddClientAuthentication,
  AuthResult,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthServerInfo,
} from '../internal/oauth-provider';
