"""What a session still knows in a task that goes on when the call which began it is answered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgi_servers import serving
from bounds import WHOLE
from peer import soon, text

from mcpbolt import Client, types
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.mcpserver import Context as Context2
from mcpbolt.v2.server import MCPServer as V2Server
from mcpbolt.v2.server.mcpserver import Context as V2Context

KINDS = pytest.mark.parametrize(
    "kind, context", [(FastMCP, Context), (MCPServer, Context2), (V2Server, V2Context)], ids=["1", "own 2", "v2"]
)


class Later:
    """A server with a tool that leaves a task behind, and what this finds when it is let go."""

    def __init__(self, kind: Any, context: Any) -> None:
        self.server = kind("later")
        self.goes = asyncio.Event()
        self._task: asyncio.Task[Any] | None = None

        async def begin(ctx: Any) -> str:
            self._task = asyncio.get_running_loop().create_task(self._look(ctx.session))
            return "begun"

        begin.__annotations__ = {"ctx": context, "return": str}
        self.server.tool()(begin)

    async def _look(self, session: Any) -> Any:
        await self.goes.wait()
        capabilities = session.client_params.capabilities
        has, kind = session.check_client_capability, type(capabilities)
        assert session.client_capabilities == capabilities
        return session.client_info.name, session.protocol_version, has(kind(sampling={})), has(kind(elicitation={}))

    async def found(self) -> Any:
        """Let the task go on, which the answered call has left behind."""
        self.goes.set()
        assert self._task is not None
        return await soon(self._task)


async def sampled(*_: Any) -> types.CreateMessageResult:
    content = types.TextContent(type="text", text="hello")
    return types.CreateMessageResult(role="assistant", content=content, model="m")


@KINDS
@pytest.mark.parametrize("http", [False, True], ids=["memory", "http"])
def test_who_the_client_is_and_what_it_can_do(kind: Any, context: Any, http: bool) -> None:
    async def look(later: Later, to: Any) -> None:
        info = types.Implementation(name="ann", version="1")
        async with Client(to, mode="legacy", client_info=info, sampling_callback=sampled) as client:
            assert text(await soon(client.call_tool("begin", {}))) == "begun"
            assert await later.found() == ("ann", "2025-11-25", True, False)

    async def test() -> None:
        later = Later(kind, context)
        if not http:
            await look(later, later.server)
            return
        low = getattr(later.server, "_mcp_server", None) or later.server._lowlevel_server
        async with serving(low) as url:
            await look(later, url)

    asyncio.run(asyncio.wait_for(test(), WHOLE))
