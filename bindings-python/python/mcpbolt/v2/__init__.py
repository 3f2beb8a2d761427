"""The names of the official package 2.x, as their explicit home.

Owns: what `import mcp` gives a program written for 2.x. Must not know: the names of 1.x.
Importing this package loads none of its modules: every name is imported on first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..client.stdio import StdioServerParameters, stdio_client
    from ..server.stdio import stdio_server
    from ..shared.exceptions import MCPDeprecationWarning, MCPError, UrlElicitationRequiredError
    from ..shared.uri_template import InvalidUriTemplate, UriTemplate
    from . import types as types
    from .client import InputRequiredRoundsExceededError
    from .client.client import Client
    from .client.session import ClientSession
    from .client.session_group import ClientSessionGroup
    from .server.session import ServerSession
    from .types import (
        CallToolRequest,
        ClientCapabilities,
        ClientNotification,
        ClientRequest,
        ClientResult,
        CompleteRequest,
        CreateMessageRequest,
        CreateMessageResult,
        CreateMessageResultWithTools,
        ErrorData,
        GetPromptRequest,
        GetPromptResult,
        Implementation,
        IncludeContext,
        InitializeRequest,
        InitializeResult,
        InitializedNotification,
        JSONRPCError,
        JSONRPCRequest,
        JSONRPCResponse,
        ListPromptsRequest,
        ListPromptsResult,
        ListResourcesRequest,
        ListResourcesResult,
        ListToolsResult,
        LoggingLevel,
        LoggingMessageNotification,
        Notification,
        PingRequest,
        ProgressNotification,
        PromptsCapability,
        ReadResourceRequest,
        ReadResourceResult,
        Resource,
        ResourceUpdatedNotification,
        ResourcesCapability,
        RootsCapability,
        SamplingCapability,
        SamplingContent,
        SamplingContextCapability,
        SamplingMessage,
        SamplingMessageContentBlock,
        SamplingToolsCapability,
        ServerCapabilities,
        ServerNotification,
        ServerRequest,
        ServerResult,
        SetLevelRequest,
        StopReason,
        SubscribeRequest,
        Tool,
        ToolChoice,
        ToolResultContent,
        ToolUseContent,
        ToolsCapability,
        UnsubscribeRequest,
    )
    from .types import Role as SamplingRole

__all__ = [
    "CallToolRequest",
    "Client",
    "ClientCapabilities",
    "ClientNotification",
    "ClientRequest",
    "ClientResult",
    "ClientSession",
    "ClientSessionGroup",
    "CompleteRequest",
    "CreateMessageRequest",
    "CreateMessageResult",
    "CreateMessageResultWithTools",
    "ErrorData",
    "GetPromptRequest",
    "GetPromptResult",
    "Implementation",
    "IncludeContext",
    "InitializeRequest",
    "InitializeResult",
    "InitializedNotification",
    "InputRequiredRoundsExceededError",
    "InvalidUriTemplate",
    "JSONRPCError",
    "JSONRPCRequest",
    "JSONRPCResponse",
    "ListPromptsRequest",
    "ListPromptsResult",
    "ListResourcesRequest",
    "ListResourcesResult",
    "ListToolsResult",
    "LoggingLevel",
    "LoggingMessageNotification",
    "MCPDeprecationWarning",
    "MCPError",
    "Notification",
    "PingRequest",
    "ProgressNotification",
    "PromptsCapability",
    "ReadResourceRequest",
    "ReadResourceResult",
    "Resource",
    "ResourceUpdatedNotification",
    "ResourcesCapability",
    "RootsCapability",
    "SamplingCapability",
    "SamplingContent",
    "SamplingContextCapability",
    "SamplingMessage",
    "SamplingMessageContentBlock",
    "SamplingRole",
    "SamplingToolsCapability",
    "ServerCapabilities",
    "ServerNotification",
    "ServerRequest",
    "ServerResult",
    "ServerSession",
    "SetLevelRequest",
    "StdioServerParameters",
    "StopReason",
    "SubscribeRequest",
    "Tool",
    "ToolChoice",
    "ToolResultContent",
    "ToolUseContent",
    "ToolsCapability",
    "UnsubscribeRequest",
    "UriTemplate",
    "UrlElicitationRequiredError",
    "stdio_client",
    "stdio_server",
]

# Under the alias, `__name__` is another.
_HERE = __name__
_HOMES = {
    "Client": ".client.client",
    "ClientSession": ".client.session",
    "ClientSessionGroup": ".client.session_group",
    "InputRequiredRoundsExceededError": ".client",
    "InvalidUriTemplate": "..shared.uri_template",
    "MCPDeprecationWarning": "..shared.exceptions",
    "MCPError": "..shared.exceptions",
    "ServerSession": ".server.session",
    "StdioServerParameters": "..client.stdio",
    "UriTemplate": "..shared.uri_template",
    "UrlElicitationRequiredError": "..shared.exceptions",
    "stdio_client": "..client.stdio",
    "stdio_server": "..server.stdio",
    "SamplingRole": ".types",
}


def __getattr__(name: str) -> Any:
    if name in ("types", "client", "server", "shared"):
        return import_module(f".{name}", _HERE)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, ".types"), _HERE), "Role" if name == "SamplingRole" else name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
