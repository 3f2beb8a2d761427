"""Handlers that wait for `initialized`, on both eras: the modern one has no such message."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgi_servers import serving
from bounds import WHOLE
from own_loop import make as make_own
from peer import soon
from wire import MODERN, Child

from mcpbolt import Client, types
from mcpbolt.server.lowlevel import Server

PROGRAM = """
import anyio
from mcpbolt import types
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.stdio import stdio_server

server = Server("waits")
names = ["first"]

@server.list_tools()
async def list_tools():
    return [types.Tool(name=name, inputSchema={"type": "object"}) for name in names]

async def ready(_):
    names.append("more")

server.notification_handlers[types.InitializedNotification] = ready

async def main():
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())

anyio.run(main)
"""


def tools_of(answer: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in answer["result"]["tools"]]


# As the same program is for the official package, and runs on this one.
UNCHANGED = "import mcpbolt.compat\nmcpbolt.compat.install()\n" + PROGRAM.replace("from mcpbolt", "from mcp")


@pytest.mark.parametrize("program", [PROGRAM, UNCHANGED], ids=["ours", "compat"])
@pytest.mark.parametrize("era", ["legacy", "modern", "modern at once"])
def test_on_stdio_it_runs_before_what_is_asked_next_and_once(era: str, program: str) -> None:
    with Child(program) as child:
        meta: dict[str, Any] = {} if era == "legacy" else {"_meta": MODERN}
        if era == "legacy":
            child.open()
        elif era == "modern":
            assert child.ask("server/discover", **meta)["result"]["capabilities"]["tools"]
        for _ in range(2):
            assert tools_of(child.ask("tools/list", **meta)) == ["first", "more"]
        assert child.end()[0] == 0


def waiting(**options: Any) -> tuple[Server[Any, Any], list[Any]]:
    server: Server[Any, Any] = Server("waits", **options)
    told: list[Any] = []

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name=f"told{len(told)}", inputSchema={"type": "object"})]

    async def ready(notification: Any) -> None:
        told.append(notification)

    server.notification_handlers[types.InitializedNotification] = ready
    return server, told


def run(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, WHOLE))


async def names_at(url: str, mode: str = "2026-07-28") -> list[str]:
    async with Client(url, mode=mode) as client:
        return [tool.name for tool in (await soon(client.list_tools())).tools]


def test_over_http_it_runs_once_for_the_server_on_the_modern_era() -> None:
    async def main() -> None:
        server, told = waiting()
        async with serving(server) as url:
            assert [await names_at(url) for _ in range(3)] == [["told1"]] * 3
            # Sessions of the other era each have a message of their own.
            assert await names_at(url, "legacy") == ["told2"]
        assert [type(one).__name__ for one in told] == ["InitializedNotification"] * 2

    run(main())


def test_a_server_with_a_run_of_its_own_is_told_too() -> None:
    async def main() -> None:
        server, told = make_own(), list[Any]()

        async def ready(notification: Any) -> None:
            told.append(notification)

        server.notification_handlers[types.InitializedNotification] = ready
        async with serving(server) as url:
            for _ in range(2):
                assert "who" in await names_at(url)
        assert len(told) == 1

    run(main())


def test_a_handler_of_the_other_kind_reads_who_the_client_is() -> None:
    async def main() -> None:
        server, _ = waiting()
        told: list[Any] = []

        async def ready(context: Any, _: Any) -> None:
            told.append((context.protocol_version, sorted(context.meta)))

        server.add_notification_handler("notifications/initialized", types.NotificationParams, ready)
        async with Client(server, mode="2026-07-28") as client:
            await soon(client.list_tools())
        shown = ["clientCapabilities", "clientInfo", "protocolVersion"]
        assert told == [("2026-07-28", [f"io.modelcontextprotocol/{name}" for name in shown])]

    run(main())


def test_a_server_kept_on_the_handshake_hears_it_from_its_client() -> None:
    async def main() -> None:
        revisions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
        server, told = waiting(options={"revisions": revisions})
        async with serving(server) as url, Client(url) as client:
            assert client.protocol_version == "2025-11-25"
            assert (await soon(client.list_tools())).tools[0].name == "told1"
        assert len(told) == 1

    run(main())
