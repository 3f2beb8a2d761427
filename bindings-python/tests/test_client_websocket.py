"""Clients whose WebSocket breaks."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import anyio
import pytest
from bounds import WHOLE
from peer import soon

from mcpbolt import ClientSession
from mcpbolt.client.websocket import open_websocket
from mcpbolt.shared.exceptions import SessionClosed
from mcpbolt.shared.message import SessionMessage
from mcpbolt.types import JSONRPCMessage

server = pytest.importorskip("websockets.asyncio.server")

PING = SessionMessage(JSONRPCMessage.model_validate({"jsonrpc": "2.0", "id": 1, "method": "ping"}))


def test_a_socket_that_breaks_ends_the_session_and_nothing_is_left() -> None:
    uncaught: list[Any] = []

    async def abort(socket: Any) -> None:
        await socket.recv()
        socket.transport.abort()

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, about: uncaught.append(about))
        async with server.serve(abort, "127.0.0.1", 0, subprotocols=["mcp"]) as served:
            url = f"ws://127.0.0.1:{served.sockets[0].getsockname()[1]}"
            async with open_websocket(url) as streams, ClientSession(*streams) as session:
                with pytest.raises(SessionClosed):
                    await soon(session.initialize())
            async with open_websocket(url) as (read, write):
                await soon(write.send(PING))
                with pytest.raises(anyio.EndOfStream):
                    await soon(read.receive())
                with pytest.raises((anyio.BrokenResourceError, anyio.ClosedResourceError)):
                    # The first may be on its way as the socket breaks.
                    for _ in range(2):
                        await soon(write.send(PING))
                gc.collect()

    asyncio.run(asyncio.wait_for(main(), WHOLE))
    assert uncaught == []
