"""How sessions of the modern era begin: asked, or with an answer kept from earlier; and which
log messages their requests want."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import anyio
import pytest
from bounds import START, WHOLE
from peer import FOLDER, MODERN, legacy_command, modern_command, soon, text

import mcpbolt
from mcpbolt import Client, ClientSession, McpError, MCPError, types
from mcpbolt.client.stdio import stdio_client
from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver import Context
from mcpbolt.shared.exceptions import UsageError
from mcpbolt.shared.memory import create_connected_server_and_client_session

REVISION = "2026-07-28"
KEY = "io.modelcontextprotocol/logLevel"


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def noting(**options: Any) -> tuple[MCPServer[Any], list[tuple[str, Any]]]:
    """A server, and what it was asked with which log level."""
    asked: list[tuple[str, Any]] = []

    async def note(ctx: Any, call_next: Any) -> Any:
        asked.append((ctx.method, (ctx.meta or {}).get(KEY)))
        return await call_next(ctx)

    server = MCPServer("noting", version="3", instructions="i", middleware=[note], **options)

    @server.tool()
    async def talk(ctx: Context) -> str:
        for level in ("debug", "info", "error"):
            await ctx.log(level, level)
        return "said"

    @server.tool()
    async def ask(ctx: Context) -> str | types.InputRequiredResult:
        if ctx.input_responses:
            return "asked"
        form = types.ElicitRequestFormParams(message="?", requestedSchema={"type": "object", "properties": {}})
        return types.InputRequiredResult(input_requests={"who": types.ElicitRequest(params=form)})

    return server, asked


async def agree(_: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={})


def test_a_client_begins_with_what_it_was_told_before() -> None:
    server, asked = noting()

    async def test() -> None:
        async with Client(server, mode=REVISION) as first:
            kept = first.session.discover_result
            assert first.session.initialize_result is None
        assert kept is not None and REVISION in kept.supported_versions
        assert asked == [("server/discover", None)]
        stored = types.DiscoverResult.model_validate_json(kept.model_dump_json(by_alias=True, exclude_none=True))
        async with Client(server, mode=REVISION, prior_discover=stored) as client:
            assert asked == [("server/discover", None)]
            assert (client.protocol_version, client.instructions) == (REVISION, "i")
            assert client.server_info == first_info(kept) and client.server_info.name == "noting"  # type: ignore[union-attr]
            assert client.server_capabilities == kept.capabilities
            assert client.session.discover_result == kept and client.session.state == "ready"
            assert text(await client.call_tool("talk")) == "said"
        assert [method for method, _ in asked].count("server/discover") == 1
        # Others ask: they have to know the era.
        for mode in ("auto", "legacy"):
            async with Client(server, mode=mode, prior_discover=stored) as client:
                assert (client.session.discover_result is None) is (mode == "legacy")
                assert (client.session.initialize_result is None) is (mode == "auto")
        assert [method for method, _ in asked].count("server/discover") == 2

    run(test())


def first_info(kept: types.DiscoverResult) -> types.Implementation:
    return types.Implementation.model_validate((kept.meta or {})["io.modelcontextprotocol/serverInfo"])


def test_what_cannot_be_adopted() -> None:
    server, _ = noting()
    old = types.DiscoverResult(supportedVersions=["2025-11-25"], capabilities=types.ServerCapabilities())

    async def test() -> None:
        with pytest.raises(RuntimeError, match="No mutually supported modern protocol version"):
            await Client(server, mode=REVISION, prior_discover=old).connect()
        async with create_connected_server_and_client_session(server._mcp_server) as session:  # pyright: ignore
            assert session.initialize_result is not None and session.discover_result is None
            kept = old.model_copy(update={"supportedVersions": [REVISION]})
            for refused in (kept, session.initialize_result):
                with pytest.raises(UsageError):
                    session.adopt(refused)  # type: ignore[arg-type]

    run(test())


def test_a_session_that_was_refused_can_still_shake_hands() -> None:
    async def test() -> None:
        async with stdio_client(legacy_command()) as streams, ClientSession(*streams) as session:
            for _ in range(2):
                with pytest.raises(McpError) as refused:
                    await soon(session.discover(), 60)
                assert refused.value.error.code == types.INVALID_PARAMS
            found = await soon(session.initialize())
            assert found.protocolVersion == "2025-11-25" and session.discover_result is None
            assert text(await soon(session.call_tool("echo", {"text": "a"}))) == "a"

    run(test())


def test_a_session_asks_or_adopts_by_itself() -> None:
    async def test() -> None:
        async with stdio_client(modern_command()) as streams, ClientSession(*streams) as session:
            assert session.discover_result is None and session.server_capabilities is None
            found = await soon(session.discover(), 60)
            assert REVISION in found.supported_versions and await session.discover() == found
            assert session.protocol_version == REVISION and session.initialize_result is None
            assert session.server_info is not None and session.server_info.name == "modern"
            assert session.instructions == "be modern" and session.server_capabilities is not None
            assert text(await soon(session.call_tool("echo", {"text": "a"}))) == "a"
        async with stdio_client(modern_command()) as streams, ClientSession(*streams) as session:
            session.adopt(found)
            assert session.discover_result == found
            assert text(await soon(session.call_tool("echo", {"text": "b"}), 60)) == "b"

    run(test())


def test_a_server_of_the_legacy_era_cannot_be_discovered() -> None:
    server, _ = noting(options={"revisions": ["2025-11-25"]})

    async def test() -> None:
        client = Client(server, mode=REVISION)
        with pytest.raises(MCPError):
            await client.connect()

    run(test())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_requests_say_which_log_messages_they_want(mode: str) -> None:
    server, asked = noting()
    heard: list[str] = []

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(params.data)

    async def test() -> None:
        client = Client(server, mode=mode, log_level="info", logging_callback=hear, elicitation_callback=agree)
        async with client:
            await client.call_tool("talk")
            await client.call_tool("ask")
            await client.list_tools(fresh=True)
            if mode == "auto":
                assert heard == ["info", "error"]
                await client.call_tool("talk", meta={KEY: "error"})
                assert heard == ["info", "error", "error"]
        levels = {level for method, level in asked if method not in ("server/discover", "initialize", "tools/call")}
        calls = [level for method, level in asked if method == "tools/call"]
        if mode == "auto":
            assert levels == {"info"} and set(calls[:3]) == {"info"} and calls[-1] == "error"
        else:
            # There `logging/setLevel` says it.
            assert levels | set(calls) == {None}

    run(test())


def test_without_a_level_no_log_messages_come() -> None:
    server, asked = noting()
    heard: list[str] = []

    async def hear(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(params.data)

    async def test() -> None:
        async with Client(server, mode=REVISION, logging_callback=hear) as client:
            await client.call_tool("talk")
            await client.call_tool("talk", meta={KEY: "error"})
        assert heard == ["error"] and {level for _, level in asked} == {None, "error"}
        with pytest.raises(UsageError, match="log_level must be one of debug"):
            await Client(server, log_level="loud").connect()  # type: ignore[arg-type]

    run(test())


def test_an_open_stream_says_it_too() -> None:
    async def test() -> None:
        to_session, read_stream = anyio.create_memory_object_stream[Any](9)
        write_stream, said = anyio.create_memory_object_stream[Any](9)
        session = ClientSession(read_stream, write_stream, log_level="warning")
        session.adopt(types.DiscoverResult(supportedVersions=[REVISION], capabilities=types.ServerCapabilities()))
        stop = session.open_stream("subscriptions/listen", "{}", lambda method, params: None, lambda item: None)
        ping = asyncio.ensure_future(session.ask("example/ping", '{"_meta":{"a":1}}'))
        for method in ("subscriptions/listen", "example/ping"):
            message = (await soon(said.receive())).message.root
            assert message.method == method and message.params["_meta"][KEY] == "warning"
        stop()
        ping.cancel()
        await session.close()
        to_session.close()
        said.close()

    run(test())


@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
def test_clients_of_the_official_package_begin_and_ask_the_same() -> None:
    def said(package: str) -> Any:
        own = package == "mcpbolt"
        path = str(Path(mcpbolt.__file__).parent.parent) if own else ""
        words = [sys.executable if own else MODERN, str(FOLDER / "beginnings.py"), package]
        done = subprocess.run(
            words, capture_output=True, check=True, text=True, timeout=START, env=dict(os.environ, PYTHONPATH=path)
        )
        return json.loads(done.stdout)

    theirs, ours = said("mcp"), said("mcpbolt")
    assert len(theirs) == 10
    for name, expected in theirs.items():
        assert ours[name] == expected, name
