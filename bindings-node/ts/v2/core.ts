/**
 * The protocol's schemas, with the names of `@modelcontextprotocol/core`. Owns: those that 1.x
 * lacks or defines more narrowly. Must not know: who uses them.
 */
import type * as t from '../generated/types';
import { inlineSchema, specSchema, specSchemaOf2, type AnySpecSchema } from '../protocol/schema/schema';
import type { CallToolResult, ListToolsResult, Tool } from './internal/tool-types';

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
} from '../protocol/types';
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
} from '../protocol/auth';
export { IdJagTokenExchangeResponseSchema, type IdJagTokenExchangeResponse } from './internal/oauth-checks';

// Schemas with structured content or its schema: 2.x allows any value in both.

/** Schema of a tool. */
export const ToolSchema = specSchemaOf2<Tool>('Tool');
/** Schema of the result of `tools/list`. */
export const ListToolsResultSchema = specSchemaOf2<ListToolsResult>('ListToolsResult');
/** Schema of the result of `tools/call`. */
export const CallToolResultSchema = specSchemaOf2<CallToolResult>('CallToolResult');
/** Schema of the result of `tools/call`, in any revision. */
export const CompatibilityCallToolResultSchema = specSchemaOf2<t.CompatibilityCallToolResult>('CompatibilityCallToolResult');
/** Schema of a tool result in a sampling message. */
export const ToolResultContentSchema = specSchemaOf2<t.ToolResultContent>('ToolResultContent');
/** Schema of a content block of a sampling message. */
export const SamplingMessageContentBlockSchema = specSchemaOf2<t.SamplingMessageContentBlock>('SamplingMessageContentBlock');
/** Schema of a sampling message. */
export const SamplingMessageSchema = specSchemaOf2<t.SamplingMessage>('SamplingMessage');
/** Schema of a `sampling/createMessage` request. */
export const CreateMessageRequestSchema = specSchemaOf2<t.CreateMessageRequest, 'sampling/createMessage'>('CreateMessageRequest');
/** Schema of the parameters of `sampling/createMessage`. */
export const CreateMessageRequestParamsSchema = specSchemaOf2<t.CreateMessageRequestParams>('CreateMessageRequestParams');
/** Schema of the result of `sampling/createMessage` with tools. */
export const CreateMessageResultWithToolsSchema = specSchemaOf2<t.CreateMessageResultWithTools>('CreateMessageResultWithTools');
/** Schema of any result that a client sends. */
export const ClientResultSchema = specSchemaOf2<t.ClientResult>('ClientResult');
/** Schema of any request that a server sends. */
export const ServerRequestSchema = specSchemaOf2<t.ServerRequest>('ServerRequest');
/** Schema of any result that a server sends. */
export const ServerResultSchema = specSchemaOf2<t.ServerResult>('ServerResult');

/** Schema of a `server/discover` request. */
export const DiscoverRequestSchema = specSchema<t.DiscoverRequest, 'server/discover'>('DiscoverRequest');
/** Schema of the result of `server/discover`. */
export const DiscoverResultSchema = specSchema<t.DiscoverResult>('DiscoverResult');
/** Schema of the `_meta` of a request. */
export const RequestMetaSchema = specSchema<t.RequestMeta>('RequestMeta');
/** Schema of a subscription's filter: which notifications it asks for. */
export const SubscriptionFilterSchema = specSchema<t.SubscriptionFilter>('SubscriptionFilter');
/** Schema of the notification that acknowledges a subscription. */
export const SubscriptionsAcknowledgedNotificationSchema = specSchema<
  t.SubscriptionsAcknowledgedNotification,
  'notifications/subscriptions/acknowledged'
>('SubscriptionsAcknowledgedNotification');
/** Schema of the parameters of the notification that acknowledges a subscription. */
export const SubscriptionsAcknowledgedNotificationParamsSchema =
  specSchema<t.SubscriptionsAcknowledgedNotificationParams>('SubscriptionsAcknowledgedNotificationParams');
/** Schema of a `subscriptions/listen` request. */
export const SubscriptionsListenRequestSchema = specSchema<t.SubscriptionsListenRequest, 'subscriptions/listen'>('SubscriptionsListenRequest');
/** Schema of the parameters of `subscriptions/listen`. */
export const SubscriptionsListenRequestParamsSchema = specSchema<t.SubscriptionsListenRequestParams>('SubscriptionsListenRequestParams');
/** Schema of the result of `subscriptions/listen`, which ends a subscription. */
export const SubscriptionsListenResultSchema = specSchema<t.SubscriptionsListenResult>('SubscriptionsListenResult');

/** Any JSON value. */
export type JSONValue = string | number | boolean | null | JSONObject | JSONArray;
/** A JSON object. */
export interface JSONObject {
  [member: string]: JSONValue;
}
/** A JSON array. */
export type JSONArray = JSONValue[];

/** Schema of any JSON value. */
export const JSONValueSchema: AnySpecSchema<JSONValue> = inlineSchema({});
/** Schema of a JSON object. */
export const JSONObjectSchema: AnySpecSchema<JSONObject> = inlineSchema({ type: 'object' });
/** Schema of a JSON array. */
export const JSONArraySchema: AnySpecSchema<JSONArray> = inlineSchema({ type: 'array' });
/** Schema of the `_meta` of a result. */
export const ResultMetaObjectSchema: AnySpecSchema<Record<string, unknown>> = inlineSchema({ type: 'object' });
/** Schema of the `_meta` of the result of `subscriptions/listen`. */
export const SubscriptionsListenResultMetaSchema: AnySpecSchema<Record<string, unknown>> = inlineSchema({ type: 'object' });
