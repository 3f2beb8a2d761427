/**
 * The protocol as its specification writes it: requests and notifications are whole messages, with
 * `jsonrpc` and ids. Owns: that difference to `types`. Must not know: schemas; there are only types
 * here, and error codes.
 */
import type * as t from '../protocol/types';

export type {
  Annotations,
  AudioContent,
  BaseMetadata,
  BlobResourceContents,
  BooleanSchema,
  CallToolRequestParams,
  CallToolResult,
  CancelTaskResult,
  CancelledNotificationParams,
  ClientCapabilities,
  ClientResult,
  CompleteRequestParams,
  CompleteResult,
  ContentBlock,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateTaskResult,
  Cursor,
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitRequestURLParams,
  ElicitResult,
  EmbeddedResource,
  EmptyResult,
  EnumSchema,
  GetPromptRequestParams,
  GetPromptResult,
  GetTaskPayloadResult,
  GetTaskResult,
  Icon,
  Icons,
  ImageContent,
  Implementation,
  InitializeRequestParams,
  InitializeResult,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  LegacyTitledEnumSchema,
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListResourcesResult,
  ListRootsResult,
  ListTasksResult,
  ListToolsResult,
  LoggingLevel,
  LoggingMessageNotificationParams,
  ModelHint,
  ModelPreferences,
  MultiSelectEnumSchema,
  Notification,
  NotificationParams,
  NumberSchema,
  PaginatedRequestParams,
  PaginatedResult,
  PrimitiveSchemaDefinition,
  ProgressNotificationParams,
  ProgressToken,
  Prompt,
  PromptArgument,
  PromptMessage,
  PromptReference,
  ReadResourceRequestParams,
  ReadResourceResult,
  RelatedTaskMetadata,
  Request,
  RequestId,
  RequestParams,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceRequestParams,
  ResourceTemplate,
  ResourceTemplateReference,
  ResourceUpdatedNotificationParams,
  Result,
  Role,
  Root,
  SamplingMessage,
  SamplingMessageContentBlock,
  ServerCapabilities,
  ServerResult,
  SetLevelRequestParams,
  SingleSelectEnumSchema,
  StringSchema,
  SubscribeRequestParams,
  Task,
  TaskAugmentedRequestParams,
  TaskMetadata,
  TaskStatus,
  TaskStatusNotificationParams,
  TextContent,
  TextResourceContents,
  TitledMultiSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  Tool,
  ToolAnnotations,
  ToolChoice,
  ToolExecution,
  ToolResultContent,
  ToolUseContent,
  UnsubscribeRequestParams,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from '../protocol/types';

/** The version string of the draft that the official module was generated from. */
export const LATEST_PROTOCOL_VERSION = 'DRAFT-2026-v1';
/** The value of `jsonrpc` in every message. */
export const JSONRPC_VERSION = '2.0';
/** Error code: the message is not valid JSON. */
export const PARSE_ERROR = -32700;
/** Error code: the message is not a valid request. */
export const INVALID_REQUEST = -32600;
/** Error code: the method is unknown. */
export const METHOD_NOT_FOUND = -32601;
/** Error code: the parameters are not valid for the method. */
export const INVALID_PARAMS = -32602;
/** Error code: the receiver failed. */
export const INTERNAL_ERROR = -32603;
/** Error code: the user has to visit a URL first. */
export const URL_ELICITATION_REQUIRED = -32042;

/** The error object of a response. */
export interface Error {
  /** The error code. */
  code: number;
  /** A short description of the error. */
  message: string;
  /** Additional information about the error. */
  data?: unknown;
}

/** The error response that asks the user to visit URLs first. */
export interface URLElicitationRequiredError extends Omit<t.JSONRPCErrorResponse, 'error'> {
  /** The error object, with the URLs in its data. */
  error: Error & {
    code: typeof URL_ELICITATION_REQUIRED;
    data: { elicitations: t.ElicitRequestURLParams[]; [key: string]: unknown };
  };
}

type Asked<R> = R extends unknown ? R & { jsonrpc: typeof JSONRPC_VERSION; id: t.RequestId } : never;
type Sent<N> = N extends unknown ? N & { jsonrpc: typeof JSONRPC_VERSION } : never;

/** `CancelledNotification` as a message. */
export type CancelledNotification = Sent<t.CancelledNotification>;
/** `InitializeRequest` as a message. */
export type InitializeRequest = Asked<t.InitializeRequest>;
/** `InitializedNotification` as a message. */
export type InitializedNotification = Sent<t.InitializedNotification>;
/** `PingRequest` as a message. */
export type PingRequest = Asked<t.PingRequest>;
/** `ProgressNotification` as a message. */
export type ProgressNotification = Sent<t.ProgressNotification>;
/** `ListResourcesRequest` as a message. */
export type ListResourcesRequest = Asked<t.ListResourcesRequest>;
/** `ListResourceTemplatesRequest` as a message. */
export type ListResourceTemplatesRequest = Asked<t.ListResourceTemplatesRequest>;
/** `ReadResourceRequest` as a message. */
export type ReadResourceRequest = Asked<t.ReadResourceRequest>;
/** `ResourceListChangedNotification` as a message. */
export type ResourceListChangedNotification = Sent<t.ResourceListChangedNotification>;
/** `SubscribeRequest` as a message. */
export type SubscribeRequest = Asked<t.SubscribeRequest>;
/** `UnsubscribeRequest` as a message. */
export type UnsubscribeRequest = Asked<t.UnsubscribeRequest>;
/** `ResourceUpdatedNotification` as a message. */
export type ResourceUpdatedNotification = Sent<t.ResourceUpdatedNotification>;
/** `ListPromptsRequest` as a message. */
export type ListPromptsRequest = Asked<t.ListPromptsRequest>;
/** `GetPromptRequest` as a message. */
export type GetPromptRequest = Asked<t.GetPromptRequest>;
/** `PromptListChangedNotification` as a message. */
export type PromptListChangedNotification = Sent<t.PromptListChangedNotification>;
/** `ListToolsRequest` as a message. */
export type ListToolsRequest = Asked<t.ListToolsRequest>;
/** `CallToolRequest` as a message. */
export type CallToolRequest = Asked<t.CallToolRequest>;
/** `ToolListChangedNotification` as a message. */
export type ToolListChangedNotification = Sent<t.ToolListChangedNotification>;
/** `GetTaskRequest` as a message. */
export type GetTaskRequest = Asked<t.GetTaskRequest>;
/** `GetTaskPayloadRequest` as a message. */
export type GetTaskPayloadRequest = Asked<t.GetTaskPayloadRequest>;
/** `CancelTaskRequest` as a message. */
export type CancelTaskRequest = Asked<t.CancelTaskRequest>;
/** `ListTasksRequest` as a message. */
export type ListTasksRequest = Asked<t.ListTasksRequest>;
/** `TaskStatusNotification` as a message. */
export type TaskStatusNotification = Sent<t.TaskStatusNotification>;
/** `SetLevelRequest` as a message. */
export type SetLevelRequest = Asked<t.SetLevelRequest>;
/** `LoggingMessageNotification` as a message. */
export type LoggingMessageNotification = Sent<t.LoggingMessageNotification>;
/** `CreateMessageRequest` as a message. */
export type CreateMessageRequest = Asked<t.CreateMessageRequest>;
/** `CompleteRequest` as a message. */
export type CompleteRequest = Asked<t.CompleteRequest>;
/** `ListRootsRequest` as a message. */
export type ListRootsRequest = Asked<t.ListRootsRequest>;
/** `RootsListChangedNotification` as a message. */
export type RootsListChangedNotification = Sent<t.RootsListChangedNotification>;
/** `ElicitRequest` as a message. */
export type ElicitRequest = Asked<t.ElicitRequest>;
/** `ElicitationCompleteNotification` as a message. */
export type ElicitationCompleteNotification = Sent<t.ElicitationCompleteNotification>;
/** `PaginatedRequest` as a message. */
export type PaginatedRequest = Asked<t.PaginatedRequest>;
/** `ClientRequest` as a message. */
export type ClientRequest = Asked<t.ClientRequest>;
/** `ServerRequest` as a message. */
export type ServerRequest = Asked<t.ServerRequest>;
/** `ClientNotification` as a message. */
export type ClientNotification = Sent<t.ClientNotification>;
/** `ServerNotification` as a message. */
export type ServerNotification = Sent<t.ServerNotification>;
