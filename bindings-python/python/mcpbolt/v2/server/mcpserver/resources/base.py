"""What resources have in common.

Owns: the base class of 2.x. Its annotations are evaluated at once, see `_naming`.
"""

from typing import ClassVar

from pydantic import ConfigDict, Field

from ....._common.resources.base import Resource as _Resource
from ....types import Annotations, Icon

__all__ = ["Resource"]


class Resource(_Resource):
    """Something that clients can read. Subclasses implement how. The URI and the MIME type stay as
    they are written, and unknown members are refused.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    uri: str = Field(default=..., description="URI of the resource")  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
    """The URI under which clients read it."""
    mime_type: str = Field(default="text/plain", description="MIME type of the resource content")
    """The MIME type of the content. Default: `text/plain`."""
    icons: list[Icon] | None = Field(  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
        default=None, description="Optional list of icons for this resource"
    )
    """Icons for the resource. Default: none."""
    annotations: Annotations | None = Field(  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
        default=None, description="Optional annotations for the resource"
    )
    """Hints for clients: audience, priority, last change. Default: none."""
