"""The changes that a server reports, with the names of 2.x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

__all__ = [
    "SUBSCRIPTION_ID_META_KEY",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "ServerEvent",
    "ToolsListChanged",
]

SUBSCRIPTION_ID_META_KEY = "io.modelcontextprotocol/subscriptionId"
"""The `_meta` key of what is sent on a subscription: the id of its request."""


@dataclass(frozen=True)
class ToolsListChanged:
    """The list of tools changed."""


@dataclass(frozen=True)
class PromptsListChanged:
    """The list of prompts changed."""


@dataclass(frozen=True)
class ResourcesListChanged:
    """The list of resources or of resource templates changed."""


@dataclass(frozen=True)
class ResourceUpdated:
    """The content of a resource changed."""

    uri: str
    """The URI of the resource."""


ServerEvent = Union[ToolsListChanged, PromptsListChanged, ResourcesListChanged, ResourceUpdated]
"""Any of the changes that a server reports."""

_LISTS: dict[str, ServerEvent] = {
    "notifications/tools/list_changed": ToolsListChanged(),
    "notifications/prompts/list_changed": PromptsListChanged(),
    "notifications/resources/list_changed": ResourcesListChanged(),
}


def event_of(method: str, params: Any) -> ServerEvent | None:
    """The change that a notification reports; `None` for other notifications.

    Args:
        method: The method.
        params: The params.
    """
    if method == "notifications/resources/updated":
        uri = params.get("uri") if isinstance(params, dict) else None  # pyright: ignore
        return ResourceUpdated(str(uri)) if uri is not None else None  # pyright: ignore
    return _LISTS.get(method)


def announcement_of(event: ServerEvent) -> tuple[str, str | None]:
    """A change in the engine's terms: its kind, and the URI of the resource.

    Args:
        event: The change.
    """
    if isinstance(event, ResourceUpdated):
        return "resource", event.uri
    if isinstance(event, ToolsListChanged):
        return "tools", None
    return ("prompts", None) if isinstance(event, PromptsListChanged) else ("resources", None)


def notification_of(event: ServerEvent) -> tuple[str, Any]:
    """Method and params of the notification that reports a change.

    Args:
        event: The change.
    """
    if isinstance(event, ResourceUpdated):
        return "notifications/resources/updated", {"uri": event.uri}
    return next(method for method, its in _LISTS.items() if its == event), None
