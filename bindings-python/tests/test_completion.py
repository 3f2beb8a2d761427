"""How many values an answer to `completion/complete` has."""

from __future__ import annotations

from typing import Any

import pytest
from aliased import compat
from eras import ERAS, with_client
from mcpbolt import Client, types
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.lowlevel import Server
from mcpbolt.v2 import types as types_of_2
from mcpbolt.v2.server import MCPServer as MCPServerOf2
from mcpbolt.v2.server import Server as ServerOf2
from peer import soon

REFERENCE = types.PromptReference(type="ref/prompt", name="any")


def values(argument: Any) -> list[str]:
    return [f"{number}, or so" for number in range(int(argument.value))]


def proposing(server: Any, kind: Any, **more: Any) -> Any:
    """The server with as many values as the argument says."""

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Any:
        return kind(values=values(argument), **more)

    return server


def by_method() -> Any:
    async def complete(context: Any, params: Any) -> Any:
        return types.CompleteResult(completion=types.Completion(values=values(params.argument)))

    return Server("by method", on_completion=complete)


def by_method_of_2() -> Any:
    async def complete(context: Any, params: Any) -> Any:
        completion = types_of_2.Completion(values=values(params.argument))
        return types_of_2.CompleteResult(completion=completion)

    return ServerOf2("by method", on_completion=complete)


def behind_middleware() -> Any:
    async def pass_on(context: Any, call_next: Any) -> Any:
        return await call_next(context)

    return proposing(MCPServer("wrapped", middleware=[pass_on]), types.Completion)


SERVERS = {
    "1": lambda: proposing(FastMCP("x"), types.Completion),
    "low-level": lambda: proposing(Server("x"), types.Completion),
    "by method": by_method,
    "2": lambda: proposing(MCPServer("x"), types.Completion),
    "v2": lambda: proposing(MCPServerOf2("x"), types_of_2.Completion),
    "v2 by method": by_method_of_2,
    "middleware": behind_middleware,
}


async def proposed(client: Client, count: int) -> types.Completion:
    argument = {"name": "a", "value": str(count)}
    return (await soon(client.complete(REFERENCE, argument))).completion


@ERAS
@pytest.mark.parametrize("name", SERVERS)
def test_no_more_than_a_hundred_values_are_sent(name: str, mode: str) -> None:
    # differs: completion-values
    async def test(client: Client) -> None:
        few = await proposed(client, 100)
        assert (len(few.values), few.total, few.hasMore) == (100, None, None)
        many = await proposed(client, 101)
        assert (many.values, many.total, many.hasMore) == (few.values, 101, True)

    with_client(mode, SERVERS[name](), test)


def test_the_number_that_the_handler_knows_is_kept() -> None:
    async def test(client: Client) -> None:
        many = await proposed(client, 300)
        assert (len(many.values), many.total, many.hasMore) == (100, 5000, True)

    with_client("legacy", proposing(FastMCP("x"), types.Completion, total=5000, hasMore=False), test)


PROGRAM = """
import anyio
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected
from mcp.types import Completion, PromptReference

server = FastMCP("proposes")

@server.completion()
async def complete(ref, argument, context):
    return Completion(values=[str(number) for number in range(300)])

async def main():
    async with connected(server) as client:
        reference = PromptReference(type="ref/prompt", name="any")
        found = await client.complete(reference, {"name": "a", "value": ""})
        print(len(found.completion.values), found.completion.total)

anyio.run(main)
"""
PROGRAM_OF_2 = (
    PROGRAM.replace("fastmcp import FastMCP", "mcpserver import MCPServer")
    .replace("mcp.shared.memory import create_connected_server_and_client_session", "mcp import Client")
    .replace("FastMCP(", "MCPServer(")
    .replace("from mcp.types", "from mcp_types")
)


def test_under_the_official_name_all_values_are_sent() -> None:
    assert compat(PROGRAM) == "300 None"
    assert compat(PROGRAM_OF_2, "--api", "2") == "300 None"
    assert compat(PROGRAM, "--fixes") == "100 300"
