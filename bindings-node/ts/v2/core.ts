/**
 * The types of the protocol as values, with the names of `@modelcontextprotocol/core`.
 * Owns: those that 1.x does not have, or has narrower. Must not know: who uses them.
 */
import type * as t from '../generated/types';
import { inlineSchema, specSchema, specSchemaOf2, type AnySpecSchema } from '../internal/schema';
import type { CallToolResult, ListToolsResult, Tool } from '../internal/v2/tool-types';

export {
  AnnotationsSchema,
  AudioContentSchema,
  BaseMetadataSchema,
  BlobResourceContentsSchema,
  BooleanSchemaSchema,
  CallToolRequestParamsSchema,
  CallToolRequestSchema,
  CancelTaskRequestSchema,
  CancelTaskResultSchema,
  CancelledNotificationParamsSchema,
  CancelledNotificationSchema,
  ClientCapabilitiesSchema,
  ClientNotificationSchema,
  ClientRequestSchema,
  CompleteRequestParamsSchema,
  CompleteRequestSchema,
  CompleteResultSchema,
  ContentBlockSchema,
  CreateMessageResultSchema,
  CreateTaskResultSchema,
  CursorSchema,
  ElicitRequestFormParamsSchema,
  ElicitRequestParamsSchema,
  ElicitRequestSchema,
  ElicitRequestURLParamsSchema,
  ElicitResultSchema,
  ElicitationCompleteNotificationParamsSchema,
  ElicitationCompleteNotificationSchema,
  EmbeddedResourceSchema,
  EmptyResultSchema,
  EnumSchemaSchema,
  GetPromptRequestParamsSchema,
  GetPromptRequestSchema,
  GetPromptResultSchema,
  GetTaskPayloadRequestSchema,
  GetTaskPayloadResultSchema,
  GetTaskRequestSchema,
  GetTaskResultSchema,
  IconSchema,
  IconsSchema,
  ImageContentSchema,
  ImplementationSchema,
  InitializeRequestParamsSchema,
  InitializeRequestSchema,
  InitializeResultSchema,
  InitializedNotificationSchema,
  JSONRPCErrorResponseSchema,
  JSONRPCMessageSchema,
  JSONRPCNotificationSchema,
  JSONRPCRequestSchema,
  JSONRPCResponseSchema,
  JSONRPCResultResponseSchema,
  LegacyTitledEnumSchemaSchema,
  ListPromptsRequestSchema,
  ListPromptsResultSchema,
  ListResourceTemplatesRequestSchema,
  ListResourceTemplatesResultSchema,
  ListResourcesRequestSchema,
  ListResourcesResultSchema,
  ListRootsRequestSchema,
  ListRootsResultSchema,
  ListTasksRequestSchema,
  ListTasksResultSchema,
  ListToolsRequestSchema,
  LoggingLevelSchema,
  LoggingMessageNotificationParamsSchema,
  LoggingMessageNotificationSchema,
  ModelHintSchema,
  ModelPreferencesSchema,
  MultiSelectEnumSchemaSchema,
  NotificationSchema,
  NumberSchemaSchema,
  PaginatedRequestParamsSchema,
  PaginatedRequestSchema,
  PaginatedResultSchema,
  PingRequestSchema,
  PrimitiveSchemaDefinitionSchema,
  ProgressNotificationParamsSchema,
  ProgressNotificationSchema,
  ProgressSchema,
  ProgressTokenSchema,
  PromptArgumentSchema,
  PromptListChangedNotificationSchema,
  PromptMessageSchema,
  PromptReferenceSchema,
  PromptSchema,
  ReadResourceRequestParamsSchema,
  ReadResourceRequestSchema,
  ReadResourceResultSchema,
  RelatedTaskMetadataSchema,
  RequestIdSchema,
  RequestSchema,
  ResourceContentsSchema,
  ResourceLinkSchema,
  ResourceListChangedNotificationSchema,
  ResourceRequestParamsSchema,
  ResourceSchema,
  ResourceTemplateReferenceSchema,
  ResourceTemplateSchema,
  ResourceUpdatedNotificationParamsSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
  RoleSchema,
  RootSchema,
  RootsListChangedNotificationSchema,
  SamplingContentSchema,
  ServerCapabilitiesSchema,
  ServerNotificationSchema,
  SetLevelRequestParamsSchema,
  SetLevelRequestSchema,
  SingleSelectEnumSchemaSchema,
  StringSchemaSchema,
  SubscribeRequestParamsSchema,
  SubscribeRequestSchema,
  TaskAugmentedRequestParamsSchema,
  TaskCreationParamsSchema,
  TaskMetadataSchema,
  TaskSchema,
  TaskStatusNotificationParamsSchema,
  TaskStatusNotificationSchema,
  TaskStatusSchema,
  TextContentSchema,
  TextResourceContentsSchema,
  TitledMultiSelectEnumSchemaSchema,
  TitledSingleSelectEnumSchemaSchema,
  ToolAnnotationsSchema,
  ToolChoiceSchema,
  ToolExecutionSchema,
  ToolListChangedNotificationSchema,
  ToolUseContentSchema,
  UnsubscribeRequestParamsSchema,
  UnsubscribeRequestSchema,
  UntitledMultiSelectEnumSchemaSchema,
  UntitledSingleSelectEnumSchemaSchema,
} from '../types';
export {
  OAuthClientInformationFullSchema,
  OAuthClientInformationSchema,
  OAuthClientMetadataSchema,
  OAuthClientRegistrationErrorSchema,
  OAuthErrorResponseSchema,
  OAuthMetadataSchema,
  OAuthProtectedResourceMetadataSchema,
  OAuthTokenRevocationRequestSchema,
  OAuthTokensSchema,
  OpenIdProviderDiscoveryMetadataSchema,
  OpenIdProviderMetadataSchema,
} from '../shared/auth';
export { IdJagTokenExchangeResponseSchema, type IdJagTokenExchangeResponse } from '../internal/v2/oauth-checks';

// What has structured content in it, or the schema of such: both may be anything here.

/** A tool. */
export const ToolSchema = specSchemaOf2<Tool>('Tool');
/** A page of tools. */
export const ListToolsResultSchema = specSchemaOf2<ListToolsResult>('ListToolsResult');
/** What a tool answers. */
export const CallToolResultSchema = specSchemaOf2<CallToolResult>('CallToolResult');
/** What a tool of any age answers. */
export const CompatibilityCallToolResultSchema = specSchemaOf2<t.CompatibilityCallToolResult>('CompatibilityCallToolResult');
/** What a tool said, for a model. */
export const ToolResultContentSchema = specSchemaOf2<t.ToolResultContent>('ToolResultContent');
/** A part of a message to or from a model. */
export const SamplingMessageContentBlockSchema = specSchemaOf2<t.SamplingMessageContentBlock>('SamplingMessageContentBlock');
/** A message to or from a model. */
export const SamplingMessageSchema = specSchemaOf2<t.SamplingMessage>('SamplingMessage');
/** Asks a model for a message. */
export const CreateMessageRequestSchema = specSchemaOf2<t.CreateMessageRequest, 'sampling/createMessage'>('CreateMessageRequest');
/** The parameters of `sampling/createMessage`. */
export const CreateMessageRequestParamsSchema = specSchemaOf2<t.CreateMessageRequestParams>('CreateMessageRequestParams');
/** What a model that may use tools answers. */
export const CreateMessageResultWithToolsSchema = specSchemaOf2<t.CreateMessageResultWithTools>('CreateMessageResultWithTools');
/** What a client answers. */
export const ClientResultSchema = specSchemaOf2<t.ClientResult>('ClientResult');
/** What a server asks. */
export const ServerRequestSchema = specSchemaOf2<t.ServerRequest>('ServerRequest');
/** What a server answers. */
export const ServerResultSchema = specSchemaOf2<t.ServerResult>('ServerResult');

/** Asks a server what it is. */
export const DiscoverRequestSchema = specSchema<t.DiscoverRequest, 'server/discover'>('DiscoverRequest');
/** What a server says of itself. */
export const DiscoverResultSchema = specSchema<t.DiscoverResult>('DiscoverResult');
/** Metadata of a request. */
export const RequestMetaSchema = specSchema<t.RequestMeta>('RequestMeta');
/** What is listened to. */
export const SubscriptionFilterSchema = specSchema<t.SubscriptionFilter>('SubscriptionFilter');
/** The notification that says which changes will be told. */
export const SubscriptionsAcknowledgedNotificationSchema = specSchema<
  t.SubscriptionsAcknowledgedNotification,
  'notifications/subscriptions/acknowledged'
>('SubscriptionsAcknowledgedNotification');
/** The parameters of `notifications/subscriptions/acknowledged`. */
export const SubscriptionsAcknowledgedNotificationParamsSchema =
  specSchema<t.SubscriptionsAcknowledgedNotificationParams>('SubscriptionsAcknowledgedNotificationParams');
/** Listens to changes. */
export const SubscriptionsListenRequestSchema = specSchema<t.SubscriptionsListenRequest, 'subscriptions/listen'>('SubscriptionsListenRequest');
/** The parameters of `subscriptions/listen`. */
export const SubscriptionsListenRequestParamsSchema = specSchema<t.SubscriptionsListenRequestParams>('SubscriptionsListenRequestParams');
/** The result that ends `subscriptions/listen` in good order. */
export const SubscriptionsListenResultSchema = specSchema<t.SubscriptionsListenResult>('SubscriptionsListenResult');

/** Any value that JSON has. */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;
/** An object that JSON has. */
export interface JSONObject {
  [member: string]: JSONValue;
}
/** A list that JSON has. */
export type JSONArray = JSONValue[];

/** Any value that JSON has. */
export const JSONValueSchema: AnySpecSchema<JSONValue> = inlineSchema({});
/** An object that JSON has. */
export const JSONObjectSchema: AnySpecSchema<JSONObject> = inlineSchema({ type: 'object' });
/** A list that JSON has. */
export const JSONArraySchema: AnySpecSchema<JSONArray> = inlineSchema({ type: 'array' });
/** Metadata of a result. */
export const ResultMetaObjectSchema: AnySpecSchema<Record<string, unknown>> = inlineSchema({ type: 'object' });
/** Metadata of the end of a stream of changes. */
export const SubscriptionsListenResultMetaSchema: AnySpecSchema<Record<string, unknown>> = inlineSchema({ type: 'object' });
