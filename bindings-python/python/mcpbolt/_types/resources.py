"""Resources: what they are, how they are listed, read and watched.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, ClassVar, Literal

from pydantic import Field

from ._model import OpenModel, Uri
from .base import (
    Notification,
    NotificationParams,
    PaginatedRequest,
    PaginatedResult,
    Request,
    RequestParams,
    Result,
)
from .common import Annotations, BaseMetadata, Icon


class ListResourcesRequest(PaginatedRequest[Literal["resources/list"]]):
    """Request `resources/list` from the client."""

    method: Literal["resources/list"] = "resources/list"
    """The method."""


class Resource(BaseMetadata, extra="allow"):
    """Something a client can read."""

    uri: Uri
    """The URI of the resource."""
    description: str | None = None
    """A description of the resource."""
    mimeType: str | None = None
    """The MIME type, if known."""
    size: int | None = None
    """Size in bytes before any encoding, if known."""
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def mime_type(self) -> str | None:
        """`mimeType`."""
        return self.mimeType


class ResourceTemplate(BaseMetadata, extra="allow"):
    """A family of resources."""

    uriTemplate: str
    """An RFC 6570 template of the URIs."""
    description: str | None = None
    """A description of the resources."""
    mimeType: str | None = None
    """The MIME type, if all have the same."""
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def uri_template(self) -> str:
        """`uriTemplate`."""
        return self.uriTemplate

    @property
    def mime_type(self) -> str | None:
        """`mimeType`."""
        return self.mimeType


class ListResourcesResult(PaginatedResult):
    """Result of `resources/list`."""

    resources: list[Resource]
    """The resources of this page."""

    __later__: ClassVar[tuple[str, ...]] = ("ttlMs", "cacheScope")

    @property
    def ttlMs(self) -> int | None:
        """How long this may be kept, in milliseconds. Since 2026-07-28."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def ttl_ms(self) -> int | None:
        """`ttlMs`."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def cacheScope(self) -> str | None:
        """Who may keep it. Since 2026-07-28."""
        value: str | None = self.__later_value__("cacheScope")
        return value

    @property
    def cache_scope(self) -> str | None:
        """`cacheScope`."""
        value: str | None = self.__later_value__("cacheScope")
        return value


class ListResourceTemplatesRequest(PaginatedRequest[Literal["resources/templates/list"]]):
    """Request `resources/templates/list` from the client."""

    method: Literal["resources/templates/list"] = "resources/templates/list"
    """The method."""


class ListResourceTemplatesResult(PaginatedResult):
    """Result of `resources/templates/list`."""

    resourceTemplates: list[ResourceTemplate]
    """The templates of this page."""

    @property
    def resource_templates(self) -> list[ResourceTemplate]:
        """`resourceTemplates`."""
        return self.resourceTemplates

    __later__: ClassVar[tuple[str, ...]] = ("ttlMs", "cacheScope")

    @property
    def ttlMs(self) -> int | None:
        """How long this may be kept, in milliseconds. Since 2026-07-28."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def ttl_ms(self) -> int | None:
        """`ttlMs`."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def cacheScope(self) -> str | None:
        """Who may keep it. Since 2026-07-28."""
        value: str | None = self.__later_value__("cacheScope")
        return value

    @property
    def cache_scope(self) -> str | None:
        """`cacheScope`."""
        value: str | None = self.__later_value__("cacheScope")
        return value


class ReadResourceRequestParams(RequestParams, extra="allow"):
    """Params of `resources/read`."""

    uri: Uri
    """The URI of the resource to read."""

    __later__: ClassVar[tuple[str, ...]] = ("inputResponses", "requestState")

    @property
    def inputResponses(self) -> dict[str, Any] | None:
        """Answers to an earlier `input_required`. Since 2026-07-28."""
        value: dict[str, Any] | None = self.__later_value__("inputResponses")
        return value

    @property
    def input_responses(self) -> dict[str, Any] | None:
        """`inputResponses`."""
        value: dict[str, Any] | None = self.__later_value__("inputResponses")
        return value

    @property
    def requestState(self) -> str | None:
        """What the earlier `input_required` asked to be sent back. Since 2026-07-28."""
        value: str | None = self.__later_value__("requestState")
        return value

    @property
    def request_state(self) -> str | None:
        """`requestState`."""
        value: str | None = self.__later_value__("requestState")
        return value


class ReadResourceRequest(Request[ReadResourceRequestParams, Literal["resources/read"]]):
    """Request `resources/read` from the client."""

    method: Literal["resources/read"] = "resources/read"
    """The method."""
    params: ReadResourceRequestParams
    """What it is about."""


class ResourceContents(OpenModel):
    """The contents of a resource."""

    uri: Uri
    """The URI of the contents."""
    mimeType: str | None = None
    """The MIME type, if known."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def mime_type(self) -> str | None:
        """`mimeType`."""
        return self.mimeType


class TextResourceContents(ResourceContents):
    """Contents that are text."""

    text: str
    """The text."""


class BlobResourceContents(ResourceContents):
    """Contents that are bytes."""

    blob: str
    """The bytes in Base64."""


class ReadResourceResult(Result):
    """Result of `resources/read`."""

    contents: list[TextResourceContents | BlobResourceContents]
    """The contents; those of a folder may have several parts."""

    __later__: ClassVar[tuple[str, ...]] = ("ttlMs", "cacheScope")

    @property
    def ttlMs(self) -> int | None:
        """How long this may be kept, in milliseconds. Since 2026-07-28."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def ttl_ms(self) -> int | None:
        """`ttlMs`."""
        value: int | None = self.__later_value__("ttlMs")
        return value

    @property
    def cacheScope(self) -> str | None:
        """Who may keep it. Since 2026-07-28."""
        value: str | None = self.__later_value__("cacheScope")
        return value

    @property
    def cache_scope(self) -> str | None:
        """`cacheScope`."""
        value: str | None = self.__later_value__("cacheScope")
        return value


class ResourceListChangedNotification(Notification[NotificationParams | None, Literal["notifications/resources/list_changed"]]):
    """Notification `notifications/resources/list_changed` from the server."""

    method: Literal["notifications/resources/list_changed"] = "notifications/resources/list_changed"
    """The method."""
    params: NotificationParams | None = None
    """What it is about."""


class SubscribeRequestParams(RequestParams, extra="allow"):
    """Params of `resources/subscribe`. Until 2025-11-25."""

    uri: Uri
    """The URI of the resource to watch."""


class SubscribeRequest(Request[SubscribeRequestParams, Literal["resources/subscribe"]]):
    """Request `resources/subscribe` from the client. Until 2025-11-25."""

    method: Literal["resources/subscribe"] = "resources/subscribe"
    """The method."""
    params: SubscribeRequestParams
    """What it is about."""


class UnsubscribeRequestParams(RequestParams, extra="allow"):
    """Params of `resources/unsubscribe`. Until 2025-11-25."""

    uri: Uri
    """The URI of the resource that is no longer watched."""


class UnsubscribeRequest(Request[UnsubscribeRequestParams, Literal["resources/unsubscribe"]]):
    """Request `resources/unsubscribe` from the client. Until 2025-11-25."""

    method: Literal["resources/unsubscribe"] = "resources/unsubscribe"
    """The method."""
    params: UnsubscribeRequestParams
    """What it is about."""


class ResourceUpdatedNotificationParams(NotificationParams, extra="allow"):
    """Params of `notifications/resources/updated`."""

    uri: Uri
    """The URI that changed; it may be below the one that is watched."""


class ResourceUpdatedNotification(Notification[ResourceUpdatedNotificationParams, Literal["notifications/resources/updated"]]):
    """Notification `notifications/resources/updated` from the server."""

    method: Literal["notifications/resources/updated"] = "notifications/resources/updated"
    """The method."""
    params: ResourceUpdatedNotificationParams
    """What it is about."""
