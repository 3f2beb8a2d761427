"""Requests whose streams a program resumes itself, by the ids of their events.

Owns: the ids, the request's own id on an answer to an earlier request, and what the engine is told
where it carries the request. Must not know: how requests are sent, or when the engine opens a
stream again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from .._engine.json import dumps
from .._mcpbolt import EventReader, loads


class Resumable:
    """One such request."""

    def __init__(self, number: Any, token: str | None, told: Callable[[str], Awaitable[None]] | None) -> None:
        """Args:
        number: The id of the request.
        token: The id of the event after which the stream of an earlier request is resumed.
        told: Called with the id of each event.
        """
        self.token = token
        # The id of the last event, after which the engine may open the stream again.
        self.last: str | None = None
        self._number = number
        self._told = told
        self._reader = EventReader()

    def begin(self) -> None:
        """Start again: the next bytes belong to a new response."""
        self._reader = EventReader()

    async def read(self, part: bytes, give: Callable[[bytes], None]) -> None:
        """Pass bytes of the stream on, and report the events that they complete."""
        events = self._reader.feed(part)
        give(part if self.token is None else b"".join(self._renamed(*event) for event in events))
        for _, event_id, _ in events:
            if event_id:
                self.last = event_id
                if self._told is not None:
                    await self._told(event_id)

    def _renamed(self, event: str, event_id: str | None, data: Any) -> bytes:
        """An event, with the id of this request if it is the answer."""
        if event == "retry":
            return b"retry: %d\n\n" % (data * 1000)
        text = data or ""
        message: dict[str, Any] = cast("dict[str, Any]", loads(text)) if text.startswith("{") else {}
        if "id" in message and "method" not in message:
            text = dumps({**message, "id": self._number})
        name = f"id: {event_id}\n" if event_id else ""
        lines = "".join(f"data: {line}\n" for line in text.splitlines() or [""])
        return f"{name}event: {event}\n{lines}\n".encode()


def with_metadata(more: dict[str, Any] | None, metadata: Any) -> dict[str, Any]:
    """The options of a request as the engine has them, with what the program said beside it."""
    found = dict(more or {})
    given: dict[str, str] = getattr(metadata, "headers", None) or {}
    if given:
        names = {name.lower() for name in given}
        kept = [pair for pair in found.get("headers", ()) if pair[0].lower() not in names]
        found["headers"] = [*kept, *([name, value] for name, value in given.items())]
    if getattr(metadata, "resumption_token", None):
        found["resume_after"] = metadata.resumption_token
    return found
