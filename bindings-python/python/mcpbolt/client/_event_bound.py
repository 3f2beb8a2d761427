"""A limit for the events of a stream that comes through the program's own HTTP client.

Owns: holding back what is not a whole event yet, and which request an event that is too long
belongs to. Must not know: how streams are read.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from typing import Any

from .._engine.json import dumps
from .._mcpbolt import loads

# Where an event ends: an empty line.
_END = re.compile(rb"(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))")
_ID = re.compile(rb"(?:^|[\r\n])id: ?([^\r\n]+)")
_CLOSED = -32000
# So many streams that may be opened again are remembered.
_REMEMBERED = 256


class EventTooLong(Exception):
    """An event is longer than it may be."""


class WholeEvents:
    """The bytes of one stream, in whole events."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = b""
        self.last_id: str | None = None
        """The id of the last event that had one."""

    def take(self, part: bytes) -> bytes:
        """The events that a part of the stream completes.

        Raises:
            EventTooLong: One is longer than `most` bytes.
        """
        held = self._held + part
        start = 0
        for end in _END.finditer(held):
            self._check(end.start() - start)
            start = end.end()
        self._check(len(held) - start)
        self._held = held[start:]
        whole = held[:start]
        for found in _ID.finditer(whole):
            self.last_id = found[1].decode(errors="replace")
        return whole

    def rest(self) -> bytes:
        """What came after the last whole event, at the end of the stream."""
        rest, self._held = self._held, b""
        return rest

    def _check(self, size: int) -> None:
        if size > self._most:
            raise EventTooLong(f"Server-sent event exceeded the {self._most} byte limit.")


class EventBound:
    """The limit of one transport, in bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        # The request that a stream answers, by the event after which it may be opened again.
        self._requests: OrderedDict[str, Any] = OrderedDict()

    def stream(self) -> WholeEvents:
        """A new stream."""
        return WholeEvents(self._most)

    def saw(self, asked: dict[str, Any], last_id: str | None) -> None:
        """Note after which event the stream of a request may be opened again."""
        number = self._number(asked)
        if last_id is not None and number is not None:
            self._requests[last_id] = number
            while len(self._requests) > _REMEMBERED:
                self._requests.popitem(last=False)

    def refusal(self, asked: dict[str, Any], error: EventTooLong) -> bytes:
        """An event in place of one that is too long: the error that ends the request. Nothing for
        a stream that answers none.
        """
        number = self._number(asked)
        if number is None:
            return b""
        failure = {"code": _CLOSED, "message": f"SSE stream failed: {error}"}
        return f"data: {dumps({'jsonrpc': '2.0', 'id': number, 'error': failure})}\n\n".encode()

    def _number(self, asked: dict[str, Any]) -> Any:
        """The id of the request whose answer comes on a stream."""
        if asked["body"]:
            return loads(asked["body"]).get("id")
        last = next((value for name, value in asked["headers"] if name.lower() == "last-event-id"), None)
        return None if last is None else self._requests.get(last)
