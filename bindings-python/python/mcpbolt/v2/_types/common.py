"""What many types share.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ._model import Model

Role: TypeAlias = Literal["user", "assistant"]
"""The user, or the model (`assistant`)."""

IconTheme: TypeAlias = Literal["light", "dark"]
"""The background an icon is drawn for."""


class BaseMetadata(Model):
    """What has a name for programs and one for people."""

    name: str
    """Its name for programs."""
    title: str | None = None
    """Its name for people. Since 2025-06-18."""


class Icon(Model):
    """A picture that stands for something. Since 2025-11-25."""

    src: str
    """An `https:` or `data:` URI."""
    mime_type: str | None = None
    """The MIME type, if the source has none or a wrong one."""
    sizes: list[str] | None = None
    """Sizes as `WxH`, or `any`."""
    theme: IconTheme | None = None
    """The background it is drawn for."""


class Implementation(BaseMetadata):
    """Name and version of a program. For display only: never decide by it."""

    version: str
    """Version."""
    description: str | None = None
    """What it does, since 2025-11-25."""
    website_url: str | None = None
    """Home page, since 2025-11-25."""
    icons: list[Icon] | None = None
    """Icons, since 2025-11-25."""


class Annotations(Model):
    """Hints for the client about how to use or show something. From an untrusted server they
    are not to be trusted.
    """

    audience: list[Role] | None = None
    """For whom it is: the user, the model (`assistant`), or both."""
    priority: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    """How important it is, from 0 to 1 (1: effectively required)."""
    last_modified: str | None = None
    """When it last changed, in ISO 8601. Since 2025-06-18."""
