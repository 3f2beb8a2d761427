"""Servers that run the messages of their sessions themselves, in a `run` of their own."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import anyio
import pytest
from mcpbolt import ClientSession, McpError, types
from mcpbolt._switches import switches
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.session import ServerSession
from mcpbolt.shared.memory import create_connected_server_and_client_session
from peer import soon, text


class Watched(ServerSession):
    """A session that sees requests first."""

    def __init__(self, *arguments: Any, seen: list[str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.seen = seen

    async def _received_request(self, responder: Any) -> None:
        self.seen.append(responder.request.root.method)
        respond = responder.respond

        async def watched(response: Any) -> None:
            self.seen.append(type(response.root).__name__)
            await respond(response)

        if responder.request.root.method == "initialize":
            responder.respond = watched
        await super()._received_request(responder)


class Own(Server[Any, Any]):
    """A server with a loop of its own."""

    def __init__(self, name: str, **options: Any) -> None:
        super().__init__(name, **options)
        self.seen: list[str] = []

    async def run(
        self, read_stream: Any, write_stream: Any, initialization_options: Any,
        raise_exceptions: bool = False, stateless: bool = False,
    ) -> None:
        async with AsyncExitStack() as stack:
            lifespan = await stack.enter_async_context(self.lifespan(self))
            session = await stack.enter_async_context(
                Watched(read_stream, write_stream, initialization_options, stateless=stateless, seen=self.seen)
            )
            async with anyio.create_task_group() as tasks:
                async for message in session.incoming_messages:
                    tasks.start_soon(self._handle_message, message, session, lifespan, raise_exceptions)


def make() -> Own:
    server = Own("own")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name=name, inputSchema={"type": "object"}) for name in ("who", "fail", "ask", "hang")]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.ContentBlock]:
        context = server.request_context
        if name == "fail":
            raise ValueError("it failed")
        if name == "hang":
            try:
                await anyio.sleep_forever()
            finally:
                server.seen.append("let go")
        if name == "ask":
            answer = await context.session.elicit("?", {"type": "object", "properties": {}})
            return [types.TextContent(type="text", text=answer.action)]
        as_task = context.experimental
        words = f"{type(context.session).__name__} {as_task.is_task} {as_task.client_supports_tasks}"
        return [types.TextContent(type="text", text=words)]

    @server.list_prompts()
    async def list_prompts() -> list[types.Prompt]:
        raise McpError(-32099, "not today", {"tomorrow": True})

    @server.list_resources()
    async def list_resources() -> list[types.Resource]:
        raise KeyError("nobody foresaw")

    return server


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


@pytest.mark.anyio
async def test_a_handler_lets_go_when_the_client_withdraws_the_request() -> None:
    server = make()
    async with create_connected_server_and_client_session(server) as client:
        with anyio.move_on_after(0.2):
            await client.call_tool("hang")
        assert text(await soon(client.call_tool("who"))).startswith("Watched")
        assert "let go" in server.seen


@pytest.mark.anyio
async def test_a_client_without_a_callback_refuses_in_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "official", True)
    async with create_connected_server_and_client_session(make()) as client:
        answer = await soon(client.call_tool("ask"))
        assert answer.isError
        assert text(answer) == "Elicitation not supported"


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
