"""The high-level server with the semantics of 2.x. Names are imported on first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..._common.functions.media import Audio, Image
    from ..._common.prompts.messages import AssistantMessage, Message, UserMessage
    from ...types import Icon
    from .._resource_security import DEFAULT_RESOURCE_SECURITY, ResourceSecurity
    from ..elicitation import AcceptedElicitation, CancelledElicitation, DeclinedElicitation
    from ..extension import Extension, MethodBinding, ResourceBinding, ToolBinding, require_client_extension
    from ..request_state import (
        AESGCMRequestStateCodec,
        InvalidRequestState,
        RequestStateBoundary,
        RequestStateCodec,
        RequestStateSecurity,
        authenticated_principal,
    )
    from .context import Context
    from .resolve import Elicit, ElicitationResult, ListRoots, Resolve, Sample
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

_HOMES = {
    ".._resource_security": ("DEFAULT_RESOURCE_SECURITY", "ResourceSecurity"),
    "..elicitation": ("AcceptedElicitation", "CancelledElicitation", "DeclinedElicitation"),
    "..extension": ("Extension", "MethodBinding", "ResourceBinding", "ToolBinding", "require_client_extension"),
    "..._common.prompts.messages": ("AssistantMessage", "Message", "UserMessage"),
    "..._common.functions.media": ("Audio", "Image"),
    "..request_state": (
        "AESGCMRequestStateCodec",
        "InvalidRequestState",
        "RequestStateBoundary",
        "RequestStateCodec",
        "RequestStateSecurity",
        "authenticated_principal",
    ),
    "...types": ("Icon",),
    ".context": ("Context",),
    ".resolve": ("Elicit", "ElicitationResult", "ListRoots", "Resolve", "Sample"),
    ".server": ("MCPServer",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOME_OF[name], __package__), name)
    globals()[name] = value
    return value
