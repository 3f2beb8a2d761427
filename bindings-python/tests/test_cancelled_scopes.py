"""A scope of anyio that is cancelled around a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import mcpbolt.types as types
import pytest
from mcpbolt.server.lowlevel import Server
from mcpbolt.shared.memory import create_client_server_memory_streams
from mcpbolt.shared.message import SessionMessage
from peer import soon


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_handlers_end_before_the_lifespan_where_a_scope_is_cancelled(backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")
    ended: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        try:
            yield None
        finally:
            ended.append("lifespan")

    async def main() -> None:
        server: Server[Any, Any] = Server("ends", lifespan=lifespan)
        runs = anyio.Event()

        @server.call_tool()
        async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
            try:
                runs.set()
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    await anyio.wait_all_tasks_blocked()
                ended.append("handler")

        async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: server.run(*theirs, server.create_initialization_options(), stateless=True))
            call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "x", "arguments": {}}}
            await soon(ours[1].send(SessionMessage(types.JSONRPCMessage.model_validate(call))))
            await soon(runs.wait())
            tasks.cancel_scope.cancel()

    anyio.run(main, backend=backend)
    assert ended == ["handler", "lifespan"]
