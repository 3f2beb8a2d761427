"""The values of `Server.request_handlers`, and how results are made from what handlers return."""

from __future__ import annotations

import base64
import json
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

from ..._engine.json import JSON_TEXT
from .helper_types import ReadResourceContents


class Handler:
    """A handler made by a decorator: a function of a request, with faster ways to call it."""

    __slots__ = ("_call", "builtin", "tool")

    def __init__(
        self,
        call: Callable[[Any], Awaitable[Any]],
        tool: Callable[[str, dict[str, Any]], Awaitable[Any]] | None = None,
        builtin: bool = False,
    ) -> None:
        self._call = call
        # Answers `tools/call` for a name and arguments, with JSON text or questions.
        self.tool = tool
        # Whether the engine may answer in place of the handler.
        self.builtin = builtin

    async def __call__(self, request: Any) -> Any:
        """Answer a request with a `ServerResult`."""
        return wrapped_model(await self._call(request))

    async def answer(self, request: Any) -> Any:
        """Answer a request with the result itself."""
        return await self._call(request)


def from_json(name: str, value: Any) -> Any:
    """A result of the named type, made from its members or from JSON text."""
    from ... import types

    cls = getattr(types, name)
    if isinstance(value, JSON_TEXT):
        value = json.loads(str(value))
    elif isinstance(value, dict):
        return cls(**cast("dict[str, Any]", value))
    return cls.model_validate(value)


def wrapped_model(result: Any) -> Any:
    """A result as `ServerResult`, which handlers of the official package return."""
    from ... import types

    if result is None:
        result = types.EmptyResult()
    return result if isinstance(result, types.ServerResult) else types.ServerResult(result)


def wrapped(name: str, value: dict[str, Any]) -> Any:
    """The same as `from_json`; the one place to change if results must be wrapped."""
    return from_json(name, value)


def read_resource_result(uri: Any, found: str | bytes | Iterable[ReadResourceContents]) -> Any:
    """The result of reading a resource."""
    from ... import types

    if isinstance(found, (str, bytes)):
        parts: list[Any] = [ReadResourceContents(found)]
    elif isinstance(found, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        parts = list(found)
    else:
        raise ValueError(f"Unexpected return type from read_resource: {type(found)}")
    return types.ReadResourceResult(contents=[_contents(uri, part) for part in parts])


def _contents(uri: Any, part: ReadResourceContents) -> Any:
    from ... import types

    meta = getattr(part, "meta", None)
    more: dict[str, Any] = {} if meta is None else {"_meta": meta}
    if isinstance(part.content, str):
        kind = part.mime_type or "text/plain"
        return types.TextResourceContents(uri=uri, text=part.content, mimeType=kind, **more)
    blob = base64.b64encode(part.content).decode()
    kind = part.mime_type or "application/octet-stream"
    return types.BlobResourceContents(uri=uri, blob=blob, mimeType=kind, **more)
