"""What the transports over a program's own HTTP client have in common: the streams that a
session reads and writes, and the tasks behind them, which belong to no task group of the
program.
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
    move_on_after,
)

from .._engine.acquire import acquire
from .._engine.peer import CLOSE_SECONDS
from ..shared._httpx_utils import next_request_within_origin
from ._reach import parse

if TYPE_CHECKING:
    import httpx

    from ..shared.message import SessionMessage

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")

# How many redirects within its origin one request may follow.
MAX_REDIRECTS = 5


class CarriedTransport:
    """A session's streams on one side, an HTTP client on the other."""

    def __init__(self, url: str, client: httpx.AsyncClient) -> None:
        self.url = url
        self.client = client
        self.incoming, self.reader = create_memory_object_stream[Any](math.inf)
        self.writer, self.unsent = create_memory_object_stream["SessionMessage"](0)
        self._driver = acquire()
        self._context = copy_context()
        self._tasks: set[Any] = set()
        self._closed = False

    def run(self, work: Coroutine[Any, Any, None]) -> Any:
        """Start a task that is cancelled with the transport if it still runs then."""
        task = self._driver.spawn(work, self._context.copy())
        if not task.done():
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return task

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

    async def goodbye(self) -> None:
        """Send the last request of the transport, if it has one, such as the end of the session."""

    async def close(self) -> None:
        """Close the transport. May be called more than once; ends in bounded time."""
        if self._closed:
            return
        self._closed = True
        with move_on_after(CLOSE_SECONDS, shield=True):
            await self.goodbye()
        for task in list(self._tasks):
            task.cancel()
        for stream in (self.incoming, self.reader, self.writer, self.unsent):
            stream.close()
        self._driver.release()

    async def request(self, method: str, url: str, headers: dict[str, str], content: str | None) -> httpx.Response:
        """Send a request as `send_within_origin` does."""
        return await send_within_origin(self.client, method, url, headers, content)


async def send_within_origin(
    client: httpx.AsyncClient, method: str, url: str, headers: dict[str, str], content: str | None
) -> httpx.Response:
    """Send a request, and follow redirects that stay within its origin and keep its method."""
    request = client.build_request(method, url, headers=headers, content=content)
    followed = 0
    while True:
        response = await client.send(request, stream=True, follow_redirects=False)
        following = next_request_within_origin(response)
        if following is None or followed == MAX_REDIRECTS:
            return response
        await response.aread()
        await response.aclose()
        request = following
        followed += 1
