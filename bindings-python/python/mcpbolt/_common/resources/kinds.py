"""Resources from text, bytes, functions, folders and URLs.

Owns: the kinds that both lines have; files are read differently in each. Their annotations are
evaluated at once, see `_naming`.
"""

import inspect
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pydantic_core
from pydantic import AnyUrl, Field, field_validator, validate_call

from ..._naming import found_in
from ...server._error_responses import keeps_its_code
from ...server._threads import in_thread
from ...types import Annotations, Icon
from ..functions.calls import is_async_callable
from ..functions.names import named
from ..functions.placing import call_plain, wants_threads
from .base import Resource


@found_in("server.fastmcp.resources.types")
class TextResource(Resource):
    """A resource with a fixed text."""

    text: str = Field(description="Text content of the resource")

    async def read(self) -> str:
        """Return the text."""
        return self.text


@found_in("server.fastmcp.resources.types")
class BinaryResource(Resource):
    """A resource with fixed bytes."""

    data: bytes = Field(description="Binary content of the resource")

    async def read(self) -> bytes:
        """Return the bytes."""
        return self.data


@found_in("server.fastmcp.resources.types")
class FunctionResource(Resource):
    """A resource whose content a function returns: text, bytes, or any value that can be
    written as JSON.
    """

    fn: Callable[..., Any] = Field(exclude=True)

    @staticmethod
    def _parsed(uri: str) -> Any:
        """A URI as the resource has it. Another line has texts."""
        return AnyUrl(uri)

    async def read(self) -> str | bytes:
        """Call the function and return the content."""
        try:
            return await content_of(await call(self.fn, {}))
        except Exception as error:
            if keeps_its_code(error):
                raise
            raise ValueError(f"Error reading resource {self.uri}: {error}") from error

    @classmethod
    def from_function(
        cls,
        fn: Callable[..., Any],
        uri: str,
        name: str | None = None,
        title: str | None = None,
        description: str | None = None,
        mime_type: str | None = None,
        icons: list[Icon] | None = None,
        annotations: Annotations | None = None,
        meta: dict[str, Any] | None = None,
    ) -> "FunctionResource":
        """Make a resource from a function.

        Args:
            fn: The function.
            uri: The URI.
            name: The name. Default: that of the function.
            title: The name to show to people. Default: none.
            description: A description. Default: the function's docstring.
            mime_type: The MIME type of the content. Default: `text/plain`.
            icons: Icons. Default: none.
            annotations: Hints for clients. Default: none.
            meta: The `_meta`. Default: none.

        Raises:
            ValueError: The function is a lambda and no name is given.
        """
        resource_name = named(name or fn.__name__)
        return cls(
            uri=cls._parsed(uri),
            name=resource_name,
            title=title,
            description=description or fn.__doc__ or "",
            mime_type=mime_type or "text/plain",
            fn=fn,
            icons=icons,
            annotations=annotations,
            meta=meta,
        )


async def content_of(result: Any) -> str | bytes:
    """What a function returned, as the content of a resource."""
    if isinstance(result, Resource):
        return await result.read()
    if isinstance(result, (str, bytes)):
        return result
    return pydantic_core.to_json(result, fallback=str, indent=2).decode()


async def call(fn: Callable[..., Any], arguments: dict[str, Any]) -> Any:
    """Call a function with validated arguments. Plain functions run where the server that reads
    the resource wants them.
    """
    # Without arguments there is nothing to validate, and pydantic refuses builtins and callable objects.
    function = partial(validate_call(fn), **arguments) if arguments else fn
    if is_async_callable(fn):
        return await function()
    result = await call_plain(function, wants_threads())
    return await result if inspect.isawaitable(result) else result


@found_in("server.fastmcp.resources.types")
class HttpResource(Resource):
    """The text at a URL, fetched each time the resource is read."""

    url: str = Field(description="URL to fetch content from")
    mime_type: str = Field(default="application/json", description="MIME type of the resource content")

    @staticmethod
    def _library() -> Any:
        """The package that fetches it. Another line has another."""
        import httpx

        return httpx

    async def read(self) -> str | bytes:
        """Fetch the URL and return the text of the response."""
        async with self._library().AsyncClient() as client:
            response = await client.get(self.url)
            response.raise_for_status()
            return str(response.text)


class PathResource(Resource):
    """A resource at an absolute path."""

    path: Path = Field(description="Path to the file")

    @field_validator("path")
    @classmethod
    def validate_absolute_path(cls, path: Path) -> Path:
        """Refuse relative paths, which would depend on the working directory."""
        if not path.is_absolute():
            raise ValueError("Path must be absolute")
        return path


@found_in("server.fastmcp.resources.types")
class DirectoryResource(PathResource):
    """The list of files in a folder, as JSON: an object with `files`, the paths in the folder."""

    path: Path = Field(description="Path to the directory")
    recursive: bool = Field(default=False, description="Whether to list files recursively")
    pattern: str | None = Field(default=None, description="Optional glob pattern to filter files")
    mime_type: str = Field(default="application/json", description="MIME type of the resource content")

    def list_files(self) -> list[Path]:
        """List the files in the folder.

        Raises:
            FileNotFoundError: The folder does not exist.
            NotADirectoryError: The path is a file.
        """
        if not self.path.exists():
            raise FileNotFoundError(f"Directory not found: {self.path}")
        if not self.path.is_dir():
            raise NotADirectoryError(f"Not a directory: {self.path}")
        find = self.path.rglob if self.recursive else self.path.glob
        return list(find(self.pattern or "*"))

    async def read(self) -> str:
        """Return the list of files as JSON."""
        try:
            return await self._listed()
        except Exception as error:
            raise ValueError(f"Error reading directory {self.path}: {error}") from error

    async def _listed(self) -> str:
        found = await in_thread(self.list_files)
        names = [str(file.relative_to(self.path)) for file in found if file.is_file()]
        return json.dumps({"files": names}, indent=2)
