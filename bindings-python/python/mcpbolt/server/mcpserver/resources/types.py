"""Resources of the 2.x kind: those of 1.x, except that files have an encoding, that functions
and folders raise their own exceptions, and that only templates may ask.

Owns: how the content of a file is decoded.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from pydantic import Field, field_validator

from ...._common.resources.kinds import (
    BinaryResource,
    HttpResource,
    PathResource,
    TextResource,
    call,
    content_of,
)
from ...._common.resources.kinds import DirectoryResource as _DirectoryResource
from ...._common.resources.kinds import FunctionResource as _FunctionResource
from ...._engine.questions import is_question
from ..._threads import in_thread

__all__ = ["BinaryResource", "DirectoryResource", "FileResource", "FunctionResource", "HttpResource", "TextResource"]

_TEXT = ("application/json", "application/xml")


class FunctionResource(_FunctionResource):
    """A resource whose content a function returns: text, bytes, or any value that can be
    written as JSON.
    """

    async def read(self) -> str | bytes:
        """Call the function and return the content.

        Raises:
            ValueError: The function returned an `InputRequiredResult`, which only functions of
                templates may.
        """
        result = await call(self.fn, {})
        if is_question(result):
            raise ValueError(
                "static resources cannot return InputRequiredResult; only resource template functions "
                "participate in the multi-round-trip flow"
            )
        return await content_of(result)


class DirectoryResource(_DirectoryResource):
    """The list of files in a folder, as JSON."""

    async def read(self) -> str:
        """Return the list of files as JSON.

        Raises:
            FileNotFoundError: The folder does not exist.
            NotADirectoryError: The path is a file.
        """
        return await self._listed()


def _encoding_of(validated: dict[str, Any]) -> str | None:
    """The encoding that a MIME type implies: its `charset`, else UTF-8 for text and `None` for
    bytes.
    """
    kind, *parameters = (part.strip() for part in str(validated.get("mime_type", "")).split(";"))
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip().lower() == "charset" and value:
            return value.strip().strip('"')
    kind = kind.lower()
    is_text = kind.startswith("text/") or kind.endswith(("+json", "+xml")) or kind in _TEXT
    # A byte order mark is not part of the text.
    return "utf-8-sig" if is_text else None


class FileResource(PathResource):
    """A file. `encoding` is the encoding of its text, or `None` to read bytes; by default, the MIME
    type decides: its `charset`, UTF-8 for text, JSON and XML, else bytes.
    """

    encoding: str | None = Field(
        default_factory=_encoding_of,
        description="Text encoding used to decode the file, or None to serve its bytes as a blob",
    )

    @field_validator("encoding")
    @classmethod
    def validate_text_encoding(cls, encoding: str | None) -> str | None:
        """Refuse unknown encodings when the resource is made, instead of when it is read."""
        if encoding is not None:
            try:
                b"x".decode(encoding)
            except LookupError as error:
                raise ValueError(str(error)) from error
            except UnicodeError:
                # The encoding exists; it only cannot encode that letter.
                pass
        return encoding

    async def read(self) -> str | bytes:
        """Read the content of the file."""
        if self.encoding is None:
            return await in_thread(self.path.read_bytes)
        return await in_thread(partial(self.path.read_text, encoding=self.encoding))
