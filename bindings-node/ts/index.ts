/**
 * The names that programs need most. Owns: nothing; each name is re-exported from its subpath. In
 * CommonJS a module is loaded when the first of its names is used, so that a server does not load
 * the client.
 */
export {
  Server,
  type Action,
  type Asker,
  type Audit,
  type AuditRecord,
  type Authorize,
  type SanitizeResult,
  type ServerGuards,
  type ServerOptions,
  type Verdict,
} from './server/index';
export {
  McpServer,
  ResourceTemplate,
  type McpServerOptions,
  type RegisteredPrompt,
  type RegisteredResource,
  type RegisteredResourceTemplate,
  type RegisteredTool,
  type ToolCallback,
} from './server/mcp';
export { completable } from './server/completable';
export { StdioServerTransport } from './server/stdio';
export { StreamableHTTPServerTransport, type StreamableHTTPServerTransportOptions } from './server/streamableHttp';
export { WebStandardStreamableHTTPServerTransport } from './server/webStandardStreamableHttp';
export { SSEServerTransport } from './server/sse';
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions, type HttpListener, type ListenOptions } from './server/http';
export { Client, type ClientOptions } from './client/index';
export { ClientSession } from './session';
export { Host, type HostConfig, type HostOptions, type HostServerConfig, type HostTool } from './host';
export { StdioClientTransport, type StdioServerParameters } from './client/stdio';
export { StreamableHTTPClientTransport, type StreamableHTTPClientTransportOptions } from './client/streamableHttp';
export { SSEClientTransport } from './client/sse';
export { WebSocketClientTransport } from './client/websocket';
export { UnauthorizedError } from './client/auth';
export {
  ConnectionClosedError,
  ForbiddenError,
  OverloadedError,
  ProtocolViolationError,
  RequestCancelledError,
  RequestTimeoutError,
  StoreError,
  TransportError,
  UsageError,
} from './internal/mcp-error';
export { InMemoryTransport } from './inMemory';
export { Protocol, type ProtocolOptions, type RequestHandlerExtra, type RequestOptions } from './shared/protocol';
export type { Transport, TransportSendOptions } from './shared/transport';
export { UriTemplate } from './shared/uriTemplate';
export * from './types';
