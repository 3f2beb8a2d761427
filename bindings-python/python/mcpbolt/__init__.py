"""The Model Context Protocol on a Rust engine, under the names of the official Python SDK.

Importing this loads nothing but itself: every name is fetched when it is first used,
so that a server can answer its client before pydantic is there.
"""

# `typing` would be most of the time it takes to import this; type checkers know the name.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from . import client, server, shared, types
    from .client.client import Client
    from .client.host import Host, HostTool
    from .client.session import ClientSession
    from .client.session_group import ClientSessionGroup
    from .client.stdio import StdioServerParameters, stdio_client
    from .client.sync import SyncClient
    from .server.mcpserver.server import MCPServer
    from .server.session import ServerSession
    from .server.stdio import stdio_server
    from .shared.exceptions import MCPDeprecationWarning, MCPError, McpError, UrlElicitationRequiredError
    from .shared.uri_template import InvalidUriTemplate, UriTemplate
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
    "Host",
    "HostTool",
    "Implementation",
    "IncludeContext",
    "InitializeRequest",
    "InitializeResult",
    "InitializedNotification",
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
    "MCPServer",
    "McpError",
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
    "SyncClient",
    "Tool",
    "ToolChoice",
    "ToolResultContent",
    "ToolUseContent",
    "ToolsCapability",
    "UnsubscribeRequest",
    "UriTemplate",
    "UrlElicitationRequiredError",
    "client",
    "server",
    "shared",
    "stdio_client",
    "stdio_server",
    "types",
]

_MODULES = frozenset({"client", "server", "shared", "types"})
# Where the names live; what is not listed lives in `types`.
_HOMES = {
    "Client": "client.client",
    "ClientSession": "client.session",
    "ClientSessionGroup": "client.session_group",
    "Host": "client.host",
    "HostTool": "client.host",
    "InvalidUriTemplate": "shared.uri_template",
    "MCPDeprecationWarning": "shared.exceptions",
    "MCPError": "shared.exceptions",
    "MCPServer": "server.mcpserver.server",
    "McpError": "shared.exceptions",
    "ServerSession": "server.session",
    "StdioServerParameters": "client.stdio",
    "SyncClient": "client.sync",
    "UriTemplate": "shared.uri_template",
    "UrlElicitationRequiredError": "shared.exceptions",
    "stdio_client": "client.stdio",
    "stdio_server": "server.stdio",
}
_OTHER_NAMES = {"SamplingRole": "Role"}


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f".{_HOMES.get(name, 'types')}", __name__)
    value = getattr(home, _OTHER_NAMES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
