"""HTTP responses that are no answer, as answers: 2.3 gives each request an error in its words.

Owns: which responses those are, and the words. Must not know: how requests are sent, or who
waits for them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    import httpx

# How much of a text that is not JSON an error shows.
_SHOWN = 100
_KINDS = ("application/json", "text/event-stream")


async def error_for(response: httpx.Response, in_session: bool) -> dict[str, Any] | None:
    """The error that a request gets for a response; `None` if the response is its answer.

    Args:
        response: The head; the body is read only if it decides something.
        in_session: Whether the request named a session.
    """
    status, kind = response.status_code, response.headers.get("content-type", "").lower()
    if status >= 400:
        return await _said(response, kind) or _refused(status, in_session)
    if status == 202:
        return {"code": -32600, "message": "server answered a request with 202 Accepted"}
    if status >= 300:
        return None
    if not kind.startswith(_KINDS):
        return {"code": -32600, "message": f"Unexpected content type: {kind}"}
    if not kind.startswith("application/json"):
        return None
    text = (await response.aread()).decode(errors="replace")
    try:
        json.loads(text)
    except ValueError:
        return {"code": -32700, "message": f"Failed to parse JSON response: {text[:_SHOWN]!r}"}
    return None


async def _said(response: httpx.Response, kind: str) -> dict[str, Any] | None:
    """The error of a response that has one."""
    if not kind.startswith("application/json"):
        return None
    try:
        body: Any = json.loads(await response.aread())
    except ValueError:
        return None
    parts: list[Any] = cast("Any", body) if isinstance(body, list) else [body]
    for part in parts:
        found: Any = cast("dict[str, Any]", part).get("error") if isinstance(part, dict) else None
        if isinstance(found, dict):
            return cast("dict[str, Any]", found)
    return None


def _refused(status: int, in_session: bool) -> dict[str, Any]:
    if status != 404:
        return {"code": -32603, "message": "Server returned an error response"}
    if in_session:
        return {"code": -32600, "message": "Session terminated"}
    return {"code": -32601, "message": "Not Found"}
