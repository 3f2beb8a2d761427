"""content."""

from pydantic import Field
from typing import Any, Literal, TypeAlias
from ._model import OpenModel
from .common import Annotations
from .resources import BlobResourceContents, Resource, TextResourceContents


class TextContent(OpenModel):
    type: Literal['text']
    text: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)


class ImageContent(OpenModel):
    type: Literal['image']
    data: str
    mimeType: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def mime_type(self) -> str:
        return self.mimeType


class AudioContent(OpenModel):
    type: Literal['audio']
    data: str
    mimeType: str
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)

    @property
    def mime_type(self) -> str:
        return self.mimeType


class EmbeddedResource(OpenModel):
    type: Literal['resource']
    resource: TextResourceContents | BlobResourceContents
    annotations: Annotations | None = None
    meta: dict[str, Any] | None = Field(alias='_meta', default=None)


class ResourceLink(Resource):
    type: Literal['resource_link']


ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource

Content: TypeAlias = ContentBlock


