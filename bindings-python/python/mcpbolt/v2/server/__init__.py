"""Servers of 2.x. Names are imported on first use.

Owns: which names are here. Must not know: what they do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ...server.caching import CacheHint
    from ...server.context import ServerRequestContext
    from .lowlevel import NotificationOptions, Server
    from .mcpserver import MCPServer
    from .models import InitializationOptions

__all__ = ["CacheHint", "InitializationOptions", "MCPServer", "NotificationOptions", "Server", "ServerRequestContext"]

# Under the alias, `__name__` is another.
_HERE = __name__
_HOMES = {"InitializationOptions": ".models", "MCPServer": ".mcpserver", "NotificationOptions": ".lowlevel", "Server": ".lowlevel"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "...server"), _HERE), name)
    globals()[name] = value
    return value
