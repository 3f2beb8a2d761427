"""Servers. Names are imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .caching import CacheHint
    from .context import ServerRequestContext
    from .fastmcp import FastMCP
    from .lowlevel import NotificationOptions, Server
    from .mcpserver import MCPServer
    from .models import InitializationOptions

__all__ = [
    "CacheHint",
    "FastMCP",
    "InitializationOptions",
    "MCPServer",
    "NotificationOptions",
    "Server",
    "ServerRequestContext",
]

_HOMES = {
    "CacheHint": "caching",
    "MCPServer": "mcpserver.server",
    "ServerRequestContext": "context",
    "FastMCP": "fastmcp.server",
    "InitializationOptions": "models",
    "NotificationOptions": "lowlevel.server",
    "Server": "lowlevel.server",
}
_MODULES = frozenset({"caching", "context", "extension", "guarding", "mcpserver", "subscriptions", "websocket", "fastmcp", "lowlevel", "models", "session", "sse", "stdio", "streamable_http",
                      "streamable_http_manager", "transport_security", "elicitation", "auth"})


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    from .._elsewhere import missing

    raise missing(__name__, name)
