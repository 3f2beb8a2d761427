/** The names that 2.x servers and clients both export. Owns: the list. Must not know: either of them. */
export { Protocol } from './protocol';
export type { BaseContext, ClientContext, RequestMethod, RequestOptions, RequestStateAccessor, ServerContext } from './context';
export type { HandlerSchemas as RequestHandlerSchemas } from './handlers';
export {
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
  type MissingRequiredClientCapabilityErrorData,
  type SdkHttpErrorData,
  type UnsupportedProtocolVersionErrorData,
} from './errors';
export { OAuthError, OAuthErrorCode } from './oauth-error';
export { isInputRequiredResult } from './input';
export {
  fromJsonSchema,
  type jsonSchemaValidator,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type JsonSchemaValidatorResult,
  type StandardSchemaV1,
  type StandardSchemaV1Sync,
  type StandardSchemaWithJSON,
} from './standard';
export { isCallToolResult, isJSONRPCResponse, isSpecType, parseJSONRPCMessage, specTypeSchemas, type SpecTypeName, type SpecTypes } from './guards';
export { InMemoryTransport } from '../../common/in-memory';
export { DEFAULT_REQUEST_TIMEOUT_MSEC, mergeCapabilities, type NotificationOptions, type ProgressCallback } from '../../common/peer/protocol';
export { createFetchWithInit, type FetchLike, type Transport, type TransportSendOptions } from '../../protocol/transport';
export { deserializeMessage, ReadBuffer, serializeMessage, STDIO_DEFAULT_MAX_BUFFER_SIZE } from '../../common/stdio-framing';
export { UriTemplate, type Variables } from '../../common/uri-template';
export { isJsonContentType } from '../../protocol/media-type';
export { checkResourceAllowed, resourceUrlFromServerUrl } from '../../common/oauth/resource';
export {
  assertCompleteRequestPrompt,
  assertCompleteRequestResourceTemplate,
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isTaskAugmentedRequestParams,
  JSONRPC_VERSION,
  LATEST_PROTOCOL_VERSION,
  RELATED_TASK_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '../../protocol/types';
/** Every type of the protocol; the types of tools are wider here. */
export type * from '../../protocol/types';
export type { CallToolResult, ListToolsResult, Tool } from './tool-types';
export type * from './type-names';
export type { AuthInfo } from '../../protocol/auth-info';
