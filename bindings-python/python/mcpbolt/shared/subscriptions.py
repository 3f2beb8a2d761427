"""Changes a server tells of, in the words of 2.x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

__all__ = ["PromptsListChanged", "ResourceUpdated", "ResourcesListChanged", "ServerEvent", "ToolsListChanged"]


@dataclass(frozen=True)
class ToolsListChanged:
    """The list of tools changed."""


@dataclass(frozen=True)
class PromptsListChanged:
    """The list of prompts changed."""


@dataclass(frozen=True)
class ResourcesListChanged:
    """There are other resources or templates now."""


@dataclass(frozen=True)
class ResourceUpdated:
    """The content of a resource changed."""

    uri: str
    """The URI of the resource that changed."""


ServerEvent = Union[ToolsListChanged, PromptsListChanged, ResourcesListChanged, ResourceUpdated]
"""Any change that a server can announce."""

_LISTS: dict[str, ServerEvent] = {
    "notifications/tools/list_changed": ToolsListChanged(),
    "notifications/prompts/list_changed": PromptsListChanged(),
    "notifications/resources/list_changed": ResourcesListChanged(),
}


def event_of(method: str, params: Any) -> ServerEvent | None:
    """The change a notification tells of; `None` if it is another kind of notification."""
    if method == "notifications/resources/updated":
        uri = params.get("uri") if isinstance(params, dict) else None  # pyright: ignore
        return ResourceUpdated(str(uri)) if uri is not None else None  # pyright: ignore
    return _LISTS.get(method)


def announcement_of(event: ServerEvent) -> tuple[str, str | None]:
    """A change as the engine announces it: kind and URI."""
    if isinstance(event, ResourceUpdated):
        return "resource", event.uri
    if isinstance(event, ToolsListChanged):
        return "tools", None
    return ("prompts", None) if isinstance(event, PromptsListChanged) else ("resources", None)


def notification_of(event: ServerEvent) -> tuple[str, Any]:
    """The method and params of the notification that tells of a change."""
    if isinstance(event, ResourceUpdated):
        return "notifications/resources/updated", {"uri": event.uri}
    return next(method for method, its in _LISTS.items() if its == event), None
