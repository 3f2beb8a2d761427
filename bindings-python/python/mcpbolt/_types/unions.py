"""unions."""

from pydantic import RootModel
from typing import TypeAlias
from .base import EmptyResult
from .completion import CompleteRequest, CompleteResult
from .elicitation import ElicitCompleteNotification, ElicitRequest, ElicitResult
from .lifecycle import CancelledNotification, InitializeRequest, InitializeResult, InitializedNotification, PingRequest, ProgressNotification
from .logs import LoggingMessageNotification, SetLevelRequest
from .prompts import GetPromptRequest, GetPromptResult, ListPromptsRequest, ListPromptsResult, PromptListChangedNotification
from .resources import ListResourceTemplatesRequest, ListResourceTemplatesResult, ListResourcesRequest, ListResourcesResult, ReadResourceRequest, ReadResourceResult, ResourceListChangedNotification, ResourceUpdatedNotification, SubscribeRequest, UnsubscribeRequest
from .roots import ListRootsRequest, ListRootsResult, RootsListChangedNotification
from .sampling import CreateMessageRequest, CreateMessageResult, CreateMessageResultWithTools
from .tasks import CancelTaskRequest, CancelTaskResult, CreateTaskResult, GetTaskPayloadRequest, GetTaskPayloadResult, GetTaskRequest, GetTaskResult, ListTasksRequest, ListTasksResult, TaskStatusNotification
from .tools import CallToolRequest, CallToolResult, ListToolsRequest, ListToolsResult, ToolListChangedNotification


ClientRequestType: TypeAlias = PingRequest | InitializeRequest | CompleteRequest | SetLevelRequest | GetPromptRequest | ListPromptsRequest | ListResourcesRequest | ListResourceTemplatesRequest | ReadResourceRequest | SubscribeRequest | UnsubscribeRequest | CallToolRequest | ListToolsRequest | GetTaskRequest | GetTaskPayloadRequest | ListTasksRequest | CancelTaskRequest

class ClientRequest(RootModel[ClientRequestType]):
    pass


ClientNotificationType: TypeAlias = CancelledNotification | ProgressNotification | InitializedNotification | RootsListChangedNotification | TaskStatusNotification

class ClientNotification(RootModel[ClientNotificationType]):
    pass


ClientResultType: TypeAlias = EmptyResult | CreateMessageResult | CreateMessageResultWithTools | ListRootsResult | ElicitResult | GetTaskResult | GetTaskPayloadResult | ListTasksResult | CancelTaskResult | CreateTaskResult

class ClientResult(RootModel[ClientResultType]):
    pass


ServerRequestType: TypeAlias = PingRequest | CreateMessageRequest | ListRootsRequest | ElicitRequest | GetTaskRequest | GetTaskPayloadRequest | ListTasksRequest | CancelTaskRequest

class ServerRequest(RootModel[ServerRequestType]):
    pass


ServerNotificationType: TypeAlias = CancelledNotification | ProgressNotification | LoggingMessageNotification | ResourceUpdatedNotification | ResourceListChangedNotification | ToolListChangedNotification | PromptListChangedNotification | ElicitCompleteNotification | TaskStatusNotification

class ServerNotification(RootModel[ServerNotificationType]):
    pass


ServerResultType: TypeAlias = EmptyResult | InitializeResult | CompleteResult | GetPromptResult | ListPromptsResult | ListResourcesResult | ListResourceTemplatesResult | ReadResourceResult | CallToolResult | ListToolsResult | GetTaskResult | GetTaskPayloadResult | ListTasksResult | CancelTaskResult | CreateTaskResult

class ServerResult(RootModel[ServerResultType]):
    pass



