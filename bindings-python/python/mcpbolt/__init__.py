"""The Model Context Protocol on a Rust engine, under the names of the official Python SDK.

Importing this package loads none of its modules: every name is imported on first use, so that
a server can answer its client before pydantic is loaded.
"""

import sys

# Importing `typing` would take most of the time that this module needs; type checkers treat
# the name specially.
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
    from .server.fastmcp.context import Context
    from .server.fastmcp.server import FastMCP
    from .server.fastmcp.utilities.types import Image
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
        InitializedNotification,
        InitializeRequest,
        InitializeResult,
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
        ResourcesCapability,
        ResourceUpdatedNotification,
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
        ToolsCapability,
        ToolUseContent,
        UnsubscribeRequest,
    )
    from .types import Role as SamplingRole

    __version__: str

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
    "Context",
    "CreateMessageRequest",
    "CreateMessageResult",
    "CreateMessageResultWithTools",
    "ErrorData",
    "FastMCP",
    "GetPromptRequest",
    "GetPromptResult",
    "Host",
    "HostTool",
    "Image",
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

# All of them, also while this package stands in for another that lists fewer.
_NAMES = frozenset(__all__)
_MODULES = frozenset({"client", "server", "shared", "types"})
# The module that each name is defined in; those not listed are in `types`.
_HOMES = {
    "Client": "client.client",
    "ClientSession": "client.session",
    "ClientSessionGroup": "client.session_group",
    "Host": "client.host",
    "HostTool": "client.host",
    "Context": "server.fastmcp.context",
    "FastMCP": "server.fastmcp.server",
    "Image": "server.fastmcp.utilities.types",
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
    if name == "__version__":
        return _version()
    if name not in _NAMES:
        from ._elsewhere import missing

        raise missing(__name__, name)
    home = import_module(f".{_HOMES.get(name, 'types')}", __name__)
    value = getattr(home, _OTHER_NAMES.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})


def _version() -> str:
    from ._engine import face

    if face.current.named_as_1:
        # The official package has none, and programs would take it for that package's version.
        raise AttributeError(f"module {__name__!r} has no attribute '__version__'")
    from . import _mcpbolt

    return _mcpbolt.__version__


class _Last:
    """The last finder of the import system: asked only for modules that no other finder has."""

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> None:
        """Raise an error with the right name for modules that exist here under another one."""
        if fullname.startswith("mcpbolt."):
            from ._elsewhere import refuse_module

            refuse_module(fullname)


_finders: "list[Any]" = sys.meta_path
_finders.append(_Last)
