/** OAuth for clients. Owns: the list of names. Must not know: transports. */
export { UnauthorizedError } from '../../protocol/mcp-error';
export { extractResourceMetadataUrl, extractWWWAuthenticateParams } from './challenge';
export {
  buildDiscoveryUrls,
  discoverAuthorizationServerMetadata,
  discoverOAuthMetadata,
  discoverOAuthProtectedResourceMetadata,
  discoverOAuthServerInfo,
  selectResourceURL,
} from './discovery';
export { auth } from './flow';
export { isHttpsUrl } from './client-metadata';
export { FileTokenStorage } from './file-storage';
export { LoopbackRedirect, type LoopbackRedirectOptions } from './loopback';
export { OAuth, type OAuthOptions } from './sign-in';
export { signOut } from './sign-out';
export {
  exchangeAuthorization,
  fetchToken,
  parseErrorResponse,
  prepareAuthorizationCodeRequest,
  refreshAuthorization,
  registerClient,
  selectClientAuthMethod,
  startAuthorization,
} from './tokens';
export type {
  AddClientAuthentication,
  AuthResult,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthServerInfo,
} from './provider';
