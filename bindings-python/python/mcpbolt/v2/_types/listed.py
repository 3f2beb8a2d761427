"""What servers list: resources, prompts, tools.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Any, Literal

from pydantic import Field

from ._model import Model
from .common import Annotations, BaseMetadata, Icon


class ToolExecution(Model):
    """How a tool runs. 2025-11-25 only."""

    task_support: Literal["forbidden", "optional", "required"] | None = None
    """Whether it runs as a task."""


class Resource(BaseMetadata):
    """Something a client can read."""

    uri: str
    """The URI of the resource."""
    description: str | None = None
    """A description of the resource."""
    mime_type: str | None = None
    """The MIME type, if known."""
    size: int | None = None
    """Size in bytes before any encoding, if known."""
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ResourceTemplate(BaseMetadata):
    """A family of resources."""

    uri_template: str
    """An RFC 6570 template of the URIs."""
    description: str | None = None
    """A description of the resources."""
    mime_type: str | None = None
    """The MIME type, if all have the same."""
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    annotations: Annotations | None = None
    """Hints for the client."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class PromptArgument(BaseMetadata):
    """One argument of a prompt."""

    description: str | None = None
    """A description of the argument."""
    required: bool | None = None
    """Whether it must be given. Taken as false when absent."""


class Prompt(BaseMetadata):
    """A prompt or a template of one."""

    description: str | None = None
    """A description of the prompt."""
    arguments: list[PromptArgument] | None = None
    """The arguments of the prompt."""
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""


class ToolAnnotations(Model):
    """Hints about a tool. From an untrusted server they are not to be trusted."""

    title: str | None = None
    """Its name for people; the tool's own title comes first."""
    read_only_hint: bool | None = None
    """It changes nothing. Taken as false when absent."""
    destructive_hint: bool | None = None
    """It may destroy; only matters when it is not read-only. Taken as true when absent."""
    idempotent_hint: bool | None = None
    """Calling it again with the same arguments changes nothing more. Taken as false when
    absent.
    """
    open_world_hint: bool | None = None
    """It deals with the outside world. Taken as true when absent."""


class Tool(BaseMetadata):
    """Something a client can call."""

    description: str | None = None
    """What it does, for the model."""
    input_schema: dict[str, Any]
    """JSON Schema of the arguments. Its root has `type: object`."""
    execution: ToolExecution | None = None
    """How it runs. 2025-11-25 only."""
    output_schema: dict[str, Any] | None = None
    """JSON Schema of `structuredContent`. Since 2025-06-18; before 2026-07-28 its root has
    `type: object`.
    """
    icons: list[Icon] | None = None
    """Icons. Since 2025-11-25."""
    annotations: ToolAnnotations | None = None
    """Hints about what it does. Since 2025-03-26."""
    meta: dict[str, Any] | None = Field(alias="_meta", default=None)
    """Metadata of the protocol and of extensions."""
