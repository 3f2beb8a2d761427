"""Servers behind a WebSocket. Needs the extra `ws`."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from typing_extensions import deprecated

from ._carried import CarriedTransport
from ._reach import message_text

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import SessionMessage

__all__ = ["open_websocket", "websocket_client"]


class _Socket(CarriedTransport):
    def __init__(self, socket: Any) -> None:
        super().__init__()
        self._socket = socket
        self.run(self._read())
        self.run(self._write())

    async def _read(self) -> None:
        try:
            async for text in self._socket:
                try:
                    json.loads(text)
                except ValueError as error:
                    self.give_item(error)
                    continue
                self.give(text if isinstance(text, str) else text.decode())
        finally:
            self.incoming.close()

    async def _write(self) -> None:
        while (item := await self.next_unsent()) is not None:
            await self._socket.send(message_text(item))


@asynccontextmanager
async def open_websocket(
    url: str,
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]], None
]:
    """Reach a server over a WebSocket; yields a pair of streams for a `ClientSession`.

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
            await transport.close()


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
    """The same as `open_websocket`, under the official package's name."""
    return open_websocket(url)
