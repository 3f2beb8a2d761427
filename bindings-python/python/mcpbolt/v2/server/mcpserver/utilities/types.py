"""Pictures and sound as results.

Owns: that they become content blocks of 2.x. Must not know: files and MIME types.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....._common.functions.media import Audio as _Audio
from ....._common.functions.media import Image as _Image
from .._models import OwnModels

if TYPE_CHECKING:
    from ....types import AudioContent, ImageContent

__all__ = ["Audio", "Image"]


class Image(OwnModels, _Image):
    """An image from a file or from bytes, to return from a tool or a prompt."""

    if TYPE_CHECKING:

        def to_image_content(self) -> ImageContent:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
            """The image as a content block."""


class Audio(OwnModels, _Audio):
    """Audio from a file or from bytes, to return from a tool or a prompt."""

    if TYPE_CHECKING:

        def to_audio_content(self) -> AudioContent:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
            """The audio as a content block."""
