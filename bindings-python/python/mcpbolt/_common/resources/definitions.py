"""Resources and templates as clients see them, as JSON values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._engine.json import model_dict

if TYPE_CHECKING:
    from .base import Resource
    from .templates import BaseTemplate


def resource_definition(resource: Resource) -> dict[str, Any]:
    """A resource as an entry of `resources/list`."""
    return _definition(resource, "uri", str(resource.uri))


def template_definition(template: BaseTemplate) -> dict[str, Any]:
    """A template as an entry of `resources/templates/list`."""
    return _definition(template, "uriTemplate", template.uri_template)


def _definition(item: Resource | BaseTemplate, member: str, uri: str) -> dict[str, Any]:
    # In the order of the protocol's models.
    found: dict[str, Any] = {
        "name": item.name or "",
        "title": item.title,
        member: uri,
        "description": item.description,
        "mimeType": item.mime_type,
        "icons": None if item.icons is None else [model_dict(icon) for icon in item.icons],
        "annotations": None if item.annotations is None else model_dict(item.annotations),
        "_meta": item.meta,
    }
    return {key: value for key, value in found.items() if value is not None}
