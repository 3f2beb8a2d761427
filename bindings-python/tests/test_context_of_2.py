"""The context of a 2.x function, called by the names of the official package 2.3."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from beside_2 import official, ours
from peer import MODERN, soon

from mcpbolt import Client
from mcpbolt.server.mcpserver import Context, MCPServer

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

SIGNATURES = """
import inspect

def parameters(found):
    found = getattr(found, "__wrapped__", found)
    return [[one.name, one.kind.name, one.default is one.empty] for one in inspect.signature(found).parameters.values()]

names = [name for kind in Context.__mro__ if kind.__module__.startswith("mcp") for name in vars(kind)]

async def main():
    functions = {name: inspect.getattr_static(Context, name) for name in set(names) if not name.startswith(("_", "model_"))}
    return {name: parameters(found) for name, found in functions.items() if inspect.isfunction(found)}

run(main)
"""

LOGS = """
mcp = MCPServer("logs")

@mcp.tool()
async def say(ctx: Context) -> str:
    for level in ("debug", "info", "warning", "error"):
        await getattr(ctx, level)(data={"is": level}, logger_name="tool")
        await getattr(ctx, level)([level])
    await ctx.log(level="notice", data=1)
    return await raised(ctx.info(message="named as in 1.x"))

async def main():
    heard = []
    async def hear(params):
        heard.append(params.model_dump(mode="json", exclude_none=True))
    async with Client(mcp, mode="legacy", logging_callback=hear) as client:
        result = await client.call_tool("say")
    return [heard, result.is_error]

run(main)
"""


def test_each_function_has_the_official_parameters() -> None:
    expected, here = official(SIGNATURES), ours(SIGNATURES)
    assert len(expected) > 10
    assert {name: here.get(name) for name in expected} == expected


def test_messages_of_every_level_are_given_as_data() -> None:
    assert ours(LOGS) == official(LOGS)


def test_they_are_without_the_alias_too() -> None:
    mcp = MCPServer("logs")
    heard: list[Any] = []

    @mcp.tool()
    async def say(ctx: Context) -> str:
        await ctx.warning(data={"a": 1}, logger_name="tool")
        return "said"

    async def hear(params: Any) -> None:
        heard.append((params.level, params.data, params.logger))

    async def main() -> None:
        async with Client(mcp, mode="legacy", logging_callback=hear) as client:
            await soon(client.call_tool("say"))

    anyio.run(main)
    assert heard == [("warning", {"a": 1}, "tool")]
