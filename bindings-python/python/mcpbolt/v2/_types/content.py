"""Content blocks: what tools and prompts say.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal, TypeAlias

from pydantic import Field

from ._model import Model
from .common import Annotations
from .listed import Resource


class ResourceContents(Model):
    """The contents of a resource."""

    uri: str
    """The URI of the contents."""
    mime_type: str | None = None
    """The MIME type, if known."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class TextResourceContents(ResourceContents):
    """Contents that are text."""

    text: str
    """The text."""


class BlobResourceContents(ResourceContents):
    """Contents that are bytes."""

    blob: str
    """The bytes in Base64."""


class TextContent(Model):
    """Text."""

    type: Literal["text"] = "text"
    """Always `text`."""
    text: str
    """The text."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ImageContent(Model):
    """A picture."""

    type: Literal["image"] = "image"
    """Always `image`."""
    data: str
    """The bytes in Base64."""
    mime_type: str
    """The MIME type."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class AudioContent(Model):
    """Sound. Since 2025-03-26."""

    type: Literal["audio"] = "audio"
    """Always `audio`."""
    data: str
    """The bytes in Base64."""
    mime_type: str
    """The MIME type."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class EmbeddedResource(Model):
    """The contents of a resource."""

    type: Literal["resource"] = "resource"
    """Always `resource`."""
    resource: TextResourceContents | BlobResourceContents
    """The contents."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ResourceLink(Resource):
    """A resource that can be read, named but not included. Since 2025-06-18."""

    type: Literal["resource_link"] = "resource_link"
    """Always `resource_link`."""

ContentBlock: TypeAlias = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
"""One piece of content. The `type` member tells the kind."""
