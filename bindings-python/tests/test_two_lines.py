"""One process uses both lines: which models a client, a session or a server works with is its own
affair, and not that of the process.
"""

from __future__ import annotations

from typing import Any

import mcpbolt
import mcpbolt.types as types1
import pytest
from mcpbolt import v2
from mcpbolt._engine.connection import Connection
from mcpbolt.server.lowlevel import Server as Server1
from mcpbolt.v2 import types as types2
from mcpbolt.v2.server import MCPServer, Server

pytestmark = pytest.mark.anyio


def app() -> MCPServer:
    server = MCPServer("both")

    @server.tool()
    def add(a: int, b: int) -> int:
        return a + b

    @server.resource("note://one")
    def note() -> str:
        return "hello"

    @server.prompt()
    def ask(topic: str) -> str:
        return f"Explain {topic}"

    return server


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_each_client_answers_with_its_own_models(mode: str) -> None:
    server = app()
    async with v2.Client(server, mode=mode) as new, mcpbolt.Client(server, mode=mode) as old:
        for client, types in ((new, types2), (old, types1)):
            found: list[tuple[Any, Any]] = [
                (await client.call_tool("add", {"a": 1, "b": 2}), types.CallToolResult),
                (await client.list_tools(), types.ListToolsResult),
                ((await client.list_tools()).tools[0], types.Tool),
                (await client.list_resources(), types.ListResourcesResult),
                (await client.list_prompts(), types.ListPromptsResult),
                (await client.read_resource("note://one"), types.ReadResourceResult),
                (await client.get_prompt("ask", {"topic": "x"}), types.GetPromptResult),
                (client.server_capabilities, types.ServerCapabilities),
                (client.server_info, types.Implementation),
            ]
            assert [type(value) for value, _ in found] == [kind for _, kind in found]
            assert found[0][0].structuredContent == {"result": 3}


async def test_a_client_of_2_waits_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []

    def open_connection(session: Any, face: str, options: dict[str, Any], *more: Any) -> Connection:
        opened.append(options["request_timeout"])
        return Connection(session, face, options, *more)

    monkeypatch.setattr("mcpbolt.client._handshake.Connection", open_connection)
    for client in (v2.Client(app()), mcpbolt.Client(app()), v2.Client(app(), read_timeout_seconds=7)):
        async with client:
            await client.list_tools()
    assert opened == [None, 60, 7]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_callbacks_get_and_give_the_models_of_their_client(mode: str) -> None:
    seen: list[Any] = []

    async def asks(ctx: Any, params: Any) -> Any:
        if ctx.protocol_version == types2.LATEST_PROTOCOL_VERSION and params.input_responses is None:
            question = types2.ElicitRequest(
                params=types2.ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}})
            )
            return types2.InputRequiredResult(input_requests={"q": question})
        if params.input_responses is None:
            await ctx.session.elicit_form("?", {"type": "object", "properties": {}})
        return types2.CallToolResult(content=[types2.TextContent(text="done")])

    async def tools(ctx: Any, params: Any) -> types2.ListToolsResult:
        return types2.ListToolsResult(tools=[types2.Tool(name="asks", input_schema={"type": "object"})])

    low = Server("asks", on_call_tool=asks, on_list_tools=tools)

    async def new(context: Any, params: Any) -> Any:
        seen.append(type(params))
        return types2.ElicitResult(action="accept", content={})

    async def old(context: Any, params: Any) -> Any:
        seen.append(type(params))
        return types1.ElicitResult(action="accept", content={})

    async with v2.Client(low, mode=mode, elicitation_callback=new) as client:
        assert (await client.call_tool("asks", {})).content == [types2.TextContent(text="done")]
    async with mcpbolt.Client(low, mode=mode, elicitation_callback=old) as other:
        assert (await other.call_tool("asks", {})).content == [types1.TextContent(type="text", text="done")]
    assert seen == [types2.ElicitRequestFormParams, types1.ElicitRequestFormParams]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_each_server_hands_its_own_models_to_handlers(mode: str) -> None:
    seen: list[Any] = []

    async def call(ctx: Any, params: Any) -> dict[str, Any]:
        seen.append((type(params), type(ctx.session.client_params)))
        return {"content": []}

    async def tools(ctx: Any, params: Any) -> dict[str, Any]:
        return {"tools": []}

    for kind in (Server, Server1):
        async with v2.Client(kind("s", on_call_tool=call, on_list_tools=tools), mode=mode) as client:
            await client.call_tool("any", {})
    assert seen == [
        (types2.CallToolRequestParams, types2.InitializeRequestParams),
        (types1.CallToolRequestParams, types1.InitializeRequestParams),
    ]
