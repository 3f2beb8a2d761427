"""Servers behind a WebSocket. Needs the extra `ws`."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
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

logger: logging.Logger = logging.getLogger("client")

# If so many messages wait to be read, no more are taken from the socket.
_MAX_UNREAD = 64


class _Socket:
    """A session's streams on one side, a socket on the other. Its tasks belong to no task group
    of the program.
    """

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._incoming, self.reader = create_memory_object_stream[Any](_MAX_UNREAD)
        self.writer, self._unsent = create_memory_object_stream["SessionMessage"](0)
        self._driver, context = acquire(), copy_context()
        self._tasks = [self._driver.spawn(work, context.copy()) for work in (self._read(), self._write())]

    async def _read(self) -> None:
        with self._incoming, _to_its_end():
            async for text in self._socket:
                for message in _messages(text):
                    await self._incoming.send(message)

    async def _write(self) -> None:
        # Closed at the end, so that whoever sends is told.
        with self._unsent, _to_its_end():
            async for item in self._unsent:
                try:
                    text = message_text(item)
                except ValueError as error:
                    logger.error("A message could not be sent: %s", error)
                    continue
                await self._socket.send(text)

    def close(self) -> None:
        """Stop carrying messages and close the streams."""
        for task in self._tasks:
            task.cancel()
        for stream in (self._incoming, self.reader, self.writer, self._unsent):
            stream.close()
        self._driver.release()


@contextmanager
def _to_its_end() -> Generator[None, None, None]:
    """Carry messages until a stream is closed, or the socket, in whatever way."""
    from websockets.exceptions import ConnectionClosed

    try:
        yield
    except (BrokenResourceError, ClosedResourceError):
        pass
    except ConnectionClosed as error:
        logger.debug("The WebSocket has ended: %s", error)


def _messages(text: str | bytes) -> list[Any]:
    """The messages of a text, or the exception that it cannot be read with."""
    try:
        return parse(text if isinstance(text, str) else text.decode())
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
