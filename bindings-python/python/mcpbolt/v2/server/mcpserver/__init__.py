"""The high-level server of 2.x. Names are imported on first use.

Owns: which names are here. Must not know: what they do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ....server.elicitation import AcceptedElicitation, CancelledElicitation, DeclinedElicitation
    from ....server.extension import require_client_extension
    from ....server.mcpserver import (
        DEFAULT_RESOURCE_SECURITY,
        AESGCMRequestStateCodec,
        AssistantMessage,
        Audio,
        Context,
        Elicit,
        ElicitationResult,
        Extension,
        Image,
        InvalidRequestState,
        ListRoots,
        Message,
        MethodBinding,
        RequestStateBoundary,
        RequestStateCodec,
        RequestStateSecurity,
        Resolve,
        ResourceBinding,
        ResourceSecurity,
        Sample,
        ToolBinding,
        UserMessage,
        authenticated_principal,
    )
    from ...types import Icon
    from .server import MCPServer

__all__ = [
    "DEFAULT_RESOURCE_SECURITY",
    "AESGCMRequestStateCodec",
    "AcceptedElicitation",
    "AssistantMessage",
    "Audio",
    "CancelledElicitation",
    "Context",
    "DeclinedElicitation",
    "Elicit",
    "ElicitationResult",
    "Extension",
    "Icon",
    "Image",
    "InvalidRequestState",
    "ListRoots",
    "MCPServer",
    "Message",
    "MethodBinding",
    "RequestStateBoundary",
    "RequestStateCodec",
    "RequestStateSecurity",
    "Resolve",
    "ResourceBinding",
    "ResourceSecurity",
    "Sample",
    "ToolBinding",
    "UserMessage",
    "authenticated_principal",
    "require_client_extension",
]

# Under the alias, `__name__` is another.
_HERE = __name__
_HOMES = {"MCPServer": ".server", "require_client_extension": "....server.extension"}
_OUTCOMES = ("AcceptedElicitation", "CancelledElicitation", "DeclinedElicitation")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    home = "....server.elicitation" if name in _OUTCOMES else _HOMES.get(name, "....server.mcpserver")
    value = getattr(import_module(home, _HERE), name)
    globals()[name] = value
    return value
