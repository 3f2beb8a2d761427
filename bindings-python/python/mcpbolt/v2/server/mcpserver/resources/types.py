"""Resources from text, bytes, functions, files, folders and URLs.

Owns: that they are resources of 2.x. Must not know: how they are read. Their annotations are
evaluated at once, see `_naming`.
"""

from typing import Any

from pydantic import Field

from .....server.mcpserver.resources.types import BinaryResource as _BinaryResource
from .....server.mcpserver.resources.types import DirectoryResource as _DirectoryResource
from .....server.mcpserver.resources.types import FileResource as _FileResource
from .....server.mcpserver.resources.types import FunctionResource as _FunctionResource
from .....server.mcpserver.resources.types import HttpResource as _HttpResource
from .....server.mcpserver.resources.types import TextResource as _TextResource
from .....shared._httpx_utils import newest_http_library
from .base import Resource

__all__ = ["BinaryResource", "DirectoryResource", "FileResource", "FunctionResource", "HttpResource", "TextResource"]

# Classes name `Resource` first, as its members are those of 2.x.
# pyright: reportIncompatibleVariableOverride=false


class TextResource(Resource, _TextResource):
    """A resource with a fixed text."""


class BinaryResource(Resource, _BinaryResource):
    """A resource with fixed bytes."""


class FunctionResource(Resource, _FunctionResource):
    """A resource whose content a function returns: text, bytes, or any value that can be
    written as JSON.
    """

    @staticmethod
    def _parsed(uri: str) -> Any:
        return uri


class HttpResource(Resource, _HttpResource):
    """The text at a URL, fetched each time the resource is read."""

    mime_type: str = Field(default="application/json", description="MIME type of the resource content")

    @staticmethod
    def _library() -> Any:
        return newest_http_library()


class DirectoryResource(Resource, _DirectoryResource):
    """The list of files in a folder, as JSON: an object with `files`, the paths in the folder."""

    mime_type: str = Field(default="application/json", description="MIME type of the resource content")


class FileResource(Resource, _FileResource):
    """A file. `encoding` is the encoding of its text, or `None` to read bytes; by default, the MIME
    type decides: its `charset`, UTF-8 for text, JSON and XML, else bytes.
    """
