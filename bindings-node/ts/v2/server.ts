/**
 * Servers with the names of 2.x: `@modelcontextprotocol/server`. Owns: nothing; what is the same in
 * 1.x is re-exported from there.
 */
export * from '../internal/v2/constants';
export * from '../internal/v2/shared';
export { Server, type CacheableResultMethod, type CacheHint, type ProtocolOptions, type ServerOptions } from '../internal/v2/server';
export type {
  Action,
  Asker,
  Audit,
  AuditRecord,
  Authorize,
  SanitizeResult,
  ServerGuards,
  Verdict,
} from '../internal/guarding';
export { McpServer, type RegisteredResourceTemplate } from '../internal/v2/mcp';
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
} from '../internal/v2/mcp-types';
export { ResourceTemplate, type CompleteResourceTemplateCallback } from '../internal/v2/template';
export { completable, isCompletable, type CompleteCallback } from '../server/completable';
export {
  createMcpHandler,
  type CreateMcpHandlerOptions,
  type McpHandlerRequestOptions,
  type McpHttpHandler,
  type McpRequestContext,
  type McpServerFactory,
} from '../internal/v2/endpoint';
export {
  isLegacyRequest,
  legacyStatelessFallback,
  type IsLegacyRequestOptions,
  type LegacyHttpHandler,
  type LegacyStatelessFallbackOptions,
} from '../internal/v2/legacy';
export * from '../internal/v2/classify';
export {
  PerRequestHTTPServerTransport,
  type PerRequestHTTPServerTransportOptions,
  type PerRequestMessageExtra,
  type PerRequestResponseMode,
} from '../internal/v2/per-request';
export { InMemoryServerEventBus, type ServerEvent, type ServerEventBus, type ServerNotifier } from '../internal/v2/events';
export {
  WebStandardStreamableHTTPServerTransport,
  type EventId,
  type EventStore,
  type HandleRequestOptions,
  type StreamId,
  type WebStandardStreamableHTTPServerTransportOptions,
} from '../server/webStandardStreamableHttp';
export { DEFAULT_MAX_REQUEST_BODY_SIZE, readRequestBody } from '../server/requestBody';
export { createRequestStateCodec, type RequestStateCodec, type RequestStateCodecOptions } from '../internal/v2/state';
export { requireScopes, type ScopeChallenge, type ScopeChallengeHandler } from '../internal/v2/scopes';
export {
  bearerAuthChallengeResponse,
  requireBearerAuth,
  verifyBearerToken,
  type BearerAuthOptions,
  type OAuthTokenVerifier,
  type VerifyBearerTokenOptions,
} from '../internal/v2/bearer';
export {
  buildOAuthProtectedResourceMetadata,
  getOAuthProtectedResourceMetadataUrl,
  oauthMetadataResponse,
  type AuthMetadataOptions,
} from '../internal/v2/metadata';
export {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
  validateOriginHeader,
  type HostHeaderValidationResult,
  type OriginValidationResult,
} from '../internal/v2/hosts';
export { acceptedContent, inputRequired, inputResponse } from '../internal/v2/input';
export type {
  ElicitInputParams,
  InputRequest,
  InputRequests,
  InputRequiredBuilder,
  InputRequiredResult,
  InputRequiredSpec,
  InputResponses,
  InputResponseView,
} from '../internal/v2/input';
export { getDisplayName } from '../shared/metadataUtils';
