"""Progress that a client makes with what a low-level server asked."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import mcpbolt.types as types
import pytest
from bounds import WHOLE
from mcpbolt.server.lowlevel import Server
from mcpbolt.shared.memory import create_client_server_memory_streams
from mcpbolt.shared.message import SessionMessage
from memory import connected
from peer import soon


def run(test: Any) -> None:
    asyncio.run(asyncio.wait_for(test, WHOLE))


def test_a_question_of_the_server_hears_of_progress() -> None:
    server: Server[Any, Any] = Server("asking")
    heard: list[Any] = []

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        async def progress(now: float, total: float | None, message: str | None) -> None:
            heard.append((now, total, message))

        request = types.ServerRequest(types.ListRootsRequest())
        await server.request_context.session.send_request(
            request, types.ListRootsResult, progress_callback=progress
        )
        return []

    async def test() -> None:
        async with connected(server) as client:
            await client.start("tools/call", {"name": "ask", "arguments": {}})
            asked = await client.receive()
            token = asked["params"]["_meta"]["progressToken"]
            told = {"progressToken": token, "progress": 1, "total": 2, "message": "half"}
            await client.send({"method": "notifications/progress", "params": told})
            await client.send({"id": asked["id"], "result": {"roots": []}})
            assert (await client.receive())["result"]["isError"] is False
            assert heard == [(1, 2, "half")]

    run(test())


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_callbacks_of_progress_run_in_turn_and_one_that_fails_is_logged(
    backend: str, caplog: pytest.LogCaptureFixture
) -> None:
    if backend == "trio":
        pytest.importorskip("trio")
    server: Server[Any, Any] = Server("asking")
    heard: list[str] = []

    async def main() -> None:
        goes_on, all_heard = anyio.Event(), anyio.Event()

        async def progress(now: float, total: float | None, message: str | None) -> None:
            heard.append(f"begins {now:.0f}")
            if now == 1:
                await goes_on.wait()
                heard.append("ends 1")
                raise ValueError("no luck")
            all_heard.set()

        @server.call_tool()
        async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
            request = types.ServerRequest(types.ListRootsRequest())
            await server.request_context.session.send_request(
                request, types.ListRootsResult, progress_callback=progress
            )
            goes_on.set()
            await all_heard.wait()
            return []

        async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as tasks:
            read, write = ours
            about = server.create_initialization_options()
            tasks.start_soon(lambda: server.run(*theirs, about))

            async def send(**members: Any) -> None:
                message = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", **members})
                await soon(write.send(SessionMessage(message)))

            async def receive() -> Any:
                return (await soon(read.receive())).message.root

            opening = {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}}
            await send(id=0, method="initialize", params={**opening, "clientInfo": {"name": "c", "version": "1"}})
            await receive()
            await send(method="notifications/initialized")
            await send(id=1, method="tools/call", params={"name": "ask", "arguments": {}})
            asked = await receive()
            token = asked.params["_meta"]["progressToken"]
            for step in (1, 2):
                await send(method="notifications/progress", params={"progressToken": token, "progress": step})
            await send(id=asked.id, result={"roots": []})
            assert (await receive()).result["isError"] is False
            # The server goes on.
            await send(id=2, method="ping")
            assert (await receive()).id == 2
            await write.aclose()

    anyio.run(main, backend=backend)
    assert heard == ["begins 1", "ends 1", "begins 2"]
    assert "Progress callback raised an exception: no luck" in caplog.text
