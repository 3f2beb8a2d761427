"""Guard rails of the engine around functions of Python; cases have the names of every language."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from eras import ERAS, with_client
from peer import text

from mcpbolt import Client, McpError
from mcpbolt.server import FastMCP


def guarded(**rails: Any) -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("guarded", options=rails)

    @server.tool()
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool()
    async def wait() -> str:
        await asyncio.Event().wait()
        return "never"

    @server.prompt()
    async def later() -> str:
        await asyncio.Event().wait()
        return "never"

    @server.resource("note://one")
    def one() -> str:
        return "one"

    return server


@ERAS
def test_over_the_limit_a_tool_call_reads_how_long_to_wait(mode: str) -> None:
    rule = {"methods": ["tools/call"], "per": "server", "rate": 0.001, "burst": 1}

    async def main(client: Client) -> None:
        first = await client.call_tool("add", {"a": 1, "b": 2})
        assert not first.isError and text(first) == "3"
        second = await client.call_tool("add", {"a": 1, "b": 2})
        assert second.isError and text(second).startswith("Rate limit exceeded: try again in ")
        # Others go on.
        assert (await client.list_tools()).tools

    with_client(mode, guarded(rate_limit=[rule]), main)


@ERAS
def test_over_the_limit_other_requests_get_429_and_the_wait(mode: str) -> None:
    rule = {"methods": ["resources/read"], "per": "session", "rate": 0.001, "burst": 1}

    async def main(client: Client) -> None:
        await client.read_resource("note://one")
        with pytest.raises(McpError) as refused:
            await client.read_resource("note://one")
        assert refused.value.error.code == 429 and refused.value.error.data["retryAfterMs"] > 1000

    with_client(mode, guarded(rate_limit=[rule]), main)


@ERAS
def test_a_handler_that_never_returns_is_cancelled_and_the_client_reads_why(mode: str) -> None:
    async def main(client: Client) -> None:
        late = await client.call_tool("wait", {})
        assert late.isError and text(late) == "Tool wait timed out after 0.05 s"
        with pytest.raises(McpError) as error:
            await client.get_prompt("later")
        assert (error.value.error.code, error.value.error.data["reason"]) == (-32603, "timeout")

    with_client(mode, guarded(timeout=0.05), main)
