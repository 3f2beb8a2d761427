"""Chapter debugging."""

from __future__ import annotations

import asyncio

import pytest

# [guide]
import logging

from mcpbolt import Client, types
from mcpbolt.server.fastmcp import Context, FastMCP

# The package logs under the names of the official one and sets up nothing: handlers and
# levels are the program's. On stdio they must write to stderr, which is the default.
logging.basicConfig(level=logging.WARNING)
logging.getLogger("mcp").setLevel(logging.DEBUG)

server = FastMCP("notes")


@server.tool()
async def work(ctx: Context) -> str:
    """Tells the client what it does."""
    await ctx.debug("starting")
    await ctx.warning("half way")
    return "done"


async def on_log(params: types.LoggingMessageNotificationParams) -> None:
    print(f"{params.level}: {params.data}")


async def try_it() -> str:
    """A server is easiest to test in one process, without sockets."""
    async with Client(server, logging_callback=on_log, mode="legacy") as client:
        return (await client.call_tool("work")).content[0].text
# [end]


def test_a_client_hears_what_a_tool_says(capsys: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("mcp").setLevel(logging.NOTSET)
    assert asyncio.run(asyncio.wait_for(try_it(), 60)) == "done"
    assert capsys.readouterr().out.splitlines() == ["debug: starting", "warning: half way"]
