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
} from './v1/server';
export {
  McpServer,
  ResourceTemplate,
  type McpServerOptions,
  type RegisteredPrompt,
  type RegisteredResource,
  type RegisteredResourceTemplate,
  type RegisteredTool,
  type ToolCallback,
} from './v1/mcp';
export { completable } from './common/mcp/completable';
export { StdioServerTransport } from './common/server/stdio';
export { StreamableHTTPServerTransport, type StreamableHTTPServerTransportOptions } from './common/server/streamable-http';
export { WebStandardStreamableHTTPServerTransport } from './common/server/web-standard-http';
export { SSEServerTransport } from './v1/sse-server';
export { createHttpHandler, type HttpHandler, type HttpHandlerOptions, type HttpListener, type ListenOptions } from './v1/http';
export { Client, type ClientOptions } from './v1/client';
export { ClientSession } from './session';
export { Host, type HostConfig, type HostOptions, type HostServerConfig, type HostTool } from './v1/host';
export { StdioClientTransport, type StdioServerParameters } from './common/client/stdio';
export { StreamableHTTPClientTransport, type StreamableHTTPClientTransportOptions } from './common/client/streamable-http';
export { SSEClientTransport } from './common/client/sse';
export { WebSocketClientTransport } from './v1/websocket';
export { OAuth, type OAuthOptions, UnauthorizedError } from './common/oauth/client';
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
} from './protocol/mcp-error';
export { InMemoryTransport } from './common/in-memory';
export { Protocol, type ProtocolOptions, type RequestHandlerExtra, type RequestOptions } from './common/peer/protocol';
export type { Transport, TransportSendOptions } from './protocol/transport';
export { UriTemplate } from './common/uri-template';
export * from './protocol/types';
