/**
 * The types and schemas of the 1.x face. Written by `cargo xtask generate`; do not edit.
 */
import { specSchema, type SpecSchema } from '../protocol/schema/schema';
import type * as t from './types';

export type {
  ProgressToken,
  Cursor,
  TaskCreationParams,
  TaskMetadata,
  RelatedTaskMetadata,
  RequestMeta,
  RequestParams,
  TaskAugmentedRequestParams,
  Request,
  NotificationParams,
  Notification,
  Result,
  RequestId,
  JSONRPCRequest,
  JSONRPCNotification,
  JSONRPCResultResponse,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCResponse,
  EmptyResult,
  CancelledNotificationParams,
  CancelledNotification,
  Icon,
  Icons,
  BaseMetadata,
  Implementation,
  ClientCapabilities,
  InitializeRequestParams,
  InitializeRequest,
  ServerCapabilities,
  InitializeResult,
  InitializedNotification,
  PingRequest,
  Progress,
  ProgressNotificationParams,
  ProgressNotification,
  PaginatedRequestParams,
  PaginatedRequest,
  PaginatedResult,
  TaskStatus,
  Task,
  CreateTaskResult,
  TaskStatusNotificationParams,
  TaskStatusNotification,
  GetTaskRequest,
  GetTaskResult,
  GetTaskPayloadRequest,
  GetTaskPayloadResult,
  ListTasksRequest,
  ListTasksResult,
  CancelTaskRequest,
  CancelTaskResult,
  ResourceContents,
  TextResourceContents,
  BlobResourceContents,
  Role,
  Annotations,
  Resource,
  ResourceTemplate,
  ListResourcesRequest,
  ListResourcesResult,
  ListResourceTemplatesRequest,
  ListResourceTemplatesResult,
  ResourceRequestParams,
  ReadResourceRequestParams,
  ReadResourceRequest,
  ReadResourceResult,
  ResourceListChangedNotification,
  SubscribeRequestParams,
  SubscribeRequest,
  UnsubscribeRequestParams,
  UnsubscribeRequest,
  ResourceUpdatedNotificationParams,
  ResourceUpdatedNotification,
  PromptArgument,
  Prompt,
  ListPromptsRequest,
  ListPromptsResult,
  GetPromptRequestParams,
  GetPromptRequest,
  TextContent,
  ImageContent,
  AudioContent,
  ToolUseContent,
  EmbeddedResource,
  ResourceLink,
  ContentBlock,
  PromptMessage,
  GetPromptResult,
  PromptListChangedNotification,
  ToolAnnotations,
  ToolExecution,
  Tool,
  ListToolsRequest,
  ListToolsResult,
  CallToolResult,
  CompatibilityCallToolResult,
  CallToolRequestParams,
  CallToolRequest,
  ToolListChangedNotification,
  LoggingLevel,
  SetLevelRequestParams,
  SetLevelRequest,
  LoggingMessageNotificationParams,
  LoggingMessageNotification,
  ModelHint,
  ModelPreferences,
  ToolChoice,
  ToolResultContent,
  SamplingContent,
  SamplingMessageContentBlock,
  SamplingMessage,
  CreateMessageRequestParams,
  CreateMessageRequest,
  CreateMessageResult,
  CreateMessageResultWithTools,
  BooleanSchema,
  StringSchema,
  NumberSchema,
  UntitledSingleSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  LegacyTitledEnumSchema,
  SingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  TitledMultiSelectEnumSchema,
  MultiSelectEnumSchema,
  EnumSchema,
  PrimitiveSchemaDefinition,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitRequestParams,
  ElicitRequest,
  ElicitationCompleteNotificationParams,
  ElicitationCompleteNotification,
  ElicitResult,
  ResourceTemplateReference,
  PromptReference,
  CompleteRequestParams,
  CompleteRequest,
  CompleteResult,
  Root,
  ListRootsRequest,
  ListRootsResult,
  RootsListChangedNotification,
  ClientRequest,
  ClientNotification,
  ClientResult,
  ServerRequest,
  ServerNotification,
  ServerResult,
} from './types';

/** Ties progress to the request it is about. */
export const ProgressTokenSchema: SpecSchema<t.ProgressToken> = /* @__PURE__ */ specSchema('ProgressToken');

/** Where the next page begins; only its maker can read it. */
export const CursorSchema: SpecSchema<t.Cursor> = /* @__PURE__ */ specSchema('Cursor');

/** How a task is to be made. */
export const TaskCreationParamsSchema: SpecSchema<t.TaskCreationParams> = /* @__PURE__ */ specSchema('TaskCreationParams');

/** Asks for a request to run as a task. 2025-11-25 only. */
export const TaskMetadataSchema: SpecSchema<t.TaskMetadata> = /* @__PURE__ */ specSchema('TaskMetadata');

/** Says in `_meta` which task a message belongs to. 2025-11-25 only. */
export const RelatedTaskMetadataSchema: SpecSchema<t.RelatedTaskMetadata> = /* @__PURE__ */ specSchema('RelatedTaskMetadata');

/** Parameters of a request that may become a task. */
export const TaskAugmentedRequestParamsSchema: SpecSchema<t.TaskAugmentedRequestParams> = /* @__PURE__ */ specSchema('TaskAugmentedRequestParams');

/** Any request. */
export const RequestSchema: SpecSchema<t.Request> = /* @__PURE__ */ specSchema('Request');

/** Any notification. */
export const NotificationSchema: SpecSchema<t.Notification> = /* @__PURE__ */ specSchema('Notification');

/** Any result. */
export const ResultSchema: SpecSchema<t.Result> = /* @__PURE__ */ specSchema('Result');

/** The id of a request. */
export const RequestIdSchema: SpecSchema<t.RequestId> = /* @__PURE__ */ specSchema('RequestId');

/** A request as a message. */
export const JSONRPCRequestSchema: SpecSchema<t.JSONRPCRequest> = /* @__PURE__ */ specSchema('JSONRPCRequest');

/** A notification as a message. */
export const JSONRPCNotificationSchema: SpecSchema<t.JSONRPCNotification> = /* @__PURE__ */ specSchema('JSONRPCNotification');

/** A result as a message. */
export const JSONRPCResultResponseSchema: SpecSchema<t.JSONRPCResultResponse> = /* @__PURE__ */ specSchema('JSONRPCResultResponse');

/** An error as a message. */
export const JSONRPCErrorResponseSchema: SpecSchema<t.JSONRPCErrorResponse> = /* @__PURE__ */ specSchema('JSONRPCErrorResponse');

/**
 * The old name of `JSONRPCErrorResponseSchema`.
 * @deprecated Use `JSONRPCErrorResponseSchema`.
 */
export const JSONRPCErrorSchema = JSONRPCErrorResponseSchema;

/** Any message. */
export const JSONRPCMessageSchema: SpecSchema<t.JSONRPCMessage> = /* @__PURE__ */ specSchema('JSONRPCMessage');

/** An answer as a message. */
export const JSONRPCResponseSchema: SpecSchema<t.JSONRPCResponse> = /* @__PURE__ */ specSchema('JSONRPCResponse');

/** A result without members of its own. */
export const EmptyResultSchema: SpecSchema<t.EmptyResult> = /* @__PURE__ */ specSchema('EmptyResult');

/** Params of `notifications/cancelled`. */
export const CancelledNotificationParamsSchema: SpecSchema<t.CancelledNotificationParams> = /* @__PURE__ */ specSchema('CancelledNotificationParams');

/** Notification `notifications/cancelled` from either side. */
export const CancelledNotificationSchema: SpecSchema<t.CancelledNotification, 'notifications/cancelled'> = /* @__PURE__ */ specSchema('CancelledNotification');

/** A picture that stands for something. Since 2025-11-25. */
export const IconSchema: SpecSchema<t.Icon> = /* @__PURE__ */ specSchema('Icon');

/** Has pictures. */
export const IconsSchema: SpecSchema<t.Icons> = /* @__PURE__ */ specSchema('Icons');

/** Has a name for programs and one for people. */
export const BaseMetadataSchema: SpecSchema<t.BaseMetadata> = /* @__PURE__ */ specSchema('BaseMetadata');

/** Name and version of a program. For display only: never decide by it. */
export const ImplementationSchema: SpecSchema<t.Implementation> = /* @__PURE__ */ specSchema('Implementation');

/** What the client can do with tasks. 2025-11-25 only. */
export const ClientTasksCapabilitySchema: SpecSchema<t.ClientTasksCapability> = /* @__PURE__ */ specSchema('ClientTasksCapability');

/** What the server can do with tasks. 2025-11-25 only. */
export const ServerTasksCapabilitySchema: SpecSchema<t.ServerTasksCapability> = /* @__PURE__ */ specSchema('ServerTasksCapability');

/** What a client can do. */
export const ClientCapabilitiesSchema: SpecSchema<t.ClientCapabilities> = /* @__PURE__ */ specSchema('ClientCapabilities');

/** Params of `initialize` (before 2026-07-28). */
export const InitializeRequestParamsSchema: SpecSchema<t.InitializeRequestParams> = /* @__PURE__ */ specSchema('InitializeRequestParams');

/** Request `initialize` from the client. Until 2025-11-25. */
export const InitializeRequestSchema: SpecSchema<t.InitializeRequest, 'initialize'> = /* @__PURE__ */ specSchema('InitializeRequest');

/** What a server can do. */
export const ServerCapabilitiesSchema: SpecSchema<t.ServerCapabilities> = /* @__PURE__ */ specSchema('ServerCapabilities');

/** Result of `initialize` (before 2026-07-28). */
export const InitializeResultSchema: SpecSchema<t.InitializeResult> = /* @__PURE__ */ specSchema('InitializeResult');

/** Notification `notifications/initialized` from the client. Until 2025-11-25. */
export const InitializedNotificationSchema: SpecSchema<t.InitializedNotification, 'notifications/initialized'> = /* @__PURE__ */ specSchema('InitializedNotification');

/** Request `ping` from either side. Until 2025-11-25. */
export const PingRequestSchema: SpecSchema<t.PingRequest, 'ping'> = /* @__PURE__ */ specSchema('PingRequest');

/** Params of `notifications/progress`. */
export const ProgressSchema: SpecSchema<t.Progress> = /* @__PURE__ */ specSchema('Progress');

/** Params of `notifications/progress`. */
export const ProgressNotificationParamsSchema: SpecSchema<t.ProgressNotificationParams> = /* @__PURE__ */ specSchema('ProgressNotificationParams');

/** Notification `notifications/progress` from either side. */
export const ProgressNotificationSchema: SpecSchema<t.ProgressNotification, 'notifications/progress'> = /* @__PURE__ */ specSchema('ProgressNotification');

/** Params of the list methods. */
export const PaginatedRequestParamsSchema: SpecSchema<t.PaginatedRequestParams> = /* @__PURE__ */ specSchema('PaginatedRequestParams');

/** A request for a page of a list. */
export const PaginatedRequestSchema: SpecSchema<t.PaginatedRequest> = /* @__PURE__ */ specSchema('PaginatedRequest');

/** A page of a list. */
export const PaginatedResultSchema: SpecSchema<t.PaginatedResult> = /* @__PURE__ */ specSchema('PaginatedResult');

/** The status of a task. 2025-11-25 only. */
export const TaskStatusSchema: SpecSchema<t.TaskStatus> = /* @__PURE__ */ specSchema('TaskStatus');

/** A request that runs on its own. 2025-11-25 only. */
export const TaskSchema: SpecSchema<t.Task> = /* @__PURE__ */ specSchema('Task');

/** Answer to a request that became a task. 2025-11-25 only. */
export const CreateTaskResultSchema: SpecSchema<t.CreateTaskResult> = /* @__PURE__ */ specSchema('CreateTaskResult');

/** Params of `notifications/tasks/status`. 2025-11-25 only. */
export const TaskStatusNotificationParamsSchema: SpecSchema<t.TaskStatusNotificationParams> = /* @__PURE__ */ specSchema('TaskStatusNotificationParams');

/** Notification `notifications/tasks/status` from either side. 2025-11-25 only. */
export const TaskStatusNotificationSchema: SpecSchema<t.TaskStatusNotification, 'notifications/tasks/status'> = /* @__PURE__ */ specSchema('TaskStatusNotification');

/** Request `tasks/get` from either side. Since 2025-11-25. */
export const GetTaskRequestSchema: SpecSchema<t.GetTaskRequest, 'tasks/get'> = /* @__PURE__ */ specSchema('GetTaskRequest');

/** Result of `tasks/get`. */
export const GetTaskResultSchema: SpecSchema<t.GetTaskResult> = /* @__PURE__ */ specSchema('GetTaskResult');

/** Request `tasks/result` from either side. 2025-11-25 only. */
export const GetTaskPayloadRequestSchema: SpecSchema<t.GetTaskPayloadRequest, 'tasks/result'> = /* @__PURE__ */ specSchema('GetTaskPayloadRequest');

/** Result of `tasks/result`: what the request would have been answered. 2025-11-25 only. */
export const GetTaskPayloadResultSchema: SpecSchema<t.GetTaskPayloadResult> = /* @__PURE__ */ specSchema('GetTaskPayloadResult');

/** Request `tasks/list` from either side. 2025-11-25 only. */
export const ListTasksRequestSchema: SpecSchema<t.ListTasksRequest, 'tasks/list'> = /* @__PURE__ */ specSchema('ListTasksRequest');

/** Result of `tasks/list`. 2025-11-25 only. */
export const ListTasksResultSchema: SpecSchema<t.ListTasksResult> = /* @__PURE__ */ specSchema('ListTasksResult');

/** Request `tasks/cancel` from either side. Since 2025-11-25. */
export const CancelTaskRequestSchema: SpecSchema<t.CancelTaskRequest, 'tasks/cancel'> = /* @__PURE__ */ specSchema('CancelTaskRequest');

/** Result of `tasks/cancel`. */
export const CancelTaskResultSchema: SpecSchema<t.CancelTaskResult> = /* @__PURE__ */ specSchema('CancelTaskResult');

/** The contents of a resource. */
export const ResourceContentsSchema: SpecSchema<t.ResourceContents> = /* @__PURE__ */ specSchema('ResourceContents');

/** Contents that are text. */
export const TextResourceContentsSchema: SpecSchema<t.TextResourceContents> = /* @__PURE__ */ specSchema('TextResourceContents');

/** Contents that are bytes. */
export const BlobResourceContentsSchema: SpecSchema<t.BlobResourceContents> = /* @__PURE__ */ specSchema('BlobResourceContents');

/** The user, or the model (`assistant`). */
export const RoleSchema: SpecSchema<t.Role> = /* @__PURE__ */ specSchema('Role');

/**
 * Hints for the client about how to use or show something. From an untrusted server they are not to be
 * trusted.
 */
export const AnnotationsSchema: SpecSchema<t.Annotations> = /* @__PURE__ */ specSchema('Annotations');

/** Something a client can read. */
export const ResourceSchema: SpecSchema<t.Resource> = /* @__PURE__ */ specSchema('Resource');

/** A family of resources. */
export const ResourceTemplateSchema: SpecSchema<t.ResourceTemplate> = /* @__PURE__ */ specSchema('ResourceTemplate');

/** Request `resources/list` from the client. */
export const ListResourcesRequestSchema: SpecSchema<t.ListResourcesRequest, 'resources/list'> = /* @__PURE__ */ specSchema('ListResourcesRequest');

/** Result of `resources/list`. */
export const ListResourcesResultSchema: SpecSchema<t.ListResourcesResult> = /* @__PURE__ */ specSchema('ListResourcesResult');

/** Request `resources/templates/list` from the client. */
export const ListResourceTemplatesRequestSchema: SpecSchema<t.ListResourceTemplatesRequest, 'resources/templates/list'> = /* @__PURE__ */ specSchema('ListResourceTemplatesRequest');

/** Result of `resources/templates/list`. */
export const ListResourceTemplatesResultSchema: SpecSchema<t.ListResourceTemplatesResult> = /* @__PURE__ */ specSchema('ListResourceTemplatesResult');

/** Names a resource. */
export const ResourceRequestParamsSchema: SpecSchema<t.ResourceRequestParams> = /* @__PURE__ */ specSchema('ResourceRequestParams');

/** Params of `resources/read`. */
export const ReadResourceRequestParamsSchema: SpecSchema<t.ReadResourceRequestParams> = /* @__PURE__ */ specSchema('ReadResourceRequestParams');

/** Request `resources/read` from the client. */
export const ReadResourceRequestSchema: SpecSchema<t.ReadResourceRequest, 'resources/read'> = /* @__PURE__ */ specSchema('ReadResourceRequest');

/** Result of `resources/read`. */
export const ReadResourceResultSchema: SpecSchema<t.ReadResourceResult> = /* @__PURE__ */ specSchema('ReadResourceResult');

/** Notification `notifications/resources/list_changed` from the server. */
export const ResourceListChangedNotificationSchema: SpecSchema<t.ResourceListChangedNotification, 'notifications/resources/list_changed'> = /* @__PURE__ */ specSchema('ResourceListChangedNotification');

/** Params of `resources/subscribe`. Until 2025-11-25. */
export const SubscribeRequestParamsSchema: SpecSchema<t.SubscribeRequestParams> = /* @__PURE__ */ specSchema('SubscribeRequestParams');

/** Request `resources/subscribe` from the client. Until 2025-11-25. */
export const SubscribeRequestSchema: SpecSchema<t.SubscribeRequest, 'resources/subscribe'> = /* @__PURE__ */ specSchema('SubscribeRequest');

/** Params of `resources/unsubscribe`. Until 2025-11-25. */
export const UnsubscribeRequestParamsSchema: SpecSchema<t.UnsubscribeRequestParams> = /* @__PURE__ */ specSchema('UnsubscribeRequestParams');

/** Request `resources/unsubscribe` from the client. Until 2025-11-25. */
export const UnsubscribeRequestSchema: SpecSchema<t.UnsubscribeRequest, 'resources/unsubscribe'> = /* @__PURE__ */ specSchema('UnsubscribeRequest');

/** Params of `notifications/resources/updated`. */
export const ResourceUpdatedNotificationParamsSchema: SpecSchema<t.ResourceUpdatedNotificationParams> = /* @__PURE__ */ specSchema('ResourceUpdatedNotificationParams');

/** Notification `notifications/resources/updated` from the server. */
export const ResourceUpdatedNotificationSchema: SpecSchema<t.ResourceUpdatedNotification, 'notifications/resources/updated'> = /* @__PURE__ */ specSchema('ResourceUpdatedNotification');

/** One argument of a prompt. */
export const PromptArgumentSchema: SpecSchema<t.PromptArgument> = /* @__PURE__ */ specSchema('PromptArgument');

/** A prompt or a template of one. */
export const PromptSchema: SpecSchema<t.Prompt> = /* @__PURE__ */ specSchema('Prompt');

/** Request `prompts/list` from the client. */
export const ListPromptsRequestSchema: SpecSchema<t.ListPromptsRequest, 'prompts/list'> = /* @__PURE__ */ specSchema('ListPromptsRequest');

/** Result of `prompts/list`. */
export const ListPromptsResultSchema: SpecSchema<t.ListPromptsResult> = /* @__PURE__ */ specSchema('ListPromptsResult');

/** Params of `prompts/get`. */
export const GetPromptRequestParamsSchema: SpecSchema<t.GetPromptRequestParams> = /* @__PURE__ */ specSchema('GetPromptRequestParams');

/** Request `prompts/get` from the client. */
export const GetPromptRequestSchema: SpecSchema<t.GetPromptRequest, 'prompts/get'> = /* @__PURE__ */ specSchema('GetPromptRequest');

/** Text. */
export const TextContentSchema: SpecSchema<t.TextContent> = /* @__PURE__ */ specSchema('TextContent');

/** A picture. */
export const ImageContentSchema: SpecSchema<t.ImageContent> = /* @__PURE__ */ specSchema('ImageContent');

/** Sound. Since 2025-03-26. */
export const AudioContentSchema: SpecSchema<t.AudioContent> = /* @__PURE__ */ specSchema('AudioContent');

/**
 * A model's wish to call a tool. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const ToolUseContentSchema: SpecSchema<t.ToolUseContent> = /* @__PURE__ */ specSchema('ToolUseContent');

/** The contents of a resource. */
export const EmbeddedResourceSchema: SpecSchema<t.EmbeddedResource> = /* @__PURE__ */ specSchema('EmbeddedResource');

/** A resource that can be read, named but not included. Since 2025-06-18. */
export const ResourceLinkSchema: SpecSchema<t.ResourceLink> = /* @__PURE__ */ specSchema('ResourceLink');

/** One piece of content. The `type` member tells the kind. */
export const ContentBlockSchema: SpecSchema<t.ContentBlock> = /* @__PURE__ */ specSchema('ContentBlock');

/** One message of a prompt. */
export const PromptMessageSchema: SpecSchema<t.PromptMessage> = /* @__PURE__ */ specSchema('PromptMessage');

/** Result of `prompts/get`. */
export const GetPromptResultSchema: SpecSchema<t.GetPromptResult> = /* @__PURE__ */ specSchema('GetPromptResult');

/** Notification `notifications/prompts/list_changed` from the server. */
export const PromptListChangedNotificationSchema: SpecSchema<t.PromptListChangedNotification, 'notifications/prompts/list_changed'> = /* @__PURE__ */ specSchema('PromptListChangedNotification');

/** Hints about a tool. From an untrusted server they are not to be trusted. */
export const ToolAnnotationsSchema: SpecSchema<t.ToolAnnotations> = /* @__PURE__ */ specSchema('ToolAnnotations');

/** How a tool runs. 2025-11-25 only. */
export const ToolExecutionSchema: SpecSchema<t.ToolExecution> = /* @__PURE__ */ specSchema('ToolExecution');

/** Something a client can call. */
export const ToolSchema: SpecSchema<t.Tool> = /* @__PURE__ */ specSchema('Tool');

/** Request `tools/list` from the client. */
export const ListToolsRequestSchema: SpecSchema<t.ListToolsRequest, 'tools/list'> = /* @__PURE__ */ specSchema('ListToolsRequest');

/** Result of `tools/list`. */
export const ListToolsResultSchema: SpecSchema<t.ListToolsResult> = /* @__PURE__ */ specSchema('ListToolsResult');

/** Result of `tools/call`. A tool's own failure is a result with `isError`, so that the model sees it. */
export const CallToolResultSchema: SpecSchema<t.CallToolResult> = /* @__PURE__ */ specSchema('CallToolResult');

/** What a tool of any age answers. */
export const CompatibilityCallToolResultSchema: SpecSchema<t.CompatibilityCallToolResult> = /* @__PURE__ */ specSchema('CompatibilityCallToolResult');

/** Params of `tools/call`. */
export const CallToolRequestParamsSchema: SpecSchema<t.CallToolRequestParams> = /* @__PURE__ */ specSchema('CallToolRequestParams');

/** Request `tools/call` from the client. */
export const CallToolRequestSchema: SpecSchema<t.CallToolRequest, 'tools/call'> = /* @__PURE__ */ specSchema('CallToolRequest');

/** Notification `notifications/tools/list_changed` from the server. */
export const ToolListChangedNotificationSchema: SpecSchema<t.ToolListChangedNotification, 'notifications/tools/list_changed'> = /* @__PURE__ */ specSchema('ToolListChangedNotification');

/** How a client keeps up with a list. */
export const ListChangedOptionsBaseSchema: SpecSchema<t.ListChangedOptionsBase> = /* @__PURE__ */ specSchema('ListChangedOptionsBase');

/**
 * The eight syslog levels, in ascending order.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export const LoggingLevelSchema: SpecSchema<t.LoggingLevel> = /* @__PURE__ */ specSchema('LoggingLevel');

/**
 * Params of `logging/setLevel` (legacy era).
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export const SetLevelRequestParamsSchema: SpecSchema<t.SetLevelRequestParams> = /* @__PURE__ */ specSchema('SetLevelRequestParams');

/**
 * Request `logging/setLevel` from the client. Until 2025-11-25.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export const SetLevelRequestSchema: SpecSchema<t.SetLevelRequest, 'logging/setLevel'> = /* @__PURE__ */ specSchema('SetLevelRequest');

/**
 * Params of `notifications/message`.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export const LoggingMessageNotificationParamsSchema: SpecSchema<t.LoggingMessageNotificationParams> = /* @__PURE__ */ specSchema('LoggingMessageNotificationParams');

/**
 * Notification `notifications/message` from the server.
 * @deprecated logging, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Write to stderr on stdio;
 * use OpenTelemetry elsewhere.
 */
export const LoggingMessageNotificationSchema: SpecSchema<t.LoggingMessageNotification, 'notifications/message'> = /* @__PURE__ */ specSchema('LoggingMessageNotification');

/**
 * A name to look for.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const ModelHintSchema: SpecSchema<t.ModelHint> = /* @__PURE__ */ specSchema('ModelHint');

/**
 * Which model a server would like; the client decides.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const ModelPreferencesSchema: SpecSchema<t.ModelPreferences> = /* @__PURE__ */ specSchema('ModelPreferences');

/**
 * How the model uses tools. Since 2025-11-25.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const ToolChoiceSchema: SpecSchema<t.ToolChoice> = /* @__PURE__ */ specSchema('ToolChoice');

/**
 * What a tool answered to a model. Since 2025-11-25; deprecated since 2026-07-28 with sampling (SEP-2577),
 * earliest removal 2027-07-28.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const ToolResultContentSchema: SpecSchema<t.ToolResultContent> = /* @__PURE__ */ specSchema('ToolResultContent');

/** What a model answers that has no tools. */
export const SamplingContentSchema: SpecSchema<t.SamplingContent> = /* @__PURE__ */ specSchema('SamplingContent');

/** What a message to or from a model may hold. */
export const SamplingMessageContentBlockSchema: SpecSchema<t.SamplingMessageContentBlock> = /* @__PURE__ */ specSchema('SamplingMessageContentBlock');

/**
 * One message to or from a model.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const SamplingMessageSchema: SpecSchema<t.SamplingMessage> = /* @__PURE__ */ specSchema('SamplingMessage');

/**
 * Params of `sampling/createMessage`.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const CreateMessageRequestParamsSchema: SpecSchema<t.CreateMessageRequestParams> = /* @__PURE__ */ specSchema('CreateMessageRequestParams');

/**
 * Request `sampling/createMessage` from the server. Until 2025-11-25.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const CreateMessageRequestSchema: SpecSchema<t.CreateMessageRequest, 'sampling/createMessage'> = /* @__PURE__ */ specSchema('CreateMessageRequest');

/**
 * Result of `sampling/createMessage`.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const CreateMessageResultSchema: SpecSchema<t.CreateMessageResult> = /* @__PURE__ */ specSchema('CreateMessageResult');

/**
 * Result of `sampling/createMessage`.
 * @deprecated sampling, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Call the model's
 * provider from the server.
 */
export const CreateMessageResultWithToolsSchema: SpecSchema<t.CreateMessageResultWithTools> = /* @__PURE__ */ specSchema('CreateMessageResultWithTools');

/** Yes or no. */
export const BooleanSchemaSchema: SpecSchema<t.BooleanSchema> = /* @__PURE__ */ specSchema('BooleanSchema');

/** Text. */
export const StringSchemaSchema: SpecSchema<t.StringSchema> = /* @__PURE__ */ specSchema('StringSchema');

/** A number. */
export const NumberSchemaSchema: SpecSchema<t.NumberSchema> = /* @__PURE__ */ specSchema('NumberSchema');

/** One of some values. */
export const UntitledSingleSelectEnumSchemaSchema: SpecSchema<t.UntitledSingleSelectEnumSchema> = /* @__PURE__ */ specSchema('UntitledSingleSelectEnumSchema');

/** One of some values that have titles. Since 2025-11-25. */
export const TitledSingleSelectEnumSchemaSchema: SpecSchema<t.TitledSingleSelectEnumSchema> = /* @__PURE__ */ specSchema('TitledSingleSelectEnumSchema');

/**
 * One of some values with titles in `enumNames`. `TitledSingleSelectEnumSchema` replaces it since
 * 2025-11-25.
 */
export const LegacyTitledEnumSchemaSchema: SpecSchema<t.LegacyTitledEnumSchema> = /* @__PURE__ */ specSchema('LegacyTitledEnumSchema');

/** One of some values. */
export const SingleSelectEnumSchemaSchema: SpecSchema<t.SingleSelectEnumSchema> = /* @__PURE__ */ specSchema('SingleSelectEnumSchema');

/** Several of some values. Since 2025-11-25. */
export const UntitledMultiSelectEnumSchemaSchema: SpecSchema<t.UntitledMultiSelectEnumSchema> = /* @__PURE__ */ specSchema('UntitledMultiSelectEnumSchema');

/** Several of some values that have titles. Since 2025-11-25. */
export const TitledMultiSelectEnumSchemaSchema: SpecSchema<t.TitledMultiSelectEnumSchema> = /* @__PURE__ */ specSchema('TitledMultiSelectEnumSchema');

/** Some of some values. */
export const MultiSelectEnumSchemaSchema: SpecSchema<t.MultiSelectEnumSchema> = /* @__PURE__ */ specSchema('MultiSelectEnumSchema');

/** A choice. */
export const EnumSchemaSchema: SpecSchema<t.EnumSchema> = /* @__PURE__ */ specSchema('EnumSchema');

/** One field of a form, told by its shape. */
export const PrimitiveSchemaDefinitionSchema: SpecSchema<t.PrimitiveSchemaDefinition> = /* @__PURE__ */ specSchema('PrimitiveSchemaDefinition');

/** A question with a form. */
export const ElicitRequestFormParamsSchema: SpecSchema<t.ElicitRequestFormParams> = /* @__PURE__ */ specSchema('ElicitRequestFormParams');

/** A request to visit a page. Since 2025-11-25. */
export const ElicitRequestURLParamsSchema: SpecSchema<t.ElicitRequestURLParams> = /* @__PURE__ */ specSchema('ElicitRequestURLParams');

/** Params of `elicitation/create`. Since 2025-06-18. */
export const ElicitRequestParamsSchema: SpecSchema<t.ElicitRequestParams> = /* @__PURE__ */ specSchema('ElicitRequestParams');

/** Request `elicitation/create` from the server. 2025-06-18 to 2025-11-25. */
export const ElicitRequestSchema: SpecSchema<t.ElicitRequest, 'elicitation/create'> = /* @__PURE__ */ specSchema('ElicitRequest');

/** Params of `notifications/elicitation/complete`. 2025-11-25 only. */
export const ElicitationCompleteNotificationParamsSchema: SpecSchema<t.ElicitationCompleteNotificationParams> = /* @__PURE__ */ specSchema('ElicitationCompleteNotificationParams');

/** Notification `notifications/elicitation/complete` from the server. 2025-11-25 only. */
export const ElicitationCompleteNotificationSchema: SpecSchema<t.ElicitationCompleteNotification, 'notifications/elicitation/complete'> = /* @__PURE__ */ specSchema('ElicitationCompleteNotification');

/** Result of `elicitation/create`. */
export const ElicitResultSchema: SpecSchema<t.ElicitResult> = /* @__PURE__ */ specSchema('ElicitResult');

/** A resource or a resource template. */
export const ResourceTemplateReferenceSchema: SpecSchema<t.ResourceTemplateReference> = /* @__PURE__ */ specSchema('ResourceTemplateReference');

/**
 * The old name of `ResourceTemplateReferenceSchema`.
 * @deprecated Use `ResourceTemplateReferenceSchema`.
 */
export const ResourceReferenceSchema = ResourceTemplateReferenceSchema;

/** A prompt. */
export const PromptReferenceSchema: SpecSchema<t.PromptReference> = /* @__PURE__ */ specSchema('PromptReference');

/** Params of `completion/complete`. */
export const CompleteRequestParamsSchema: SpecSchema<t.CompleteRequestParams> = /* @__PURE__ */ specSchema('CompleteRequestParams');

/** Request `completion/complete` from the client. */
export const CompleteRequestSchema: SpecSchema<t.CompleteRequest, 'completion/complete'> = /* @__PURE__ */ specSchema('CompleteRequest');

/** Result of `completion/complete`. */
export const CompleteResultSchema: SpecSchema<t.CompleteResult> = /* @__PURE__ */ specSchema('CompleteResult');

/**
 * A place.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export const RootSchema: SpecSchema<t.Root> = /* @__PURE__ */ specSchema('Root');

/**
 * Request `roots/list` from the server. Until 2025-11-25.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export const ListRootsRequestSchema: SpecSchema<t.ListRootsRequest, 'roots/list'> = /* @__PURE__ */ specSchema('ListRootsRequest');

/**
 * Result of `roots/list`.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export const ListRootsResultSchema: SpecSchema<t.ListRootsResult> = /* @__PURE__ */ specSchema('ListRootsResult');

/**
 * Notification `notifications/roots/list_changed` from the client. Until 2025-11-25.
 * @deprecated roots, since 2026-07-28 (SEP-2577); earliest removal 2027-07-28. Pass folders and files as
 * tool parameters, resource URIs or settings of the server.
 */
export const RootsListChangedNotificationSchema: SpecSchema<t.RootsListChangedNotification, 'notifications/roots/list_changed'> = /* @__PURE__ */ specSchema('RootsListChangedNotification');

/** A request of a client. */
export const ClientRequestSchema: SpecSchema<t.ClientRequest> = /* @__PURE__ */ specSchema('ClientRequest');

/** A notification of a client. */
export const ClientNotificationSchema: SpecSchema<t.ClientNotification> = /* @__PURE__ */ specSchema('ClientNotification');

/** What a client answers. */
export const ClientResultSchema: SpecSchema<t.ClientResult> = /* @__PURE__ */ specSchema('ClientResult');

/** A request of a server. */
export const ServerRequestSchema: SpecSchema<t.ServerRequest> = /* @__PURE__ */ specSchema('ServerRequest');

/** A notification of a server. */
export const ServerNotificationSchema: SpecSchema<t.ServerNotification> = /* @__PURE__ */ specSchema('ServerNotification');

/** What a server answers. */
export const ServerResultSchema: SpecSchema<t.ServerResult> = /* @__PURE__ */ specSchema('ServerResult');
