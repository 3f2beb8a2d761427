/**
 * Servers with the names of 2.x: `@modelcontextprotocol/server`. Owns: nothing; what is the same in
 * 1.x comes from `common`.
 */
export * from './internal/constants';
export * from './internal/shared';
export { Server } from './internal/server';
export type { CacheableResultMethod, CacheHint, ProtocolOptions, ServerOptions } from './internal/server-options';
export type {
  Action,
  Asker,
  Audit,
  AuditRecord,
  Authorize,
  SanitizeResult,
  ServerGuards,
  Verdict,
} from '../engine/guarding';
export { McpServer } from './internal/mcp';
export type { RegisteredResourceTemplate } from './internal/mcp-lookup';
export type {
  AnyToolHandler,
  BaseToolCallback,
  ListResourcesCallback,
  LegacyPromptCallback,
  LegacyToolCallback,
  McpServerOptions,
  PromptCallback,
  ReadResourceCallback,
  ReadResourceTemplateCallback,
  RegisteredPrompt,
  RegisteredResource,
  RegisteredTool,
  ResourceMetadata,
  ToolCallback,
  ZodRawShape,
} from './internal/mcp-types';
export { ResourceTemplate, type CompleteResourceTemplateCallback } from './internal/template';
export { completable, isCompletable, type CompletableSchema, type CompleteCallback } from '../common/mcp/completable';
export type { CacheScope } from './internal/cache';
export type { IdJagTokenExchangeResponse } from './internal/oauth-checks';
export {
  createMcpHandler,
  type CreateMcpHandlerOptions,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServerFactory,
} from './internal/endpoint';
export {
  isLegacyRequest,
  legacyStatelessFallback,
  type IsLegacyRequestOptions,
  type LegacyHttpHandler,
  type LegacyStatelessFallbackOptions,
} from './internal/legacy';
export * from './internal/classify';
export {
  PerRequestHTTPServerTransport,
  type PerRequestHTTPServerTransportOptions,
  type PerRequestMessageExtra,
  type PerRequestResponseMode,
} from './internal/per-request';
export { InMemoryServerEventBus, type ServerEvent, type ServerEventBus, type ServerNotifier } from './internal/events';
export {
  WebStandardStreamableHTTPServerTransport,
  type EventId,
  type EventStore,
  type HandleRequestOptions,
  type StreamId,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '../common/server/web-standard-http';
export { DEFAULT_MAX_REQUEST_BODY_SIZE, readRequestBody } from '../engine/http/request-body';
export { createRequestStateCodec, type RequestStateCodec, type RequestStateCodecOptions } from './internal/state';
export { requireScopes, type ScopeChallenge, type ScopeChallengeHandler } from './internal/scopes';
export {
  bearerAuthChallengeResponse,
  requireBearerAuth,
  verifyBearerToken,
  type BearerAuthOptions,
  type OAuthTokenVerifier,
  type VerifyBearerTokenOptions,
} from './internal/bearer';
export { ResourceServer } from './internal/resource-server';
export type { CheckedRequest, ResourceServerOptions } from '../common/oauth/resource-server';
export {
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
  type AuthMetadataOptions,
} from './internal/metadata';
export {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
  validateOriginHeader,
  type HostHeaderValidationResult,
  type OriginValidationResult,
} from '../common/server/hosts';
export { acceptedContent, inputRequired, inputResponse } from './internal/input';
export type {
  ElicitInputParams,
  InputRequest,
  InputRequests,
  InputRequiredBuilder,
  InputRequiredResult,
  InputRequiredSpec,
  InputResponses,
  InputResponseView,
} from './internal/input';
export { getDisplayName } from '../protocol/display-name';
