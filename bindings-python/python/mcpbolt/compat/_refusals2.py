"""How 2.x words what it refuses over HTTP before a handler sees it.

Owns: the words, by those of the engine. Must not know: why a request is refused.
"""

from __future__ import annotations

import json
from typing import Any, cast

_WORDS = {
    "no such session": "Session not found",
    "Mcp-Session-Id is missing": "Bad Request: Missing session ID",
    "Accept must allow text/event-stream": "Not Acceptable: Client must accept text/event-stream",
}
_NOT_JSON = 415


def reworded(
    status: int, headers: list[tuple[str, str]], body: bytes
) -> tuple[int, list[tuple[str, str]], bytes]:
    """The whole answer to a refused request, as 2.x gives it."""
    if status == _NOT_JSON:
        return 400, [("content-type", "text/plain; charset=utf-8")], b"Invalid Content-Type header"
    try:
        found: Any = json.loads(body)
    except ValueError:
        return status, headers, body
    if not isinstance(found, dict) or "error" not in found:
        return status, headers, body
    answer = cast("dict[str, Any]", found)
    error: dict[str, Any] = answer["error"]
    words = str(error.get("message"))
    if "id" in answer and words not in _WORDS:
        return status, headers, body
    error["message"] = _WORDS.get(words, words)
    whole = {"jsonrpc": "2.0", "id": answer.get("id"), "error": error}
    kept = [(name, value) for name, value in headers if name.lower() != "content-length"]
    return status, kept, json.dumps(whole, separators=(",", ":")).encode()
