"""What came with 2026-07-28, under the names of the official 2.x package.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from ._model import Model
from .base import (
    CacheableResult,
    Notification,
    NotificationParams,
    Request,
    RequestParams,
    Result,
    ResultType,
)
from .capabilities import ServerCapabilities


class DiscoverRequest(Request[RequestParams | None, Literal["server/discover"]]):
    """Request `server/discover` from the client. Since 2026-07-28."""

    method: Literal["server/discover"] = "server/discover"
    """The method."""
    params: RequestParams | None = None
    """What it is about."""


class DiscoverResult(CacheableResult):
    """Result of `server/discover` (since 2026-07-28)."""

    supported_versions: list[str]
    """The revisions that the server supports."""
    capabilities: ServerCapabilities
    """What the server can do."""
    instructions: str | None = None
    """How to use the server, for the model."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class SubscriptionFilter(Model, extra="allow"):
    """Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement."""

    tools_list_changed: bool | None = None
    """Changes of the tool list."""
    prompts_list_changed: bool | None = None
    """Changes of the prompt list."""
    resources_list_changed: bool | None = None
    """Changes of the resource and template lists."""
    resource_subscriptions: list[str] | None = None
    """Changes of these resources, and of those below them."""


class SubscriptionsListenRequestParams(RequestParams):
    """Params of `subscriptions/listen` and of its acknowledgement."""

    notifications: SubscriptionFilter
    """What to listen for."""


class SubscriptionsListenRequest(Request[SubscriptionsListenRequestParams, Literal["subscriptions/listen"]]):
    """Request `subscriptions/listen` from the client. Since 2026-07-28."""

    method: Literal["subscriptions/listen"] = "subscriptions/listen"
    """The method."""
    params: SubscriptionsListenRequestParams
    """What it is about."""


class SubscriptionsAcknowledgedNotificationParams(NotificationParams):
    """Params of `subscriptions/listen` and of its acknowledgement."""

    notifications: SubscriptionFilter
    """What to listen for."""


class SubscriptionsAcknowledgedNotification(Notification[SubscriptionsAcknowledgedNotificationParams, Literal["notifications/subscriptions/acknowledged"]]):
    """Notification `notifications/subscriptions/acknowledged` from the server. Since
    2026-07-28.
    """

    method: Literal["notifications/subscriptions/acknowledged"] = "notifications/subscriptions/acknowledged"
    """The method."""
    params: SubscriptionsAcknowledgedNotificationParams
    """What it is about."""


class SubscriptionsListenResult(Result):
    """Ends a `subscriptions/listen`. Since 2026-07-28."""

    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""
