"""resources."""

from pydantic import ConfigDict, Field
from typing import Any, Literal
from ._model import OpenModel, Uri
from .base import Notification, NotificationParams, PaginatedRequest, PaginatedResult, Request, RequestParams, Result
from .common import Annotations, BaseMetadata, Icon


class ListResourcesRequest(PaginatedRequest[Literal['resources/list']]):
    method: Literal['resources/list'] = 'resources/list'


class Resource(BaseMetadata):
    model_config = ConfigDict(extra="allow")
    uri: Uri
    description: str | None = None
    mimeType: str | None = None
    size: int | None = None
    icons: list[Icon] | None = None
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def mime_type(self) -> str | None:
        return self.mimeType


class ResourceTemplate(BaseMetadata):
    model_config = ConfigDict(extra="allow")
    uriTemplate: str
    description: str | None = None
    mimeType: str | None = None
    icons: list[Icon] | None = None
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def uri_template(self) -> str:
        return self.uriTemplate

    @property
    def mime_type(self) -> str | None:
        return self.mimeType


class ListResourcesResult(PaginatedResult):
    resources: list[Resource]


class ListResourceTemplatesRequest(PaginatedRequest[Literal['resources/templates/list']]):
    method: Literal['resources/templates/list'] = 'resources/templates/list'


class ListResourceTemplatesResult(PaginatedResult):
    resourceTemplates: list[ResourceTemplate]

    @property
    def resource_templates(self) -> list[ResourceTemplate]:
        return self.resourceTemplates


class ReadResourceRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    uri: Uri


class ReadResourceRequest(Request[ReadResourceRequestParams, Literal['resources/read']]):
    method: Literal['resources/read'] = 'resources/read'
    params: ReadResourceRequestParams


class ResourceContents(OpenModel):
    uri: Uri
    mimeType: str | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def mime_type(self) -> str | None:
        return self.mimeType


class TextResourceContents(ResourceContents):
    text: str


class BlobResourceContents(ResourceContents):
    blob: str


class ReadResourceResult(Result):
    contents: list[TextResourceContents | BlobResourceContents]


class ResourceListChangedNotification(Notification[NotificationParams | None, Literal['notifications/resources/list_changed']]):
    method: Literal['notifications/resources/list_changed'] = 'notifications/resources/list_changed'
    params: NotificationParams | None = None


class SubscribeRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    uri: Uri


class SubscribeRequest(Request[SubscribeRequestParams, Literal['resources/subscribe']]):
    method: Literal['resources/subscribe'] = 'resources/subscribe'
    params: SubscribeRequestParams


class UnsubscribeRequestParams(RequestParams):
    model_config = ConfigDict(extra="allow")
    uri: Uri


class UnsubscribeRequest(Request[UnsubscribeRequestParams, Literal['resources/unsubscribe']]):
    method: Literal['resources/unsubscribe'] = 'resources/unsubscribe'
    params: UnsubscribeRequestParams


class ResourceUpdatedNotificationParams(NotificationParams):
    model_config = ConfigDict(extra="allow")
    uri: Uri


class ResourceUpdatedNotification(Notification[ResourceUpdatedNotificationParams, Literal['notifications/resources/updated']]):
    method: Literal['notifications/resources/updated'] = 'notifications/resources/updated'
    params: ResourceUpdatedNotificationParams



