"""Resources from text, bytes, functions, files, folders and URLs."""

from __future__ import annotations

from pydantic import Field, ValidationInfo, field_validator

from ...._common.resources.kinds import (
    BinaryResource,
    DirectoryResource,
    FunctionResource,
    HttpResource,
    PathResource,
    TextResource,
)
from ..._threads import in_thread

__all__ = ["BinaryResource", "DirectoryResource", "FileResource", "FunctionResource", "HttpResource", "TextResource"]


class FileResource(PathResource):
    """A file. It is read as text if its MIME type begins with `text/` and `is_binary` is false, else
    as bytes.
    """

    is_binary: bool = Field(default=False, description="Whether to read the file as binary data")
    mime_type: str = Field(default="text/plain", description="MIME type of the resource content")

    @field_validator("is_binary")
    @classmethod
    def set_binary_from_mime_type(cls, is_binary: bool, info: ValidationInfo) -> bool:
        """Read a file as bytes if its MIME type is not text."""
        return is_binary or not info.data.get("mime_type", "text/plain").startswith("text/")

    async def read(self) -> str | bytes:
        """Read the content of the file."""
        try:
            return await in_thread(self.path.read_bytes if self.is_binary else self.path.read_text)
        except Exception as error:
            raise ValueError(f"Error reading file {self.path}: {error}") from error
