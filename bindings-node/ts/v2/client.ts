/**
 * Clients with the names of 2.x: `@modelcontextprotocol/client`. Owns: nothing; what is the same in
 * 1.x is re-exported from there.
 */
export * from '../internal/v2/constants';
export * from '../internal/v2/shared';
export { Client } from '../internal/v2/client';
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
} from '../internal/v2/client-options';
export type { McpSubscription } from '../internal/v2/subscription';
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
} from '../internal/v2/cache';
export { withInputRequired, type InputRequest, type InputRequests, type InputRequiredResult, type InputResponses } from '../internal/v2/input';
export { getSupportedElicitationModes } from '../client/index';
export { SseError, SSEClientTransport, type SSEClientTransportOptions } from '../client/sse';
export {
  StreamableHTTPClientTransport,
  type StartSSEOptions,
  type StreamableHTTPClientTransportOptions,
  type StreamableHTTPReconnectionOptions,
} from '../client/streamableHttp';
export {
  applyMiddlewares,
  createMiddleware,
  withLogging,
  withOAuth,
  type LoggingOptions,
  type Middleware,
  type RequestLogger,
} from '../client/middleware';
export * from '../client/auth';
export type { AuthProvider, UnauthorizedContext } from '../internal/client-credentials';
export * from '../client/auth-extensions';
export * from '../internal/v2/oauth-checks';
export * from '../internal/v2/oauth-to-come';
export { validateClientMetadataUrl } from '../internal/v2/client-metadata';
export { getDisplayName } from '../shared/metadataUtils';
