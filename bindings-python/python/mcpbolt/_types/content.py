"""Content blocks: what tools and prompts say.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from pydantic import Field

from ._model import OpenModel
from .common import Annotations
from .resources import BlobResourceContents, Resource, TextResourceContents


class TextContent(OpenModel):
    """Text."""

    type: Literal["text"]
    """Always `text`."""
    text: str
    """The text."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ImageContent(OpenModel):
    """A picture."""

    type: Literal["image"]
    """Always `image`."""
    data: str
    """The bytes in Base64."""
    mimeType: str
    """The MIME type."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def mime_type(self) -> str:
        """`mimeType`."""
        return self.mimeType


class AudioContent(OpenModel):
    """Sound. Since 2025-03-26."""

    type: Literal["audio"]
    """Always `audio`."""
    data: str
    """The bytes in Base64."""
    mimeType: str
    """The MIME type."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""

    @property
    def mime_type(self) -> str:
        """`mimeType`."""
        return self.mimeType


class EmbeddedResource(OpenModel):
    """The contents of a resource."""

    type: Literal["resource"]
    """Always `resource`."""
    resource: TextResourceContents | BlobResourceContents
    """The contents."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ResourceLink(Resource):
    """A resource that can be read, named but not included. Since 2025-06-18."""

    type: Literal["resource_link"]
    """Always `resource_link`."""

ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
"""One piece of content. The `type` member tells the kind."""

Content: TypeAlias = ContentBlock
"""The old name of `ContentBlock`."""
