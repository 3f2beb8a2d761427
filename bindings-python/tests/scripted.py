"""A server on memory streams of which a test writes every word."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from peer import soon

from mcpbolt import ClientSession, types
from mcpbolt.shared.memory import create_client_server_memory_streams
from mcpbolt.shared.message import SessionMessage

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "scripted", "version": "1"},
}
Answer = Callable[["Scripted", Any], Awaitable[Any]]


class Scripted:
    """A server of which a test writes every word."""

    def __init__(self, read: Any, write: Any, answers: dict[str, Answer]) -> None:
        self.read, self.write, self.answers = read, write, answers
        self.seen: list[Any] = []

    async def say(self, **members: Any) -> None:
        message = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", **members})
        await self.write.send(SessionMessage(message))

    async def run(self) -> None:
        async for item in self.read:
            root = item.message.root
            self.seen.append(root)
            # Answers of the client have no method.
            method = getattr(root, "method", "")
            if method == "initialize":
                await self.say(id=root.id, result=HELLO)
            elif method in self.answers:
                result = await self.answers[method](self, root)
                if result is not None:
                    await self.say(id=root.id, result=result)


@asynccontextmanager
async def scripted(
    answers: dict[str, Answer] | None = None, session_type: type[ClientSession] = ClientSession, **options: Any
) -> AsyncIterator[tuple[ClientSession, Scripted]]:
    async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as tasks:
        server = Scripted(*theirs, answers or {})
        tasks.start_soon(server.run)
        async with session_type(*ours, **options) as opened:
            await soon(opened.initialize())
            yield opened, server
        tasks.cancel_scope.cancel()
