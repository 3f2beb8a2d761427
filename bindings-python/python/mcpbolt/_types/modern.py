"""What came with 2026-07-28, under the names of the official 2.x package.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from ._model import OpenModel
from .base import Notification, NotificationParams, Request, RequestParams, Result
from .capabilities import ServerCapabilities


class SubscriptionFilter(OpenModel):
    """Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement."""

    toolsListChanged: bool | None = None
    """Changes of the tool list."""
    promptsListChanged: bool | None = None
    """Changes of the prompt list."""
    resourcesListChanged: bool | None = None
    """Changes of the resource and template lists."""
    resourceSubscriptions: list[str] | None = None
    """Changes of these resources, and of those below them."""

    @property
    def tools_list_changed(self) -> bool | None:
        """`toolsListChanged`."""
        return self.toolsListChanged

    @property
    def prompts_list_changed(self) -> bool | None:
        """`promptsListChanged`."""
        return self.promptsListChanged

    @property
    def resources_list_changed(self) -> bool | None:
        """`resourcesListChanged`."""
        return self.resourcesListChanged

    @property
    def resource_subscriptions(self) -> list[str] | None:
        """`resourceSubscriptions`."""
        return self.resourceSubscriptions


class DiscoverResult(Result):
    """Result of `server/discover` (since 2026-07-28)."""

    supportedVersions: list[str]
    """The revisions that the server supports."""
    capabilities: ServerCapabilities
    """What the server can do."""
    instructions: str | None = None
    """How to use the server, for the model."""
    ttlMs: int | None = None
    """How long the result stays fresh, in milliseconds."""
    cacheScope: str | None = None
    """Who may share the cached result."""

    @property
    def supported_versions(self) -> list[str]:
        """`supportedVersions`."""
        return self.supportedVersions

    @property
    def ttl_ms(self) -> int | None:
        """`ttlMs`."""
        return self.ttlMs

    @property
    def cache_scope(self) -> str | None:
        """`cacheScope`."""
        return self.cacheScope


class DiscoverRequest(Request[RequestParams | None, Literal["server/discover"]]):
    """Request `server/discover` from the client. Since 2026-07-28."""

    method: Literal["server/discover"] = "server/discover"
    """The method."""
    params: RequestParams | None = None
    """What it is about."""


class InputRequest(OpenModel):
    """One question: a request of the client's without an envelope."""

    method: str
    """`elicitation/create`, `sampling/createMessage` or `roots/list`."""
    params: dict[str, Any] | None = None
    """Its params: an object."""

InputRequests: TypeAlias = dict[str, InputRequest]
"""The questions by name, in order."""

InputResponses: TypeAlias = dict[str, Any]
"""The answers by the names of their questions."""


class InputRequiredResult(Result):
    """A result that asks the client to call again with answers."""

    inputRequests: dict[str, InputRequest] | None = None
    """The questions."""
    requestState: str | None = None
    """A text that the client sends back unchanged."""

    @property
    def input_requests(self) -> dict[str, InputRequest] | None:
        """`inputRequests`."""
        return self.inputRequests

    @property
    def request_state(self) -> str | None:
        """`requestState`."""
        return self.requestState


class SubscriptionsListenRequestParams(RequestParams, extra="allow"):
    """Params of `subscriptions/listen` and of its acknowledgement."""

    notifications: SubscriptionFilter
    """What to listen for."""


class SubscriptionsListenRequest(Request[SubscriptionsListenRequestParams, Literal["subscriptions/listen"]]):
    """Request `subscriptions/listen` from the client. Since 2026-07-28."""

    method: Literal["subscriptions/listen"] = "subscriptions/listen"
    """The method."""
    params: SubscriptionsListenRequestParams
    """What it is about."""


class SubscriptionsListenResult(Result):
    """Ends a `subscriptions/listen`. Since 2026-07-28."""


class SubscriptionsAcknowledgedNotificationParams(NotificationParams, extra="allow"):
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
