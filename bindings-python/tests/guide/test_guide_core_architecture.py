"""Chapter core-architecture."""

from __future__ import annotations

# [guide]
import asyncio

from mcpbolt import Client
from mcpbolt.server.fastmcp import FastMCP

server = FastMCP("calculator")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


async def main() -> None:
    async with Client(server) as client:
        print(f"{client.server_info.name} speaks {client.protocol_version}")
        result = await client.call_tool("add", {"a": 1, "b": 2})
        assert result.structuredContent == {"result": 3}


if __name__ == "__main__":
    asyncio.run(main())
# [end]


def test_server_and_client_in_one_process(capsys) -> None:
    asyncio.run(asyncio.wait_for(main(), 60))
    assert capsys.readouterr().out == "calculator speaks 2026-07-28\n"
