"""Resources: how they are listed, read and watched.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Literal

from .base import (
    CacheableResult,
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    RequestParams,
    ResultType,
)
from .content import BlobResourceContents, TextResourceContents
from .listed import Resource, ResourceTemplate
from .questions import InputResponseRequestParams


class ListResourcesRequest(PaginatedRequest[Literal["resources/list"]]):
    """Request `resources/list` from the client."""

    method: Literal["resources/list"] = "resources/list"
    """The method."""


class ListResourcesResult(PaginatedResult, CacheableResult):
    """Result of `resources/list`."""

    resources: list[Resource]
    """The resources of this page."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class ListResourceTemplatesRequest(PaginatedRequest[Literal["resources/templates/list"]]):
    """Request `resources/templates/list` from the client."""

    method: Literal["resources/templates/list"] = "resources/templates/list"
    """The method."""


class ListResourceTemplatesResult(PaginatedResult, CacheableResult):
    """Result of `resources/templates/list`."""

    resource_templates: list[ResourceTemplate]
    """The templates of this page."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class ReadResourceRequestParams(InputResponseRequestParams):
    """Params of `resources/read`."""

    uri: str
    """The URI of the resource to read."""


class ReadResourceRequest(Request[ReadResourceRequestParams, Literal["resources/read"]]):
    """Request `resources/read` from the client."""

    method: Literal["resources/read"] = "resources/read"
    """The method."""
    params: ReadResourceRequestParams
    """What it is about."""


class ReadResourceResult(CacheableResult):
    """Result of `resources/read`."""

    contents: list[TextResourceContents | BlobResourceContents]
    """The contents; those of a folder may have several parts."""
    result_type: ResultType = "complete"
    """What kind of result this is. Since 2026-07-28."""


class ResourceListChangedNotification(Notification[NotificationParams | None, Literal["notifications/resources/list_changed"]]):
    """Notification `notifications/resources/list_changed` from the server."""

    method: Literal["notifications/resources/list_changed"] = "notifications/resources/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""


class SubscribeRequestParams(RequestParams):
    """Params of `resources/subscribe`. Until 2025-11-25."""

    uri: str
    """The URI of the resource to watch."""


class SubscribeRequest(Request[SubscribeRequestParams, Literal["resources/subscribe"]]):
    """Request `resources/subscribe` from the client. Until 2025-11-25."""

    method: Literal["resources/subscribe"] = "resources/subscribe"
    """The method."""
    params: SubscribeRequestParams
    """What it is about."""


class UnsubscribeRequestParams(RequestParams):
    """Params of `resources/unsubscribe`. Until 2025-11-25."""

    uri: str
    """The URI of the resource that is no longer watched."""


class UnsubscribeRequest(Request[UnsubscribeRequestParams, Literal["resources/unsubscribe"]]):
    """Request `resources/unsubscribe` from the client. Until 2025-11-25."""

    method: Literal["resources/unsubscribe"] = "resources/unsubscribe"
    """The method."""
    params: UnsubscribeRequestParams
    """What it is about."""


class ResourceUpdatedNotificationParams(NotificationParams):
    """Params of `notifications/resources/updated`."""

    uri: str
    """The URI that changed; it may be below the one that is watched."""


class ResourceUpdatedNotification(Notification[ResourceUpdatedNotificationParams, Literal["notifications/resources/updated"]]):
    """Notification `notifications/resources/updated` from the server."""

    method: Literal["notifications/resources/updated"] = "notifications/resources/updated"
    """The method."""
    params: ResourceUpdatedNotificationParams
    """What it is about."""
