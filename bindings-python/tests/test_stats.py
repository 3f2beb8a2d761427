"""Counters of servers and of client sessions."""

import anyio
import pytest
from bounds import LIMIT
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared.memory import create_connected_server_and_client_session as connected

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def server() -> FastMCP:
    made = FastMCP("counted")

    @made.tool()
    async def echo(text: str) -> str:
        return text

    return made


async def test_a_server_counts_what_it_serves() -> None:
    made = server()
    assert made.stats() == {}
    with anyio.fail_after(LIMIT):
        async with connected(made._mcp_server) as client:
            for _ in range(3):
                await client.call_tool("echo", {"text": "x"})
            stats = made.stats()
            assert stats["connections"] == stats["sessions"] == 1
            assert stats["methods"]["tools/call"] == {"calls": 3, "errors": 0}
            assert stats["inFlight"] == 0
            assert stats["bytesIn"] > 0
            assert stats["bytesOut"] > 0
            assert 0 < stats["p50"] <= stats["p99"]
    assert made.stats() == {}


async def test_two_ways_to_serve_are_one_count() -> None:
    made = server()
    with anyio.fail_after(LIMIT):
        async with connected(made._mcp_server) as one, connected(made._mcp_server) as other:
            await one.call_tool("echo", {"text": "x"})
            await other.call_tool("echo", {"text": "x"})
            stats = made.stats()
            assert stats["connections"] == 2
            assert stats["methods"]["tools/call"]["calls"] == 2
            assert stats["latency"][-1] == [None, stats["latency"][-1][1]]


async def test_a_client_session_counts_its_own() -> None:
    with anyio.fail_after(LIMIT):
        async with connected(server()._mcp_server) as client:
            await client.call_tool("echo", {"text": "x"})
            stats = client.stats()
            assert stats["methods"]["tools/call"]["calls"] == 1
            assert stats["inFlight"] == 0
        assert client.stats() == {}
