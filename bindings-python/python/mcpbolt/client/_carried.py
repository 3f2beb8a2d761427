"""A transport whose messages are carried in Python: the streams that a session reads and writes,
and the tasks behind them, which belong to no task group of the program.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import (
    BrokenResourceError,
    ClosedResourceError,
    EndOfStream,
    create_memory_object_stream,
)

from .._engine.acquire import acquire
from ._reach import parse

if TYPE_CHECKING:
    from ..shared.message import SessionMessage

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")


class CarriedTransport:
    """A session's streams on one side, the carrier of its messages on the other."""

    def __init__(self) -> None:
        self.incoming, self.reader = create_memory_object_stream[Any](math.inf)
        self.writer, self.unsent = create_memory_object_stream["SessionMessage"](0)
        self._driver = acquire()
        self._context = copy_context()
        self._tasks: set[Any] = set()
        self._closed = False

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task that is cancelled with the transport if it still runs then."""
        task = self._driver.spawn(work, self._context.copy())
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def give(self, text: str) -> None:
        """Pass a message to the session."""
        for message in parse(text):
            self.give_item(message)

    def give_item(self, item: Any) -> None:
        """Pass a message or an exception to the session."""
        try:
            self.incoming.send_nowait(item)
        except (BrokenResourceError, ClosedResourceError):
            logger.debug("nobody reads the stream any more")

    async def next_unsent(self) -> SessionMessage | None:
        """The next message from the session; `None` when it has closed its stream."""
        try:
            return await self.unsent.receive()
        except (EndOfStream, ClosedResourceError):
            return None

    async def close(self) -> None:
        """Close the transport. May be called more than once; ends in bounded time."""
        if self._closed:
            return
        self._closed = True
        for task in list(self._tasks):
            task.cancel()
        for stream in (self.incoming, self.reader, self.writer, self.unsent):
            stream.close()
        self._driver.release()
