"""The changes that a server reports, as programs for 2.x find and send them.

Owns: the way from a notification to a change and back. Must not know: subscriptions; the engine
has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ...shared.subscriptions import (
    SUBSCRIPTION_ID_META_KEY,
    PromptsListChanged,
    ResourcesListChanged,
    ResourceUpdated,
    ServerEvent,
    ToolsListChanged,
    event_of,
    notification_of,
)

if TYPE_CHECKING:
    from ..types import ServerNotification, SubscriptionFilter

__all__ = [
    "LISTEN_STREAM_METHODS",
    "SUBSCRIPTION_ID_META_KEY",
    "PromptsListChanged",
    "ResourceUpdated",
    "ResourcesListChanged",
    "ServerEvent",
    "ToolsListChanged",
    "event_from_wire",
    "event_matches",
    "event_to_notification",
]


LISTEN_STREAM_METHODS: frozenset[str] = frozenset(
    {
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
        "notifications/tools/list_changed",
    }
)
"""The notifications that clients of 2026-07-28 get on subscriptions only."""


def event_from_wire(method: str, params: Any) -> ServerEvent | None:
    """The change that a notification reports; `None` for others and for invalid params.

    Args:
        method: The method.
        params: The params; `None` for none.
    """
    if method == "notifications/resources/updated":
        uri: Any = params.get("uri") if isinstance(params, Mapping) else None  # pyright: ignore
        return ResourceUpdated(uri) if isinstance(uri, str) else None
    return event_of(method, params)


def event_matches(honored: SubscriptionFilter, uris: frozenset[str], event: ServerEvent) -> bool:
    """Whether a subscription reports a change.

    Args:
        honored: The filter that the server agreed to.
        uris: The URIs of the resources that the subscription watches.
        event: The change.
    """
    if isinstance(event, ResourceUpdated):
        return event.uri in uris
    if isinstance(event, ToolsListChanged):
        return honored.tools_list_changed is True
    if isinstance(event, PromptsListChanged):
        return honored.prompts_list_changed is True
    return honored.resources_list_changed is True


def event_to_notification(event: ServerEvent, meta: dict[str, Any]) -> ServerNotification:
    """Make the notification that reports a change.

    Args:
        event: The change.
        meta: The `_meta`.
    """
    from .. import types

    method, params = notification_of(event)
    whole: dict[str, Any] = {**(params or {}), "_meta": meta}
    message: dict[str, Any] = {"method": method, "params": whole}
    return types.server_notification_adapter.validate_python(message, by_name=False, by_alias=True)
