"""Servers that run the messages of their sessions themselves, in a `run` of their own."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest
from asgi_servers import serving
from own_loop import Own, make
from peer import soon, text

from mcpbolt import ClientSession, McpError, types
from mcpbolt.client.client import Client
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.server.lowlevel import Server
from mcpbolt.shared.memory import create_connected_server_and_client_session


@pytest.mark.anyio
async def test_each_message_comes_to_its_handler() -> None:
    server = make()
    async with create_connected_server_and_client_session(server) as client:
        assert server.seen[:2] == ["initialize", "InitializeResult"]
        assert text(await soon(client.call_tool("who"))) == "Watched False False"
        assert (await soon(client.call_tool("fail"))).isError
        await soon(client.send_ping())
        with pytest.raises(McpError) as raised:
            await soon(client.list_prompts())
        error = raised.value.error
        assert (error.code, error.message, error.data) == (-32099, "not today", {"tomorrow": True})
        with pytest.raises(McpError) as raised:
            await soon(client.list_resources())
        assert "nobody foresaw" in raised.value.error.message
        with pytest.raises(McpError) as raised:
            await soon(client.list_resource_templates())
        assert raised.value.error.code == types.METHOD_NOT_FOUND


@pytest.mark.filterwarnings("ignore:The experimental tasks API is deprecated")
@pytest.mark.anyio
async def test_a_tool_may_return_a_task() -> None:
    server = make()
    async with create_connected_server_and_client_session(server) as client:
        created = await soon(client.experimental.call_tool_as_task("later", {}))
        assert (created.task.taskId, created.task.status) == ("t-1", "working")


async def withdraw(client: Any, server: Own) -> None:
    """A call that the client gives up once its handler runs, until the handler knows."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(client.call_tool, "hang")
        await soon(server.hangs.wait())
        tasks.cancel_scope.cancel()
    await soon(server.let_go.wait())


@pytest.mark.anyio
async def test_a_handler_lets_go_when_the_client_withdraws_the_request() -> None:
    server = make()
    async with create_connected_server_and_client_session(server) as client:
        await withdraw(client, server)
        assert text(await soon(client.call_tool("who"))).startswith("Watched")


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_a_client_without_a_callback_refuses_in_its_own_words() -> None:
    async with create_connected_server_and_client_session(make()) as client:
        answer = await soon(client.call_tool("ask"))
        assert answer.isError
        assert text(answer) == "Elicitation not supported"


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_a_second_initialize_gets_the_first_answer() -> None:
    async with create_connected_server_and_client_session(make()) as client:
        assert isinstance(client, ClientSession)
        again = await soon(client.initialize())
        assert again.serverInfo.name == "own"
        assert again is client.initialize_result


@pytest.mark.anyio
async def test_what_is_kept_for_a_session_is_closed_with_it() -> None:
    closed: list[str] = []
    server: Server[Any, Any] = Server("keeps")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        session: Any = server.request_context.session

        async def close() -> None:
            closed.append("closed")

        session._exit_stack.push_async_callback(close)
        assert not server.request_context.experimental.is_task
        return []

    async with create_connected_server_and_client_session(server) as client:
        await soon(client.list_tools())
        assert closed == []
    assert closed == ["closed"]


# Over HTTP


async def accept(context: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={})


async def in_a_session() -> None:
    server, said = make(), list[Any]()

    async def heard(message: Any) -> None:
        said.append(message.root.method)

    async def progressed(progress: float, total: float | None, message: str | None) -> None:
        said.append((progress, total))

    async with serving(server) as url, streamable_http_client(url) as (read, write, _):
        async with ClientSession(read, write, elicitation_callback=accept, message_handler=heard) as client:
            shown = await soon(client.initialize())
            assert shown.serverInfo.name == "own"
            assert server.seen[:2] == ["initialize", "InitializeResult"]
            assert text(await soon(client.call_tool("who"))) == "Watched False False"
            assert text(await soon(client.call_tool("ask"))) == "accept"
            await soon(client.call_tool("tell", progress_callback=progressed))
            assert (1, 2) in said
            assert "notifications/message" in said
            with pytest.raises(McpError) as raised:
                await soon(client.list_prompts())
            assert (raised.value.error.code, raised.value.error.data) == (-32099, {"tomorrow": True})
            await withdraw(client, server)
            assert text(await soon(client.call_tool("who"))).startswith("Watched")
            assert server.seen.count("initialize") == 1


def test_a_run_of_its_own_carries_a_session_over_http() -> None:
    asyncio.run(in_a_session())


async def without_sessions(stateless: bool, mode: Any) -> None:
    server = make()
    async with serving(server, stateless=stateless) as url, Client(url, mode=mode) as client:
        assert text(await soon(client.call_tool("who"))).startswith("Watched")
        assert text(await soon(client.call_tool("who"))).startswith("Watched")
    assert server.seen.count("tools/call") == 2


@pytest.mark.parametrize(("stateless", "mode"), [(True, "legacy"), (True, "auto"), (False, "auto")])
def test_a_run_of_its_own_carries_each_request_where_there_is_no_session(stateless: bool, mode: str) -> None:
    asyncio.run(without_sessions(stateless, mode))
