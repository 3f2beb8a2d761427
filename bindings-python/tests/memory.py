"""A client in memory streams, for tests of servers on streams a program owns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from anyio import EndOfStream
from bounds import LIMIT
from mcpbolt.shared.memory import create_client_server_memory_streams
from mcpbolt.shared.message import ServerMessageMetadata, SessionMessage
from mcpbolt.types import JSONRPCMessage


class Client:
    def __init__(self, read: Any, write: Any) -> None:
        self._read, self._write = read, write
        self._last = 0

    async def send(self, message: dict[str, Any], request: Any = None) -> None:
        metadata = None if request is None else ServerMessageMetadata(request_context=request)
        whole = JSONRPCMessage.model_validate({"jsonrpc": "2.0", **message})
        await asyncio.wait_for(self._write.send(SessionMessage(whole, metadata)), LIMIT)

    async def send_raw(self, item: Any) -> None:
        await asyncio.wait_for(self._write.send(item), LIMIT)

    async def receive(self) -> dict[str, Any]:
        item = await self.receive_item()
        return item.message.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def receive_item(self) -> Any:
        """The next message with what the server says beside it."""
        return await asyncio.wait_for(self._read.receive(), LIMIT)

    async def start(self, method: str, params: Any = None, request: Any = None) -> int:
        self._last += 1
        message = {"id": self._last, "method": method}
        await self.send(message if params is None else {**message, "params": params}, request)
        return self._last

    async def ask(self, method: str, params: Any = None, request: Any = None) -> dict[str, Any]:
        number = await self.start(method, params, request)
        answer = await self.receive()
        assert answer.get("id") == number, answer
        return answer

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return (await self.ask("tools/call", {"name": name, "arguments": arguments}))["result"]

    async def open(self, **capabilities: Any) -> dict[str, Any]:
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info}
        answer = await self.ask("initialize", params)
        await self.send({"method": "notifications/initialized"})
        return answer["result"]


@asynccontextmanager
async def connected(server: Any, opened: bool = True, **options: Any) -> AsyncGenerator[Client, None]:
    low_level = getattr(server, "_mcp_server", server)
    async with create_client_server_memory_streams() as (client_streams, server_streams):
        about = low_level.create_initialization_options()
        running = asyncio.ensure_future(low_level.run(*server_streams, about, **options))
        client = Client(*client_streams)
        try:
            if opened:
                await client.open(elicitation={}, sampling={}, roots={"listChanged": True})
            try:
                yield client
            except EndOfStream:
                # The server ended first: what it says of that comes first too.
                await asyncio.wait_for(running, LIMIT)
                raise
            await client_streams[1].aclose()
            await asyncio.wait_for(running, LIMIT)
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
