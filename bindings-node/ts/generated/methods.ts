/**
 * Methods and types. Written by `cargo xtask generate`; do not edit.
 */
import type * as t from './types';

/** The method of each message, by the name of its type. */
export const METHODS: Readonly<Record<string, string>> = {
  CancelledNotification: 'notifications/cancelled',
  InitializeRequest: 'initialize',
  InitializedNotification: 'notifications/initialized',
  PingRequest: 'ping',
  ProgressNotification: 'notifications/progress',
  TaskStatusNotification: 'notifications/tasks/status',
  GetTaskRequest: 'tasks/get',
  GetTaskPayloadRequest: 'tasks/result',
  ListTasksRequest: 'tasks/list',
  CancelTaskRequest: 'tasks/cancel',
  ListResourcesRequest: 'resources/list',
  ListResourceTemplatesRequest: 'resources/templates/list',
  ReadResourceRequest: 'resources/read',
  ResourceListChangedNotification: 'notifications/resources/list_changed',
  SubscribeRequest: 'resources/subscribe',
  UnsubscribeRequest: 'resources/unsubscribe',
  ResourceUpdatedNotification: 'notifications/resources/updated',
  ListPromptsRequest: 'prompts/list',
  GetPromptRequest: 'prompts/get',
  PromptListChangedNotification: 'notifications/prompts/list_changed',
  ListToolsRequest: 'tools/list',
  CallToolRequest: 'tools/call',
  ToolListChangedNotification: 'notifications/tools/list_changed',
  SetLevelRequest: 'logging/setLevel',
  LoggingMessageNotification: 'notifications/message',
  CreateMessageRequest: 'sampling/createMessage',
  ElicitRequest: 'elicitation/create',
  ElicitationCompleteNotification: 'notifications/elicitation/complete',
  CompleteRequest: 'completion/complete',
  ListRootsRequest: 'roots/list',
  RootsListChangedNotification: 'notifications/roots/list_changed',
  DiscoverRequest: 'server/discover',
  SubscriptionsListenRequest: 'subscriptions/listen',
  SubscriptionsAcknowledgedNotification: 'notifications/subscriptions/acknowledged',
};

/** Each request by its method. */
export interface RequestTypeMap {
  'initialize': t.InitializeRequest;
  'ping': t.PingRequest;
  'tasks/get': t.GetTaskRequest;
  'tasks/result': t.GetTaskPayloadRequest;
  'tasks/list': t.ListTasksRequest;
  'tasks/cancel': t.CancelTaskRequest;
  'resources/list': t.ListResourcesRequest;
  'resources/templates/list': t.ListResourceTemplatesRequest;
  'resources/read': t.ReadResourceRequest;
  'resources/subscribe': t.SubscribeRequest;
  'resources/unsubscribe': t.UnsubscribeRequest;
  'prompts/list': t.ListPromptsRequest;
  'prompts/get': t.GetPromptRequest;
  'tools/list': t.ListToolsRequest;
  'tools/call': t.CallToolRequest;
  'logging/setLevel': t.SetLevelRequest;
  'sampling/createMessage': t.CreateMessageRequest;
  'elicitation/create': t.ElicitRequest;
  'completion/complete': t.CompleteRequest;
  'roots/list': t.ListRootsRequest;
  'server/discover': t.DiscoverRequest;
  'subscriptions/listen': t.SubscriptionsListenRequest;
}

/** Each notification by its method. */
export interface NotificationTypeMap {
  'notifications/cancelled': t.CancelledNotification;
  'notifications/initialized': t.InitializedNotification;
  'notifications/progress': t.ProgressNotification;
  'notifications/tasks/status': t.TaskStatusNotification;
  'notifications/resources/list_changed': t.ResourceListChangedNotification;
  'notifications/resources/updated': t.ResourceUpdatedNotification;
  'notifications/prompts/list_changed': t.PromptListChangedNotification;
  'notifications/tools/list_changed': t.ToolListChangedNotification;
  'notifications/message': t.LoggingMessageNotification;
  'notifications/elicitation/complete': t.ElicitationCompleteNotification;
  'notifications/roots/list_changed': t.RootsListChangedNotification;
  'notifications/subscriptions/acknowledged': t.SubscriptionsAcknowledgedNotification;
}

/** What each request is answered with, by its method. */
export interface ResultTypeMap {
  'initialize': t.InitializeResult;
  'ping': t.Result | t.EmptyResult;
  'tasks/get': t.GetTaskResult;
  'tasks/result': t.GetTaskPayloadResult;
  'tasks/list': t.ListTasksResult;
  'tasks/cancel': t.CancelTaskResult;
  'resources/list': t.ListResourcesResult;
  'resources/templates/list': t.ListResourceTemplatesResult;
  'resources/read': t.ReadResourceResult;
  'resources/subscribe': t.Result | t.EmptyResult;
  'resources/unsubscribe': t.Result | t.EmptyResult;
  'prompts/list': t.ListPromptsResult;
  'prompts/get': t.GetPromptResult;
  'tools/list': t.ListToolsResult;
  'tools/call': t.CallToolResult;
  'logging/setLevel': t.Result | t.EmptyResult;
  'sampling/createMessage': t.CreateMessageResult | t.CreateMessageResultWithTools;
  'elicitation/create': t.ElicitResult;
  'completion/complete': t.CompleteResult;
  'roots/list': t.ListRootsResult;
  'server/discover': t.DiscoverResult;
  'subscriptions/listen': t.Result | t.EmptyResult;
}
