"""Resources and templates as clients see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...types import Resource as ResourceType
from ...types import ResourceTemplate as ResourceTemplateType

if TYPE_CHECKING:
    from .base import Resource
    from .templates import BaseTemplate


def resource_definition(resource: Resource) -> ResourceType:
    """A resource as an entry of `resources/list`."""
    return ResourceType(
        uri=resource.uri,
        name=resource.name or "",
        title=resource.title,
        description=resource.description,
        mimeType=resource.mime_type,
        icons=resource.icons,
        annotations=resource.annotations,
        _meta=resource.meta,  # pyright: ignore[reportCallIssue]
    )


def template_definition(template: BaseTemplate) -> ResourceTemplateType:
    """A template as an entry of `resources/templates/list`."""
    return ResourceTemplateType(
        uriTemplate=template.uri_template,
        name=template.name,
        title=template.title,
        description=template.description,
        mimeType=template.mime_type,
        icons=template.icons,
        annotations=template.annotations,
        _meta=template.meta,  # pyright: ignore[reportCallIssue]
    )
