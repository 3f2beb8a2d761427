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
        Context,
        Elicit,
        ElicitationResult,
        Extension,
        InvalidRequestState,
        ListRoots,
        MethodBinding,
        RequestStateBoundary,
        RequestStateCodec,
        RequestStateSecurity,
        Resolve,
        ResourceBinding,
        ResourceSecurity,
        Sample,
        ToolBinding,
        authenticated_principal,
    )
    from ...types import Icon
    from .prompts.base import AssistantMessage, Message, UserMessage
    from .server import MCPServer
    from .utilities.types import Audio, Image

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
_HOMES = {
    ".prompts.base": ("AssistantMessage", "Message", "UserMessage"),
    ".server": ("MCPServer",),
    ".utilities.types": ("Audio", "Image"),
    "...types": ("Icon",),
    "....server.elicitation": ("AcceptedElicitation", "CancelledElicitation", "DeclinedElicitation"),
    "....server.extension": ("require_client_extension",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    value = getattr(import_module(_HOME_OF.get(name, "....server.mcpserver"), _HERE), name)
    globals()[name] = value
    return value
