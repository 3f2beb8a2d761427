"""Progress that a client makes with what a low-level server asked."""

from __future__ import annotations

import asyncio
from typing import Any

import mcpbolt.types as types
from bounds import WHOLE
from mcpbolt.server.lowlevel import Server
from memory import connected


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
