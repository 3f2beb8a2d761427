"""The base class of resources.

Owns: this class. Its annotations are evaluated at once, see `_naming`.
"""

import abc
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, UrlConstraints, ValidationInfo, field_validator

from ..._naming import found_in
from ...types import Annotations, Icon
from .deferring import MIME_PATTERN

_Uri: TypeAlias = Annotated[AnyUrl, UrlConstraints(host_required=False)]


@found_in("server.fastmcp.resources.base")
class Resource(BaseModel, abc.ABC):
    """Something that clients can read. Subclasses implement how."""

    model_config: ClassVar[ConfigDict] = ConfigDict(validate_default=True)

    uri: _Uri = Field(default=..., description="URI of the resource")
    """The URI under which clients read it."""
    name: str | None = Field(default=None, description="Name of the resource")
    """Its name. Default: the URI."""
    title: str | None = Field(default=None, description="Human-readable title of the resource")
    """The name to show to people. Default: none."""
    description: str | None = Field(default=None, description="Description of the resource")
    """What the resource is. Default: none."""
    mime_type: str = Field(default="text/plain", description="MIME type of the resource content", pattern=MIME_PATTERN)
    """The MIME type of the content. Default: `text/plain`."""
    icons: list[Icon] | None = Field(default=None, description="Optional list of icons for this resource")
    """Icons for the resource. Default: none."""
    annotations: Annotations | None = Field(default=None, description="Optional annotations for the resource")
    """Hints for clients: audience, priority, last change. Default: none."""
    meta: dict[str, Any] | None = Field(default=None, description="Optional metadata for this resource")
    """The `_meta` of the resource. Default: none."""

    @field_validator("name", mode="before")
    @classmethod
    def set_default_name(cls, name: str | None, info: ValidationInfo) -> str:
        """Use the URI as the name of a resource without one."""
        if name:
            return name
        if uri := info.data.get("uri"):
            return str(uri)
        raise ValueError("Either name or uri must be provided")

    @abc.abstractmethod
    async def read(self) -> str | bytes:
        """Read the content."""
