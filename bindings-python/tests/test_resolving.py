"""Parameters that functions resolve beside each other."""

# Without annotations as text: those below name functions of a test.
from typing import Annotated

import anyio
import pytest
from peer import soon, text

from mcpbolt import Client
from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver import Resolve
from mcpbolt.server.mcpserver.exceptions import ToolError


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_parameters_are_resolved_on_either_loop(backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")
    server, runs = MCPServer("x"), list[str]()

    async def shared() -> int:
        runs.append("shared")
        await anyio.lowlevel.checkpoint()
        return 1

    async def one(n: Annotated[int, Resolve(shared)]) -> int:
        return n + 1

    def two(n: Annotated[int, Resolve(shared)], title: str) -> str:
        return f"{title} {n}"

    async def fails(n: Annotated[int, Resolve(shared)]) -> int:
        raise ToolError("no luck")

    async def waits() -> int:
        await anyio.sleep_forever()
        return 0

    @server.tool()
    def sums(title: str, a: Annotated[int, Resolve(one)], b: Annotated[str, Resolve(two)]) -> str:
        return f"{a} {b}"

    @server.tool()
    def never(a: Annotated[int, Resolve(waits)], b: Annotated[int, Resolve(fails)]) -> str:
        raise AssertionError("it has no parameters")

    async def test() -> None:
        async with Client(server) as client:
            assert text(await soon(client.call_tool("sums", {"title": "T"}))) == "2 T 1"
            assert runs == ["shared"]
            failed = await soon(client.call_tool("never"))
            assert failed.isError and text(failed).endswith("no luck")

    anyio.run(test, backend=backend)
