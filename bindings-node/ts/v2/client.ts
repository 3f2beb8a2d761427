/**
 * Clients with the names of 2.x: `@modelcontextprotocol/client`. Owns: nothing; what is the same in
 * 1.x comes from `common`.
 */
export * from './internal/constants';
export * from './internal/shared';
export { Client } from './internal/client';
export type {
  CacheableRequestOptions,
  CallToolRequestOptions,
  ClientOptions,
  ConnectOptions,
  InputRequiredOptions,
  PriorDiscovery,
  VersionNegotiationMode,
  VersionNegotiationOptions,
  VersionNegotiationProbeOptions,
} from './internal/client-options';
export type { ProtocolOptions } from './internal/server-options';
export type { MessageClassification } from './internal/classify';
export type { ReconnectionScheduler } from './internal/client-types';
export type { McpSubscription } from './internal/subscription';
export {
  InMemoryResponseCacheStore,
  MAX_CACHE_TTL_MS,
  type CacheEntry,
  type CacheKey,
  type CacheMode,
  type CacheScope,
  type InMemoryResponseCacheStoreOptions,
  type MaybePromise,
  type ResponseCacheStore,
} from './internal/cache';
export { withInputRequired, type InputRequest, type InputRequests, type InputRequiredResult, type InputResponses } from './internal/input';
export { getSupportedElicitationModes } from '../common/peer/answers';
export { SseError, SSEClientTransport, type SSEClientTransportOptions } from '../common/client/sse';
export {
  StreamableHTTPClientTransport,
  type StartSSEOptions,
  type StreamableHTTPClientTransportOptions,
  type StreamableHTTPReconnectionOptions,
} from '../common/client/streamable-http';
export {
  applyMiddlewares,
  createMiddleware,
  withLogging,
  type LoggingOptions,
  type Middleware,
  type RequestLogger,
} from '../common/client/middleware';
export * from '../common/oauth/client';
export {
  auth,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  fetchToken,
  parseErrorResponse,
  refreshAuthorization,
  registerClient,
  withOAuth,
} from './internal/oauth-functions';
export type { AuthProvider, UnauthorizedContext } from '../common/client/credentials';
export type { AuthorizeOptions as AuthOptions, OAuthClientInformationContext } from '../common/oauth/provider';
export type { ClientAuthMethod } from '../common/oauth/tokens';
export {
  ClientCredentialsProvider,
  createPrivateKeyJwtAuth,
  PrivateKeyJwtProvider,
  StaticPrivateKeyJwtProvider,
  type ClientCredentialsProviderOptions,
  type PrivateKeyJwtProviderOptions,
  type StaticPrivateKeyJwtProviderOptions,
} from '../common/oauth/extensions';
export * from './internal/oauth-checks';
export * from './internal/oauth-jag';
export {
  DPOP_SUPPORTED_ALGS,
  DpopSession,
  generateDpopKeyPair,
  isDpopNonceChallenge,
  withDpop,
  withDpopFromProvider,
  type DpopAlg,
  type DpopKeyPair,
  type DpopProofRequest,
  type DpopSessionSource,
  type DpopTokenSource,
  type GenerateDpopKeyPairOptions,
} from '../common/oauth/dpop';
export { validateClientMetadataUrl } from './internal/client-metadata';
export { getDisplayName } from '../protocol/display-name';
