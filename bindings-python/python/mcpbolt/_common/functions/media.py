"""Images and audio as results of tools.

Owns: these classes, and which MIME type the name of a file implies.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from ..._naming import found_in
from ...shared._definitions import WithModels

if TYPE_CHECKING:
    from pathlib import Path

    from ...types import AudioContent, ImageContent

_UNKNOWN = "application/octet-stream"
_IMAGES = {name: f"image/{name}" for name in ("png", "jpeg", "gif", "webp")} | {"jpg": "image/jpeg"}
_SOUNDS = {name: f"audio/{name}" for name in ("wav", "ogg", "flac", "aac")} | {
    "mp3": "audio/mpeg",
    "m4a": "audio/mp4",
}


def _path(path: str | Path) -> Path:
    # Imported late, because most servers do not need it and it takes long to load.
    from pathlib import Path

    return Path(path)


class _Media(WithModels):
    # Not annotated: a class with annotations would become the model of a tool's result.
    _family = ""
    _usual = ""
    _known = _IMAGES

    def __init__(
        self, path: str | Path | None = None, data: bytes | None = None, format: str | None = None
    ) -> None:
        """Make it of a file or of bytes.

        Args:
            path: The file; not together with `data`. Default: none.
            data: The bytes; not together with `path`. Default: none.
            format: The second half of the MIME type, such as `png`. Default: what the name of the
                file implies; `png` for an image of bytes, `wav` for audio of bytes.

        Raises:
            ValueError: Neither or both of `path` and `data` are given.
        """
        self._check(path, data)
        self.path: Path | None = _path(path) if path else None
        self.data: bytes | None = data
        self._format = format
        self._mime_type = self._get_mime_type()

    def _check(self, path: str | Path | None, data: bytes | None) -> None:
        raise NotImplementedError

    def _get_mime_type(self) -> str:
        if self._format:
            return f"{self._family}/{self._format.lower()}"
        if self.path:
            return self._known.get(self.path.suffix.lower().removeprefix("."), _UNKNOWN)
        return self._usual

    def _encoded(self) -> str:
        if self.path:
            return base64.b64encode(self.path.read_bytes()).decode()
        if self.data is None:
            raise ValueError(f"No {self._family} data available")
        return base64.b64encode(self.data).decode()


@found_in("server.fastmcp.utilities.types")
class Image(_Media):
    """An image from a file or from bytes, to return from a tool."""

    _family = "image"
    _usual = "image/png"
    _known = _IMAGES

    def _check(self, path: str | Path | None, data: bytes | None) -> None:
        if path is None and data is None:
            raise ValueError("Either path or data must be provided")
        if path is not None and data is not None:
            raise ValueError("Only one of path or data can be provided")

    def to_image_content(self) -> ImageContent:
        """The image as a content block."""
        made: ImageContent = self._models.ImageContent(type="image", data=self._encoded(), mimeType=self._mime_type)
        return made


@found_in("server.fastmcp.utilities.types")
class Audio(_Media):
    """Audio from a file or from bytes, to return from a tool."""

    _family = "audio"
    _usual = "audio/wav"
    _known = _SOUNDS

    def _check(self, path: str | Path | None, data: bytes | None) -> None:
        if bool(path) == bool(data):
            raise ValueError("Either path or data can be provided")

    def to_audio_content(self) -> AudioContent:
        """The audio as a content block."""
        made: AudioContent = self._models.AudioContent(type="audio", data=self._encoded(), mimeType=self._mime_type)
        return made
