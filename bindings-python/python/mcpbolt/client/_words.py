"""Additions to the engine's error messages: where the failure happened, and what to do.

Owns: those additions. Must not know: exceptions, which are made from the result.
"""

from __future__ import annotations

import os
import re
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from .._engine import face

# The kinds of failures that happen on the way to a URL, or at the server behind it.
_ON_THE_WAY = frozenset({"transport", "unauthorized", "forbidden", "protocol", "usage"})


# Path segments of at least this length that mix letters and digits may be keys.
_KEY_LENGTH = 20


def shown(url: str) -> str:
    """A URL without parts that may be secret, as the engine shows it: without credentials,
    query, fragment, and path segments that may be keys.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        path = "/".join("…" if _may_be_key(part) else part for part in parts.path.split("/"))
        return urlunsplit((parts.scheme, host, path, "", ""))
    except ValueError:
        return ""


def _may_be_key(part: str) -> bool:
    return len(part) >= _KEY_LENGTH and bool(re.search("[0-9]", part) and re.search("[A-Za-z]", part))


def with_place(failure: Any, target: dict[str, Any] | None, opening: bool = False) -> Any:
    """A failure as the engine reports it, with the place added to its message.

    Args:
        failure: The failure of a request.
        target: The engine's target, or `None`.
        opening: Whether the request was part of the handshake.
    """
    if not face.current.own_words or target is None or failure is None:
        return failure
    kind, code, words, data = failure
    url = shown(target.get("url") or "")
    if url and kind in _ON_THE_WAY and url not in words:
        return (kind, code, f"{words} ({url})", data)
    if opening and kind == "closed" and "command" in target and isinstance(data, dict):
        return (kind, code, _ended_early(target, cast("dict[str, Any]", data)) or words, data)
    return failure


def _ended_early(target: dict[str, Any], data: dict[str, Any]) -> str | None:
    command = os.path.basename(target["command"])
    args = cast("list[str]", target.get("args") or [])
    script = next((word for word in args if not word.startswith("-")), "")
    is_python = script.endswith(".py")
    name = os.path.basename(script) if is_python or script.endswith((".js", ".mjs", ".cjs")) else command
    status, number = data.get("exitCode"), data.get("signal")
    if status is None and number is None:
        return None
    how = f"exit code {status}" if number is None else f"signal {number}"
    if status == 0:
        remedy = "did you forget mcp.run()?" if is_python else "does it serve MCP on its standard streams?"
    else:
        remedy = "its standard error says why"
    return f"{name} ended before it answered ({how}): {remedy}"


def refused_at(status: int, url: str) -> str:
    """The error message for an HTTP status that an endpoint answered with."""
    place = shown(url)
    hint = ""
    if status == 404 and not urlsplit(url).path.rstrip("/").endswith("/mcp"):
        hint = ": did you mean /mcp?"
    return f"HTTP status {status} at {place}{hint}"
