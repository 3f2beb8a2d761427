"""A client that cancels a request by the notification itself."""

from __future__ import annotations

import pytest
from aliased import compat, python

PROGRAM = """
import anyio
from mcp import McpError, types
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected

server = FastMCP("slow")

@server.tool()
async def slow(ctx: Context) -> None:
    await ctx.info(str(ctx.request_id))
    await anyio.sleep_forever()

async def main():
    begun = anyio.Event()
    ids = []

    async def told(params):
        ids.append(params.data)
        begun.set()

    async with connected(server, logging_callback=told) as client, anyio.create_task_group() as tasks:

        async def call():
            try:
                await client.call_tool("slow", {})
            except McpError as error:
                print(error.error.code, error.error.message)

        tasks.start_soon(call)
        await begun.wait()
        named = types.CancelledNotificationParams(requestId=ids[0], reason="enough")
        cancelled = types.CancelledNotification(params=named)
        await client.send_notification(types.ClientNotification(cancelled))

anyio.run(main)
"""
PROGRAM_2 = """
import anyio
from mcp import Client, MCPError, types
from mcp.server import Server

begun, over = anyio.Event(), anyio.Event()
ids = []

async def call_tool(context, params):
    ids.append(context.request_id)
    begun.set()
    try:
        await anyio.sleep_forever()
    finally:
        over.set()

async def call(client):
    try:
        await client.call_tool("slow", {})
    except MCPError as error:
        print(error.error.code, error.error.message)

async def main():
    server = Server("slow", on_call_tool=call_tool)
    async with Client(server, mode="legacy") as client, anyio.create_task_group() as tasks:
        tasks.start_soon(call, client)
        await begun.wait()
        named = types.CancelledNotificationParams(request_id=ids[0], reason="enough")
        await client.session.send_notification(types.CancelledNotification(params=named))
        await over.wait()
        # What the server would say is here before what it is asked after that.
        await client.session.send_ping()
        tasks.cancel_scope.cancel()
    print("waited")

anyio.run(main)
"""
LOGS = """
import anyio
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected

server = FastMCP("talks")

@server.tool()
async def talk(ctx: Context) -> None:
    for number in range(3000):
        await ctx.info(str(number))

async def main():
    heard = []

    async def told(params):
        heard.append(params.data)

    async with connected(server, logging_callback=told) as client:
        await client.call_tool("talk", {})
        with anyio.fail_after(20):
            while len(heard) < 3000:
                await anyio.lowlevel.checkpoint()
    print(heard == [str(number) for number in range(3000)])

anyio.run(main)
"""


@pytest.mark.parametrize("official", [True, False], ids=["compat", "own"])
def test_a_request_that_is_cancelled_by_a_notification_ends(official: bool) -> None:
    said = compat(PROGRAM) if official else python("-c", PROGRAM.replace("from mcp", "from mcpbolt"))
    assert said == ("0 Request cancelled" if official else "-32603 the request was cancelled")


def test_under_the_official_name_of_2_it_waits_for_what_the_server_says() -> None:
    assert compat(PROGRAM_2, "--api", "2") == "waited"


def test_under_the_official_name_all_log_messages_arrive() -> None:
    assert compat(LOGS) == "True"
