"""Everything each side may send, as unions.

Owns: which alternatives there are, and in which order they are tried: the official package's
choice. Must not know: how messages are carried.
"""

from typing import TypeAlias

from pydantic import TypeAdapter

from .base import EmptyResult
from .completion import CompleteRequest, CompleteResult
from .elicitation import ElicitCompleteNotification, ElicitRequest, ElicitResult
from .lifecycle import (
    CancelledNotification,
    InitializedNotification,
    InitializeRequest,
    InitializeResult,
    PingRequest,
    ProgressNotification,
)
from .logs import LoggingMessageNotification, SetLevelRequest
from .modern import (
    DiscoverRequest,
    DiscoverResult,
    SubscriptionsAcknowledgedNotification,
    SubscriptionsListenRequest,
    SubscriptionsListenResult,
)
from .prompts import (
    GetPromptRequest,
    GetPromptResult,
    ListPromptsRequest,
    ListPromptsResult,
    PromptListChangedNotification,
)
from .questions import InputRequiredResult
from .resources import (
    ListResourcesRequest,
    ListResourcesResult,
    ListResourceTemplatesRequest,
    ListResourceTemplatesResult,
    ReadResourceRequest,
    ReadResourceResult,
    ResourceListChangedNotification,
    ResourceUpdatedNotification,
    SubscribeRequest,
    UnsubscribeRequest,
)
from .roots import ListRootsRequest, ListRootsResult, RootsListChangedNotification
from .sampling import CreateMessageRequest, CreateMessageResult, CreateMessageResultWithTools
from .tools import (
    CallToolRequest,
    CallToolResult,
    ListToolsRequest,
    ListToolsResult,
    ToolListChangedNotification,
)

ClientRequest: TypeAlias = (
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
    | DiscoverRequest
    | SubscriptionsListenRequest
)
"""What a request from the client may be."""

ClientNotification: TypeAlias = (
    CancelledNotification | ProgressNotification | InitializedNotification | RootsListChangedNotification
)
"""What a notification from the client may be."""

ClientResult: TypeAlias = (
    EmptyResult | CreateMessageResult | CreateMessageResultWithTools | ListRootsResult | ElicitResult
)
"""What an answer from the client may be."""

ServerRequest: TypeAlias = PingRequest | CreateMessageRequest | ListRootsRequest | ElicitRequest
"""What a request from the server may be."""

ServerNotification: TypeAlias = (
    CancelledNotification
    | ProgressNotification
    | LoggingMessageNotification
    | ResourceUpdatedNotification
    | ResourceListChangedNotification
    | ToolListChangedNotification
    | PromptListChangedNotification
    | ElicitCompleteNotification
    | SubscriptionsAcknowledgedNotification
)
"""What a notification from the server may be."""

# The last has no member that must be there, so that it would be found before others.
ServerResult: TypeAlias = (
    EmptyResult
    | InitializeResult
    | DiscoverResult
    | CompleteResult
    | GetPromptResult
    | ListPromptsResult
    | ListResourcesResult
    | ListResourceTemplatesResult
    | ReadResourceResult
    | CallToolResult
    | ListToolsResult
    | SubscriptionsListenResult
    | InputRequiredResult
)
"""What an answer from the server may be."""

client_request_adapter: TypeAdapter[ClientRequest] = TypeAdapter(ClientRequest)
"""Reads a request from the client."""
client_notification_adapter: TypeAdapter[ClientNotification] = TypeAdapter(ClientNotification)
"""Reads a notification from the client."""
client_result_adapter: TypeAdapter[ClientResult] = TypeAdapter(ClientResult)
"""Reads an answer from the client."""
server_request_adapter: TypeAdapter[ServerRequest] = TypeAdapter(ServerRequest)
"""Reads a request from the server."""
server_notification_adapter: TypeAdapter[ServerNotification] = TypeAdapter(ServerNotification)
"""Reads a notification from the server."""
server_result_adapter: TypeAdapter[ServerResult] = TypeAdapter(ServerResult)
"""Reads an answer from the server."""
