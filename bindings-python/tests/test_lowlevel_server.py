"""The low-level server on streams a program owns."""

import asyncio
import contextvars
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from bounds import LIMIT, WHOLE
import mcpbolt.types as types
import pytest
from mcpbolt._engine.driver import _drivers
from mcpbolt.server.lowlevel import NotificationOptions, Server
from mcpbolt.server.lowlevel.helper_types import ReadResourceContents
from mcpbolt.shared.exceptions import McpError
from mcpbolt.shared.memory import create_client_server_memory_streams
from mcpbolt.shared.message import SessionMessage
from memory import connected
from wire import Child

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer", "minimum": 1}, "what": {"type": "string"}},
    "required": ["n"],
}


def make(**options: Any) -> Server[Any, Any]:
    server: Server[Any, Any] = Server("low", "1.2", instructions="Hi.", **options)

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        output = {"type": "object", "properties": {"twice": {"type": "integer"}}, "required": ["twice"]}
        return [
            types.Tool(name="do", description="d", inputSchema=SCHEMA),
            types.Tool(name="twice", inputSchema=SCHEMA, outputSchema=output),
        ]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        context = server.request_context
        match arguments.get("what"):
            case "fail":
                raise ValueError("it failed")
            case "wrong":
                return {"twice": "x"}
            case "final":
                return types.CallToolResult(content=[], isError=True, _meta={"a": 1})
            case "nothing":
                return 5
            case "log":
                await context.session.send_log_message("info", {"k": 1}, "logger", context.request_id)
            case "ask":
                result = await context.session.create_message(
                    [types.SamplingMessage(role="user", content=types.TextContent(type="text", text="q"))],
                    max_tokens=5,
                )
                return [result.content]
            case "who":
                return [types.TextContent(type="text", text=f"{context.request} {USER.get()}")]
            case "client":
                params = context.session.client_params
                assert params is not None
                has = context.session.check_client_capability
                roots = has(types.ClientCapabilities(roots=types.RootsCapability(listChanged=True)))
                tools = has(types.ClientCapabilities(sampling=types.SamplingCapability(tools={})))
                text = f"{params.clientInfo.name} {roots} {tools} {context.lifespan_context}"
                return [types.TextContent(type="text", text=text)]
            case "hang":
                with anyio.move_on_after(0.01):
                    await anyio.sleep_forever()
                await anyio.sleep_forever()
        if name == "twice":
            return {"twice": 2 * arguments["n"]}
        return [types.TextContent(type="text", text=str(arguments["n"]))]

    return server


USER = contextvars.ContextVar("user", default="nobody")


def run(test: Any) -> None:
    asyncio.run(asyncio.wait_for(test, WHOLE))
    assert not _drivers


def text_of(result: dict[str, Any]) -> str:
    return result["content"][0]["text"]


def test_tools_are_listed_checked_and_called() -> None:
    async def test() -> None:
        async with connected(make()) as client:
            listed = (await client.ask("tools/list"))["result"]["tools"]
            assert [tool["name"] for tool in listed] == ["do", "twice"]
            assert await client.call("do", n=3) == {"content": [{"type": "text", "text": "3"}], "isError": False}
            twice = await client.call("twice", n=3)
            assert twice["structuredContent"] == {"twice": 6}
            assert text_of(twice) == '{\n  "twice": 6\n}'

    run(test())


@pytest.mark.parametrize(
    "name, arguments, words",
    [
        ("do", {}, "Input validation error: 'n' is a required property"),
        ("do", {"n": "x"}, "Input validation error: 'x' is not of type 'integer'"),
        ("do", {"n": 0}, "Input validation error: 0 is less than the minimum of 1"),
        ("do", {"n": 1, "what": "fail"}, "it failed"),
        ("do", {"n": 1, "what": "nothing"}, "Unexpected return type from tool: int"),
        ("twice", {"n": 1, "what": "wrong"}, "Output validation error: 'x' is not of type 'integer'"),
        ("twice", {"n": 1, "what": "log"}, None),
    ],
)
def test_what_goes_wrong_in_a_tool_is_a_result(name: str, arguments: dict[str, Any], words: str | None) -> None:
    async def test() -> None:
        async with connected(make()) as client:
            number = await client.start("tools/call", {"name": name, "arguments": arguments})
            answer = await client.receive()
            if words is None:
                params = {"level": "info", "data": {"k": 1}, "logger": "logger"}
                assert answer["params"] == params
                answer = await client.receive()
            assert answer["id"] == number
            assert answer["result"]["isError"] is (words is not None)
            assert words is None or text_of(answer["result"]) == words

    run(test())


def test_a_whole_result_is_sent_as_it_is() -> None:
    async def test() -> None:
        async with connected(make()) as client:
            result = await client.call("do", n=1, what="final")
            assert result == {"content": [], "isError": True, "_meta": {"a": 1}}

    run(test())


def test_a_handler_samples_and_knows_its_client() -> None:
    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncGenerator[str, None]:
        yield "alive"

    async def test() -> None:
        async with connected(make(lifespan=lifespan)) as client:
            assert text_of(await client.call("do", n=1, what="client")) == "test True False alive"
            number = await client.start("tools/call", {"name": "do", "arguments": {"n": 1, "what": "ask"}})
            question = await client.receive()
            assert (question["method"], question["params"]["maxTokens"]) == ("sampling/createMessage", 5)
            content = {"type": "text", "text": "a"}
            result = {"role": "assistant", "content": content, "model": "m"}
            await client.send({"id": question["id"], "result": result})
            answer = await client.receive()
            assert (answer["id"], answer["result"]["content"]) == (number, [content])

    run(test())


def test_each_request_sees_what_its_transport_says_of_it() -> None:
    async def test() -> None:
        USER.set("runner")
        async with connected(make()) as client:
            params = {"name": "do", "arguments": {"n": 1, "what": "who"}}
            first = await client.ask("tools/call", params, request="request one")
            second = await client.ask("tools/call", params)
            assert text_of(first["result"]) == "request one runner"
            assert text_of(second["result"]) == "None runner"

    run(test())


def test_a_cancelled_request_gets_no_answer() -> None:
    async def test() -> None:
        async with connected(make()) as client:
            number = await client.start("tools/call", {"name": "do", "arguments": {"n": 1, "what": "hang"}})
            await client.send({"method": "notifications/cancelled", "params": {"requestId": number}})
            assert (await client.ask("ping"))["result"] == {}

    run(test())


def test_the_end_of_the_streams_ends_running_handlers() -> None:
    async def test() -> None:
        async with connected(make()) as client:
            await client.start("tools/call", {"name": "do", "arguments": {"n": 1, "what": "hang"}})

    run(test())


def test_resources_prompts_and_completion() -> None:
    async def test() -> None:
        server = make()

        @server.list_resources()
        async def resources(request: types.ListResourcesRequest) -> types.ListResourcesResult:
            cursor = request.params.cursor if request.params else None
            found = types.Resource(uri=f"a://{cursor}", name="r")  # type: ignore[arg-type]
            return types.ListResourcesResult(resources=[found], nextCursor="more")

        @server.read_resource()
        async def read(uri: Any) -> list[ReadResourceContents]:
            if str(uri) == "a://none":
                raise McpError(types.ErrorData(code=-32002, message="none", data={"uri": str(uri)}))
            return [ReadResourceContents("text", "text/x"), ReadResourceContents(b"\0", meta={"m": 1})]

        @server.get_prompt()
        async def prompt(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
            return types.GetPromptResult(description=f"{name} {arguments}", messages=[])

        @server.completion()
        async def complete(ref: Any, argument: Any, context: Any) -> types.Completion | None:
            return types.Completion(values=[argument.value + "!"]) if argument.value else None

        async with connected(server) as client:
            answer = await client.ask("resources/list", {"cursor": "c"})
            assert "result" in answer, answer
            assert answer["result"] == {
                "resources": [{"uri": "a://c", "name": "r"}],
                "nextCursor": "more",
            }
            contents = (await client.ask("resources/read", {"uri": "a://b"}))["result"]["contents"]
            assert contents == [
                {"uri": "a://b", "mimeType": "text/x", "text": "text"},
                {"uri": "a://b", "mimeType": "application/octet-stream", "blob": "AA==", "_meta": {"m": 1}},
            ]
            error = (await client.ask("resources/read", {"uri": "a://none"}))["error"]
            assert error == {"code": -32002, "message": "none", "data": {"uri": "a://none"}}
            result = (await client.ask("prompts/get", {"name": "p", "arguments": {"a": "b"}}))["result"]
            assert result["description"] == "p {'a': 'b'}"
            reference = {"type": "ref/prompt", "name": "p"}
            for value, values in (("v", ["v!"]), ("", [])):
                params = {"ref": reference, "argument": {"name": "a", "value": value}}
                assert (await client.ask("completion/complete", params))["result"]["completion"]["values"] == values

    run(test())


def test_who_only_takes_the_end_of_subscriptions_is_told_of_it() -> None:
    async def test() -> None:
        server: Server[Any, Any] = Server("ends")
        ended: list[str] = []

        @server.unsubscribe_resource()
        async def unsubscribe(uri: Any) -> None:
            ended.append(str(uri))

        async with connected(server) as client:
            assert (await client.ask("resources/unsubscribe", {"uri": "a://b"}))["result"] == {}
        assert ended == ["a://b"]

    run(test())


def test_the_table_of_handlers_is_live() -> None:
    async def test() -> None:
        server = make()
        handlers = server.request_handlers
        assert types.CallToolRequest in handlers
        assert types.ListPromptsRequest not in handlers
        assert set(handlers) == {types.PingRequest, types.ListToolsRequest, types.CallToolRequest}
        async with connected(server) as client:
            before = handlers[types.CallToolRequest]

            async def patched(request: types.CallToolRequest) -> types.ServerResult:
                result = await before(request)
                result.root.content[0].text += " patched"  # type: ignore[union-attr]
                return result

            handlers[types.CallToolRequest] = patched
            assert text_of(await client.call("do", n=1)) == "1 patched"
            pinged: list[Any] = []

            async def ping(request: types.PingRequest) -> types.ServerResult:
                pinged.append(request)
                return types.ServerResult(types.EmptyResult())

            handlers[types.PingRequest] = ping
            assert (await client.ask("ping"))["result"] == {}
            assert isinstance(pinged[0], types.PingRequest)
            del handlers[types.CallToolRequest]
            params = {"name": "do", "arguments": {"n": 1}}
            assert (await client.ask("tools/call", params))["error"]["code"] == -32601

    run(test())


def test_notifications_reach_who_registered() -> None:
    async def test() -> None:
        server = make()
        heard: asyncio.Queue[Any] = asyncio.Queue()

        @server.progress_notification()
        async def progress(token: str | int, done: float, total: float | None, message: str | None) -> None:
            heard.put_nowait((token, done, total, message))

        async def roots(notification: types.RootsListChangedNotification) -> None:
            heard.put_nowait(notification.method)

        server.notification_handlers[types.RootsListChangedNotification] = roots
        async with connected(server) as client:
            await client.send({"method": "notifications/roots/list_changed"})
            assert await asyncio.wait_for(heard.get(), LIMIT) == "notifications/roots/list_changed"
            # Its token belongs to no question of ours: whoever registered knows what it means.
            told = {"progressToken": "mine", "progress": 1, "total": 2, "message": "half"}
            await client.send({"method": "notifications/progress", "params": told})
            assert await asyncio.wait_for(heard.get(), LIMIT) == ("mine", 1, 2, "half")

    run(test())


def test_exceptions_of_handlers_end_it_on_demand() -> None:
    async def test() -> None:
        server = make()

        @server.get_prompt()
        async def prompt(name: str, arguments: Any) -> Any:
            raise ZeroDivisionError("once")

        async with connected(server) as client:
            error = (await client.ask("prompts/get", {"name": "p"}))["error"]
            assert (error["code"], error["message"]) == (-32603, "once")
        with pytest.raises(ZeroDivisionError):
            async with connected(server, raise_exceptions=True) as client:
                await client.ask("prompts/get", {"name": "p"})

    run(test())


def test_bare_messages_are_taken_and_exceptions_survived() -> None:
    async def test() -> None:
        async with connected(make(), opened=False) as client:
            await client.send_raw(ValueError("a broken line"))
            hello = {
                "jsonrpc": "2.0",
                "id": 9,
                "method": "initialize",
                "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
            }
            await client.send_raw(types.JSONRPCMessage.model_validate(hello))
            result = (await client.receive())["result"]
            assert (result["protocolVersion"], result["instructions"]) == ("2025-06-18", "Hi.")

    run(test())


def test_many_connections_share_one_driver() -> None:
    async def test() -> None:
        server = make()

        async def one(number: int) -> None:
            async with connected(server) as client:
                for _ in range(20):
                    assert text_of(await client.call("do", n=number)) == str(number)
                assert len(_drivers) == 1

        await asyncio.gather(*(one(number) for number in range(1, 11)))

    run(test())


def test_capabilities_follow_the_handlers() -> None:
    server: Server[Any, Any] = Server("empty")
    assert server.get_capabilities(NotificationOptions(), {}).tools is None
    options = make().create_initialization_options(NotificationOptions(tools_changed=True), {"x": {"y": 1}})
    assert options.capabilities.tools == types.ToolsCapability(listChanged=True)
    assert options.capabilities.experimental == {"x": {"y": 1}}
    assert (options.server_name, options.server_version) == ("low", "1.2")


def test_trio() -> None:
    trio = pytest.importorskip("trio")

    async def test() -> None:
        with trio.fail_after(LIMIT):
            server = make()
            async with create_client_server_memory_streams() as (client_streams, server_streams):
                options = server.create_initialization_options()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(server.run, *server_streams, options)
                    await talk(*client_streams)
                    await client_streams[1].aclose()

    async def talk(read: Any, write: Any) -> None:
        async def ask(message: dict[str, Any]) -> dict[str, Any]:
            whole = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", **message})
            await write.send(SessionMessage(whole))
            return (await read.receive()).message.model_dump(by_alias=True, mode="json", exclude_none=True)

        info = {"name": "test", "version": "1"}
        hello = {"protocolVersion": "2025-11-25", "capabilities": {"sampling": {}}, "clientInfo": info}
        assert (await ask({"id": 0, "method": "initialize", "params": hello}))["result"]["instructions"] == "Hi."
        ready = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", "method": "notifications/initialized"})
        await write.send(SessionMessage(ready))

        def call(number: int, **arguments: Any) -> dict[str, Any]:
            return {"id": number, "method": "tools/call", "params": {"name": "do", "arguments": arguments}}

        assert text_of((await ask(call(1, n=3)))["result"]) == "3"
        question = await ask(call(2, n=1, what="ask"))
        assert question["method"] == "sampling/createMessage"
        content = {"type": "text", "text": "a"}
        sampled = {"role": "assistant", "content": content, "model": "m"}
        answer = await ask({"id": question["id"], "result": sampled})
        assert (answer["id"], answer["result"]["content"]) == (2, [content])
        hung = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", **call(3, n=1, what="hang")})
        await write.send(SessionMessage(hung))
        cancelled = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}}
        await write.send(SessionMessage(types.JSONRPCMessage.model_validate(cancelled)))
        assert (await ask({"id": 4, "method": "ping"}))["result"] == {}

    trio.run(test)


def test_the_table_of_handlers_is_a_dict_to_programs_that_ask() -> None:
    # Analytics for servers refuse one whose handlers are none.
    server: Server[Any, Any] = Server("x")
    table = server.request_handlers

    @server.list_tools()
    async def listed() -> list[types.Tool]:
        return [types.Tool(name="a", inputSchema={"type": "object"})]

    assert isinstance(table, dict) and len(table) == len(list(table))
    handler = table[types.ListToolsRequest]
    for copied in (dict(table), {**table}, table.copy(), table | {}, {} | table):
        assert type(copied) is dict and copied[types.ListToolsRequest] is handler and len(copied) == len(table)
    table |= {types.ListPromptsRequest: handler}
    assert table is server.request_handlers and table[types.ListPromptsRequest] is handler
    del table[types.ListPromptsRequest]
    assert types.ListPromptsRequest not in table and table.get(types.ListPromptsRequest) is None
    tool = asyncio.run(server._get_cached_tool_definition("a"))
    assert tool is not None and tool.name == "a"


def test_without_a_handshake_requests_are_answered_at_once() -> None:
    async def main() -> None:
        async with connected(make(), opened=False, stateless=True) as client:
            assert [tool["name"] for tool in (await client.ask("tools/list"))["result"]["tools"]] == ["do", "twice"]
            assert (await client.call("twice", n=1, what="final"))["isError"]
            # Whoever makes one may.
            assert (await client.open())["protocolVersion"] == "2025-11-25"
            assert (await client.call("do", n=1, what="final"))["isError"]

    run(main())


@pytest.mark.parametrize("package", ["mcpbolt", "mcp"])
def test_without_a_handshake_on_the_standard_streams(package: str) -> None:
    program = f"""
import asyncio
{"import mcpbolt.compat; mcpbolt.compat.install()" if package == "mcp" else ""}
from {package}.server.fastmcp import FastMCP
from {package}.server.stdio import stdio_server

mcp = FastMCP("low")
mcp.add_tool(lambda: "here", name="where")
server = mcp._mcp_server

async def main():
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options(), stateless=True)

asyncio.run(main())
"""
    with Child(program) as child:
        child.send({"id": 7, "method": "tools/call", "params": {"name": "where", "arguments": {}}})
        assert child.receive()["result"]["content"][0]["text"] == "here"


def test_messages_say_which_request_they_belong_to() -> None:
    async def main() -> None:
        async with connected(make()) as client:
            for what, method in (("log", "notifications/message"), ("ask", "sampling/createMessage")):
                number = await client.start("tools/call", {"name": "do", "arguments": {"n": 1, "what": what}})
                item = await client.receive_item()
                assert item.message.root.method == method
                assert item.metadata.related_request_id == number
                if what == "ask":
                    sampled = {"role": "assistant", "content": {"type": "text", "text": "a"}, "model": "m"}
                    await client.send({"id": item.message.root.id, "result": sampled})
                item = await client.receive_item()
                assert (item.message.root.id, item.metadata) == (number, None)

    run(main())
