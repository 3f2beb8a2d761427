"""`resources/read` with URIs exactly as received.

Owns: its params and its result. `AnyUrl`, which the protocol's models use, resolves dots and
changes escapes, so a check behind it would see another URI than the one requested.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

from ...types import ReadResourceRequestParams
from ..lowlevel.helper_types import ReadResourceContents

__all__ = ["ReadParams", "read_result"]


class ReadParams(ReadResourceRequestParams):
    """The params of `resources/read`."""

    uri: str  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
    """The URI to read."""


def read_result(uri: str, parts: Iterable[ReadResourceContents]) -> dict[str, Any]:
    """The result, as plain JSON values."""
    return {"contents": [_values(uri, part) for part in parts]}


def _values(uri: str, part: ReadResourceContents) -> dict[str, Any]:
    found: dict[str, Any] = {"uri": uri}
    if isinstance(part.content, str):
        found.update(mimeType=part.mime_type or "text/plain", text=part.content)
    else:
        blob = base64.b64encode(part.content).decode()
        found.update(mimeType=part.mime_type or "application/octet-stream", blob=blob)
    if part.meta is not None:
        found["_meta"] = part.meta
    return found
