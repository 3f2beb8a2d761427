"""Everything each side may send, in one type each.

Written by hand: which alternatives there are, and in which order they are tried, is the
official package's choice.
"""

from typing import TypeAlias

from pydantic import RootModel

from .base import EmptyResult
from .completion import CompleteRequest, CompleteResult
from .elicitation import ElicitCompleteNotification, ElicitRequest, ElicitResult
from .lifecycle import (
    CancelledNotification,
    InitializeRequest,
    InitializeResult,
    InitializedNotification,
    PingRequest,
    ProgressNotification,
)
from .logs import LoggingMessageNotification, SetLevelRequest
from .prompts import (
    GetPromptRequest,
    GetPromptResult,
    ListPromptsRequest,
    ListPromptsResult,
    PromptListChangedNotification,
)
from .resources import (
    ListResourceTemplatesRequest,
    ListResourceTemplatesResult,
    ListResourcesRequest,
    ListResourcesResult,
    ReadResourceRequest,
    ReadResourceResult,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    SubscribeRequest,
    UnsubscribeRequest,
)
from .roots import ListRootsRequest, ListRootsResult, RootsListChangedNotification
from .sampling import CreateMessageRequest, CreateMessageResult, CreateMessageResultWithTools
from .tasks import (
    CancelTaskRequest,
    CancelTaskResult,
    CreateTaskResult,
    GetTaskPayloadRequest,
    GetTaskPayloadResult,
    GetTaskRequest,
    GetTaskResult,
    ListTasksRequest,
    ListTasksResult,
    TaskStatusNotification,
)
from .tools import (
    CallToolRequest,
    CallToolResult,
    ListToolsRequest,
    ListToolsResult,
    ToolListChangedNotification,
)

ClientRequestType: TypeAlias = (
    PingRequest
    | InitializeRequest
    | CompleteRequest
    | SetLevelRequest
    | GetPromptRequest
    | ListPromptsRequest
    | ListResourcesRequest
    | ListResourceTemplatesRequest
    | ReadResourceRequest
    | SubscribeRequest
    | UnsubscribeRequest
    | CallToolRequest
    | ListToolsRequest
    | GetTaskRequest
    | GetTaskPayloadRequest
    | ListTasksRequest
    | CancelTaskRequest
)
"""What a request from the client may be."""


class ClientRequest(RootModel[ClientRequestType], defer_build=True):
    """A request from the client; `root` is which."""


ClientNotificationType: TypeAlias = (
    CancelledNotification
    | ProgressNotification
    | InitializedNotification
    | RootsListChangedNotification
    | TaskStatusNotification
)
"""What a notification from the client may be."""


class ClientNotification(RootModel[ClientNotificationType], defer_build=True):
    """A notification from the client; `root` is which."""


ClientResultType: TypeAlias = (
    EmptyResult
    | CreateMessageResult
    | CreateMessageResultWithTools
    | ListRootsResult
    | ElicitResult
    | GetTaskResult
    | GetTaskPayloadResult
    | ListTasksResult
    | CancelTaskResult
    | CreateTaskResult
)
"""What an answer from the client may be."""


class ClientResult(RootModel[ClientResultType], defer_build=True):
    """An answer from the client; `root` is which."""


ServerRequestType: TypeAlias = (
    PingRequest
    | CreateMessageRequest
    | ListRootsRequest
    | ElicitRequest
    | GetTaskRequest
    | GetTaskPayloadRequest
    | ListTasksRequest
    | CancelTaskRequest
)
"""What a request from the server may be."""


class ServerRequest(RootModel[ServerRequestType], defer_build=True):
    """A request from the server; `root` is which."""


ServerNotificationType: TypeAlias = (
    CancelledNotification
    | ProgressNotification
    | LoggingMessageNotification
    | ResourceUpdatedNotification
    | ResourceListChangedNotification
    | ToolListChangedNotification
    | PromptListChangedNotification
    | ElicitCompleteNotification
    | TaskStatusNotification
)
"""What a notification from the server may be."""


class ServerNotification(RootModel[ServerNotificationType], defer_build=True):
    """A notification from the server; `root` is which."""


ServerResultType: TypeAlias = (
    EmptyResult
    | InitializeResult
    | CompleteResult
    | GetPromptResult
    | ListPromptsResult
    | ListResourcesResult
    | ListResourceTemplatesResult
    | ReadResourceResult
    | CallToolResult
    | ListToolsResult
    | GetTaskResult
    | GetTaskPayloadResult
    | ListTasksResult
    | CancelTaskResult
    | CreateTaskResult
)
"""What an answer from the server may be."""


class ServerResult(RootModel[ServerResultType], defer_build=True):
    """An answer from the server; `root` is which."""
