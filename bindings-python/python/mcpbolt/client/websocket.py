"""Servers behind a WebSocket. Needs the extra `ws`."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import BrokenResourceError, ClosedResourceError, create_memory_object_stream
from typing_extensions import deprecated

from .._engine.acquire import acquire
from ._reach import message_text, parse

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import SessionMessage

__all__ = ["open_websocket", "websocket_client"]


class _Socket:
    """A session's streams on one side, a socket on the other. Its tasks belong to no task group
    of the program.
    """

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._incoming, self.reader = create_memory_object_stream[Any](math.inf)
        self.writer, self._unsent = create_memory_object_stream["SessionMessage"](0)
        self._driver, context = acquire(), copy_context()
        self._tasks = [self._driver.spawn(work, context.copy()) for work in (self._read(), self._write())]

    async def _read(self) -> None:
        with self._incoming, suppress(BrokenResourceError, ClosedResourceError):
            async for text in self._socket:
                for message in _messages(text if isinstance(text, str) else text.decode()):
                    self._incoming.send_nowait(message)

    async def _write(self) -> None:
        with suppress(ClosedResourceError):
            async for item in self._unsent:
                await self._socket.send(message_text(item))

    def close(self) -> None:
        """Stop carrying messages and close the streams."""
        for task in self._tasks:
            task.cancel()
        for stream in (self._incoming, self.reader, self.writer, self._unsent):
            stream.close()
        self._driver.release()


def _messages(text: str) -> list[Any]:
    """The messages of a text, or the exception that it cannot be read with."""
    try:
        return parse(text)
    except ValueError as error:
        return [error]


@asynccontextmanager
async def open_websocket(
    url: str,
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]], None
]:
    """Connect to a server over a WebSocket; yields a pair of streams for a `ClientSession`.

    Args:
        url: The URL of the server, such as `ws://localhost:8000/ws`.

    Raises:
        ImportError: The package `websockets` is not installed.
    """
    try:
        from websockets.asyncio.client import connect
        from websockets.typing import Subprotocol
    except ImportError:
        raise ImportError("websocket_client needs the package websockets: pip install 'mcpbolt[ws]'") from None

    async with connect(url, subprotocols=[Subprotocol("mcp")]) as socket:
        transport = _Socket(socket)
        try:
            yield transport.reader, transport.writer
        finally:
            transport.close()


# Filters of warnings compare this text, so it is that of the official package.
@deprecated(
    "The WebSocket client transport is deprecated and will be removed in mcp 2.0. WebSocket was never part of"
    " the MCP specification; use the streamable HTTP transport (`streamable_http_client`) instead."
)
def websocket_client(
    url: str,
) -> AbstractAsyncContextManager[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
]:
    """The same as `open_websocket`, under the official package's name.

    Args:
        url: The URL of the server.
    """
    return open_websocket(url)
