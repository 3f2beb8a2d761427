"""Resources of the 2.x kind: those of 1.x, but for files, whose encoding can be said.

Owns: what a file is read as. The others are the same in both.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from pydantic import Field, field_validator

from ..._threads import in_thread
from ...fastmcp.resources.base import Resource
from ...fastmcp.resources.types import BinaryResource, DirectoryResource, FunctionResource, HttpResource, TextResource

__all__ = ["BinaryResource", "DirectoryResource", "FileResource", "FunctionResource", "HttpResource", "TextResource"]

_TEXT = ("application/json", "application/xml")


def _encoding_of(validated: dict[str, Any]) -> str | None:
    """What a MIME type says: its `charset`; else that text is UTF-8, and all else bytes."""
    kind, *parameters = (part.strip() for part in str(validated.get("mime_type", "")).split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value:
            return value.strip().strip('"')
    kind = kind.lower()
    is_text = kind.startswith("text/") or kind.endswith(("+json", "+xml")) or kind in _TEXT
    # A byte order mark is not part of the text.
    return "utf-8-sig" if is_text else None


class FileResource(Resource):
    """A file, read as text of an encoding, or as bytes without one. If none is given, the
    MIME type says it.
    """

    path: Path = Field(description="Path to the file")
    encoding: str | None = Field(
        default_factory=_encoding_of,
        description="Text encoding used to decode the file, or None to serve its bytes as a blob",
    )

    @field_validator("path")
    @classmethod
    def validate_absolute_path(cls, path: Path) -> Path:
        """A relative path would mean another file in another folder."""
        if not path.is_absolute():
            raise ValueError("Path must be absolute")
        return path

    @field_validator("encoding")
    @classmethod
    def validate_text_encoding(cls, encoding: str | None) -> str | None:
        """Refuses an encoding that is not one of text now, rather than at the first read."""
        if encoding is not None:
            try:
                b"x".decode(encoding)
            except LookupError as error:
                raise ValueError(str(error)) from error
            except UnicodeError:
                # It is one; that letter alone is nothing in it.
                pass
        return encoding

    async def read(self) -> str | bytes:
        """The content of the file."""
        if self.encoding is None:
            return await in_thread(self.path.read_bytes)
        return await in_thread(partial(self.path.read_text, encoding=self.encoding))
