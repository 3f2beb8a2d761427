"""What many types share.

Written by `cargo xtask generate`; do not edit.
"""

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import Field

from ._model import Model, OpenModel

Role: TypeAlias = Literal["user", "assistant"]
"""The user, or the model (`assistant`)."""


class BaseMetadata(Model):
    """What has a name for programs and one for people."""

    name: str
    """Its name for programs."""
    title: str | None = None
    """Its name for people. Since 2025-06-18."""

IconTheme: TypeAlias = Literal["light", "dark"] | str
"""The background an icon is drawn for."""


class Icon(OpenModel):
    """A picture that stands for something. Since 2025-11-25."""

    src: str
    """An `https:` or `data:` URI."""
    mimeType: str | None = None
    """The MIME type, if the source has none or a wrong one."""
    sizes: list[str] | None = None
    """Sizes as `WxH`, or `any`."""

    @property
    def mime_type(self) -> str | None:
        """`mimeType`."""
        return self.mimeType

    __later__: ClassVar[tuple[str, ...]] = ("theme",)

    @property
    def theme(self) -> IconTheme | None:
        """The background it is drawn for."""
        value: IconTheme | None = self.__later_value__("theme")
        return value


class Implementation(BaseMetadata, extra="allow"):
    """Name and version of a program. For display only: never decide by it."""

    version: str
    """Version."""
    websiteUrl: str | None = None
    """Home page, since 2025-11-25."""
    icons: list[Icon] | None = None
    """Icons, since 2025-11-25."""

    @property
    def website_url(self) -> str | None:
        """`websiteUrl`."""
        return self.websiteUrl

    __later__: ClassVar[tuple[str, ...]] = ("description",)

    @property
    def description(self) -> str | None:
        """What it does, since 2025-11-25."""
        value: str | None = self.__later_value__("description")
        return value


class Annotations(OpenModel):
    """Hints for the client about how to use or show something. From an untrusted server they
    are not to be trusted.
    """

    audience: list[Role] | None = None
    """For whom it is: the user, the model (`assistant`), or both."""
    priority: Annotated[float, Field(ge=0.0, le=1.0)] | None = None
    """How important it is, from 0 to 1 (1: effectively required)."""

    __later__: ClassVar[tuple[str, ...]] = ("lastModified",)

    @property
    def lastModified(self) -> str | None:
        """When it last changed, in ISO 8601. Since 2025-06-18."""
        value: str | None = self.__later_value__("lastModified")
        return value

    @property
    def last_modified(self) -> str | None:
        """`lastModified`."""
        value: str | None = self.__later_value__("lastModified")
        return value
