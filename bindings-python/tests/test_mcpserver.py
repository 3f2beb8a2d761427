"""A server with the semantics of 2.x, over both eras, with our own client."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Annotated, Any

import pytest
from peer import soon, text
from pydantic import BaseModel

from mcpbolt import Client, MCPError, types
from mcpbolt.server import CacheHint, MCPServer, Server, ServerRequestContext
from mcpbolt.server.mcpserver import (
    Context,
    Elicit,
    ElicitationResult,
    Extension,
    ListRoots,
    MethodBinding,
    Resolve,
    Sample,
    ToolBinding,
    require_client_extension,
)
from mcpbolt.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, ToolError

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


class Name(BaseModel):
    name: str


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, 20))


async def answer_form(_: Any, params: Any) -> Any:
    if "refuse" in params.message:
        return types.ElicitResult(action="decline")
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def answer_roots(_: Any) -> Any:
    return types.ListRootsResult(roots=[types.Root(uri="file:///project")])


async def answer_message(_: Any, params: Any) -> Any:
    content = types.TextContent(type="text", text=f"to {params.messages[0].content.text}")
    return types.CreateMessageResult(role="assistant", model="m", content=content)


def client(server: Any, mode: str, **more: Any) -> Client:
    callbacks: dict[str, Any] = {
        "elicitation_callback": answer_form,
        "list_roots_callback": answer_roots,
        "sampling_callback": answer_message,
    }
    return Client(server, mode=mode, **{**callbacks, **more})


def with_client(mode: str, server: Any, test: Callable[[Client], Awaitable[None]], **more: Any) -> None:
    async def main() -> None:
        async with client(server, mode, **more) as opened:
            await test(opened)

    run(main())


def failing() -> MCPServer[Any]:
    server = MCPServer("x", version="3", title="T", description="D")

    @server.tool()
    def refuse() -> None:
        raise MCPError(code=-5, message="no", data={"why": 1})

    @server.tool()
    def sorry() -> None:
        raise ToolError("try later")

    @server.tool()
    async def crash() -> None:
        raise KeyError("a secret")

    @server.tool()
    def add(a: int) -> int:
        return a

    @server.resource("note://bad")
    def bad() -> str:
        raise KeyError("a secret")

    @server.resource("note://gone/{name}")
    def gone(name: str) -> str:
        if name == "busy":
            raise ResourceError("come back later")
        raise ResourceNotFoundError(f"{name} is gone")

    @server.prompt()
    def broken() -> str:
        raise KeyError("a secret")

    return server


@ERAS
@pytest.mark.parametrize("fast", [True, False])
def test_an_exception_is_what_2_x_makes_of_it(mode: str, fast: bool) -> None:
    server = failing()
    server._mcp_server.fast_path = fast

    async def test(opened: Client) -> None:
        assert (opened.server_info.title, opened.server_info.description) == ("T", "D")
        with pytest.raises(MCPError) as refused:
            await opened.call_tool("refuse")
        assert (refused.value.code, refused.value.message, refused.value.data) == (-5, "no", {"why": 1})
        for name, words in (("sorry", "Error executing tool sorry: try later"), ("crash", "Error executing tool crash")):
            result = await opened.call_tool(name)
            assert (result.isError, text(result)) == (True, words)
        wrong = await opened.call_tool("add", {"a": "x"})
        assert wrong.isError and text(wrong).startswith("Error executing tool add: 1 validation error for addArguments")
        with pytest.raises(MCPError) as unknown:
            await opened.call_tool("nope")
        assert unknown.value.code == -32602

    with_client(mode, server, test)


@ERAS
def test_a_resource_says_only_what_it_was_meant_to(mode: str) -> None:
    async def test(opened: Client) -> None:
        seen = {}
        for uri in ("note://bad", "note://gone/busy", "note://gone/one"):
            with pytest.raises(MCPError) as failed:
                await opened.read_resource(uri)
            seen[uri] = (failed.value.code, failed.value.data)
            assert "secret" not in failed.value.message
            if uri.endswith("busy"):
                assert failed.value.message == "come back later"
        missing = -32002 if mode == "legacy" else -32602
        assert seen == {
            "note://bad": (-32603, {"uri": "note://bad"}),
            "note://gone/busy": (-32603, {"uri": "note://gone/busy"}),
            "note://gone/one": (missing, {"uri": "note://gone/one"}),
        }
        with pytest.raises(MCPError) as failed:
            await opened.get_prompt("broken")
        assert failed.value.code == -32603 and "secret" not in failed.value.message

    with_client(mode, failing(), test)


def test_what_a_tool_hides_from_clients_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def test(opened: Client) -> None:
        await opened.call_tool("crash")
        await opened.call_tool("sorry")

    with caplog.at_level(logging.INFO, "mcp.server.mcpserver.server"):
        with_client("legacy", failing(), test)
    levels = {record.levelname: record.getMessage() for record in caplog.records if "mcpserver" in record.name}
    assert "crash" in levels["ERROR"] and "try later" in levels["INFO"]


@ERAS
def test_a_context_knows_its_request(mode: str) -> None:
    server = MCPServer("x")
    seen: list[Any] = []

    @server.tool()
    async def look(ctx: Context) -> str:
        seen.append((ctx.protocol_version, ctx.headers, ctx.input_responses, ctx.request_state))
        assert ctx.client_capabilities is not None and ctx.client_capabilities.roots is not None
        assert ctx.mcp_server is server and ctx.request_context.method == "tools/call"
        assert ctx.request_context.params == {"name": "look", "arguments": {}} | (
            {"_meta": ctx.request_context.meta} if ctx.request_context.meta else {}
        )
        assert ctx.session.client_info is not None
        await ctx.report_progress(1, 2, "half")
        return str(ctx.request_context.request_id)

    told: list[Any] = []

    async def progress(*report: Any) -> None:
        told.append(report)

    async def test(opened: Client) -> None:
        assert not (await opened.call_tool("look", {}, progress_callback=progress)).isError
        assert told == [(1, 2, "half")]
        assert seen == [("2025-11-25" if mode == "legacy" else mode, None, None, None)]

    with_client(mode, server, test)


@ERAS
@pytest.mark.parametrize("sync", [True, False])
def test_a_function_may_return_questions(mode: str, sync: bool) -> None:
    server = MCPServer("x")
    question = types.ElicitRequest(params=types.ElicitRequestFormParams(message="Who?", requestedSchema=Name.model_json_schema()))

    def ask(ctx: Context) -> str | types.InputRequiredResult:
        answers = ctx.input_responses
        if answers is None:
            return types.InputRequiredResult(inputRequests={"who": question.model_dump(by_alias=True)}, requestState="s")
        return f"{answers['who'].action} {answers['who'].content['name']} {ctx.request_state}"

    if sync:
        server.tool()(ask)
    else:

        @server.tool("ask")
        async def _(ctx: Context) -> str | types.InputRequiredResult:
            return ask(ctx)

    @server.prompt()
    def greet(ctx: Context) -> Any:
        return ask(ctx)

    @server.resource("note://{name}")
    def note(name: str, ctx: Context) -> Any:
        return ask(ctx)

    async def test(opened: Client) -> None:
        assert text(await opened.call_tool("ask")) == "accept Ada s"
        assert (await opened.get_prompt("greet")).messages[0].content.text == "accept Ada s"
        assert (await opened.read_resource("note://a")).contents[0].text == "accept Ada s"

    with_client(mode, server, test)


RUNS: list[str] = []


def who(title: str) -> Elicit[Name]:
    RUNS.append("who")
    return Elicit(f"Who is {title}?", Name)


async def greeting(name: Annotated[Name, Resolve(who)], ctx: Context) -> str:
    RUNS.append("greeting")
    return f"Hello {name.name} {ctx.protocol_version is not None}"


def roots() -> ListRoots:
    return ListRoots()


def words(title: str) -> Sample:
    content = types.TextContent(type="text", text=title)
    return Sample([types.SamplingMessage(role="user", content=content)], max_tokens=5)


def no() -> Elicit[Name]:
    return Elicit("please refuse", Name)


def stranger(other: int) -> int:
    return other


def circle(a: Any) -> int:
    return a


circle.__annotations__["a"] = Annotated[int, Resolve(circle)]


def whole() -> MCPServer[Any]:
    server = MCPServer("x")

    @server.tool()
    def everything(
        title: str,
        name: Annotated[Name, Resolve(who)],
        hello: Annotated[str, Resolve(greeting)],
        found: Annotated[types.ListRootsResult, Resolve(roots)],
        said: Annotated[types.CreateMessageResult, Resolve(words)],
        refused: Annotated[ElicitationResult[Name], Resolve(no)],
    ) -> str:
        """Needs a lot."""
        return f"{title} {name.name} {hello} {found.roots[0].uri} {said.content.text} {refused.action}"

    @server.tool()
    async def stubborn(name: Annotated[Name, Resolve(no)]) -> str:
        return name.name

    return server


@ERAS
def test_resolved_parameters_are_asked_for_and_hidden_from_the_schema(mode: str) -> None:
    server = whole()
    RUNS.clear()

    async def test(opened: Client) -> None:
        tools = (await opened.list_tools()).tools
        assert list(tools[0].inputSchema["properties"]) == ["title"] and tools[0].description == "Needs a lot."
        assert tools[1].inputSchema["properties"] == {}
        result = await opened.call_tool("everything", {"title": "Mx"})
        assert text(result) == "Mx Ada Hello Ada True file:///project to Mx decline"
        assert RUNS == ["who", "greeting"]
        declined = await opened.call_tool("stubborn")
        assert declined.isError
        assert text(declined) == (
            "Error executing tool stubborn: Resolver for parameter 'name' could not resolve: elicitation was decline"
        )

    with_client(mode, server, test)


@ERAS
def test_a_client_that_cannot_answer_is_told_what_is_missing(mode: str) -> None:
    async def test(opened: Client) -> None:
        with pytest.raises(MCPError) as refused:
            await opened.call_tool("stubborn")
        # The legacy era has no such code.
        assert refused.value.code == (-32600 if mode == "legacy" else -32021)
        assert refused.value.data == {"requiredCapabilities": {"elicitation": {"form": {}}}}

    with_client(mode, whole(), test, elicitation_callback=None)


def test_resolvers_that_cannot_work_are_refused_when_they_are_registered() -> None:
    from mcpbolt.server.mcpserver.exceptions import InvalidSignature

    server = MCPServer("x")

    with pytest.raises(InvalidSignature, match="'other' cannot be resolved"):

        @server.tool()
        def one(a: Annotated[int, Resolve(stranger)]) -> int:
            return a

    with pytest.raises(InvalidSignature, match="inside a union"):

        @server.tool()
        def two(a: Annotated[int, Resolve(stranger)] | None) -> int:
            return 1

    with pytest.raises(InvalidSignature, match="cyclic"):

        @server.tool()
        def three(a: Annotated[int, Resolve(circle)]) -> int:
            return a


async def list_tools(ctx: ServerRequestContext, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
    return types.ListToolsResult(tools=[types.Tool(name="echo", input_schema={"type": "object"})])


async def call_tool(ctx: ServerRequestContext, params: types.CallToolRequestParams) -> types.CallToolResult:
    if params.name == "crash":
        raise ValueError("it broke")
    if params.name == "refuse":
        raise MCPError(-7, "not you")
    words = f"{params.name} {ctx.lifespan_context} {ctx.protocol_version} {ctx.method}"
    return types.CallToolResult(content=[types.TextContent(type="text", text=words)])


class OwnParams(types.RequestParams):
    number: int = 1


@ERAS
def test_handlers_by_keyword_get_a_context_and_params(mode: str) -> None:
    server = Server("x", "1", on_list_tools=list_tools, on_call_tool=call_tool)

    async def own(ctx: ServerRequestContext, params: OwnParams) -> dict[str, Any]:
        return {"twice": params.number * 2, "id": ctx.request_id is not None}

    server.add_request_handler("example/twice", OwnParams, own)
    assert server.get_request_handler("example/twice").handler is own  # pyright: ignore
    assert server.get_request_handler("tools/call").params_type is types.CallToolRequestParams  # pyright: ignore
    assert server.get_request_handler("prompts/list") is None

    async def test(opened: Client) -> None:
        revision = "2025-11-25" if mode == "legacy" else mode
        assert [tool.name for tool in (await opened.list_tools()).tools] == ["echo"]
        assert text(await opened.call_tool("echo")) == f"echo {{}} {revision} tools/call"
        with pytest.raises(MCPError) as failed:
            await opened.call_tool("crash")
        assert (failed.value.code, failed.value.message) == (-32603, "it broke")
        with pytest.raises(MCPError) as failed:
            await opened.call_tool("refuse")
        assert (failed.value.code, failed.value.message) == (-7, "not you")
        assert await opened.session.ask("example/twice", '{"number": 4}') == _with_meta(mode, {"twice": 8, "id": True})
        assert (await opened.session.ask("example/twice", None))["twice"] == 2
        with pytest.raises(MCPError) as failed:
            await opened.session.ask("example/twice", '{"number": "x"}')
        assert failed.value.code == -32602

    with_client(mode, server, test)


def _with_meta(mode: str, values: dict[str, Any]) -> Any:
    class Subset(dict[str, Any]):
        def __eq__(self, other: object) -> bool:
            return isinstance(other, dict) and self.items() <= other.items()

    return values if mode == "legacy" else Subset(values)


@ERAS
def test_middleware_sees_every_request_and_may_change_it(mode: str) -> None:
    seen: list[Any] = []

    async def watch(ctx: ServerRequestContext, call_next: Any) -> Any:
        result = await call_next(ctx)
        seen.append((ctx.method, ctx.request_id is not None))
        return result

    async def change(ctx: ServerRequestContext, call_next: Any) -> Any:
        if ctx.method != "tools/call":
            return await call_next(ctx)
        if ctx.params["name"] == "forbidden":  # pyright: ignore
            raise MCPError(-9, "not through here")
        return await call_next(replace(ctx, params={**ctx.params, "arguments": {"a": 5}}))  # pyright: ignore

    server = MCPServer("x", middleware=[watch])
    server.middleware.append(change)

    @server.tool()
    def add(a: int) -> int:
        return a + 1

    @server.tool()
    async def forbidden() -> int:
        return 1

    async def test(opened: Client) -> None:
        assert [tool.name for tool in (await opened.list_tools()).tools] == ["add", "forbidden"]
        result = await opened.call_tool("add", {"a": 1})
        assert (result.structuredContent, result.isError) == ({"result": 6}, False)
        with pytest.raises(MCPError) as refused:
            await opened.call_tool("forbidden")
        assert refused.value.code == -9
        methods = [method for method, _ in seen]
        handshake = ["initialize", "notifications/initialized"] if mode == "legacy" else []
        assert methods[: len(handshake)] == handshake
        assert methods[-2:] == ["tools/list", "tools/call"]
        assert ("notifications/initialized", False) in seen or mode != "legacy"

    with_client(mode, server, test)


@ERAS
def test_middleware_added_to_a_running_server_takes_effect(mode: str) -> None:
    server = MCPServer("x")
    seen: list[str] = []

    @server.tool()
    def add(a: int) -> int:
        return a + 1

    async def watch(ctx: ServerRequestContext, call_next: Any) -> Any:
        seen.append(ctx.method)
        return await call_next(ctx)

    async def test(opened: Client) -> None:
        await opened.list_tools()
        assert seen == []
        server.middleware.append(watch)
        await opened.list_tools(fresh=True)
        await opened.call_tool("add", {"a": 1})
        server.middleware.clear()
        await opened.list_tools(fresh=True)
        assert seen == ["tools/list", "tools/call"]

    with_client(mode, server, test)


class Audit(Extension):
    identifier = "com.example/audit"

    def settings(self) -> dict[str, Any]:
        return {"level": 2}

    def tools(self) -> list[ToolBinding]:
        def audited() -> str:
            return "yes"

        return [ToolBinding(audited, meta={"by": "audit"})]

    def methods(self) -> list[MethodBinding]:
        async def count(ctx: ServerRequestContext, params: OwnParams) -> dict[str, Any]:
            require_client_extension(ctx, "com.example/other")
            return {}

        return [MethodBinding("audit/count", OwnParams, count)]

    async def intercept_tool_call(self, params: Any, ctx: Any, call_next: Any) -> Any:
        if params.name == "stopped":
            return types.CallToolResult(content=[types.TextContent(type="text", text="stopped")])
        return await call_next(ctx)


@ERAS
def test_an_extension_adds_tools_and_methods_and_stands_around_calls(mode: str) -> None:
    server = MCPServer("x", extensions=[Audit()])

    async def test(opened: Client) -> None:
        assert opened.server_capabilities.model_dump()["extensions"] == {"com.example/audit": {"level": 2}}
        assert (await opened.list_tools()).tools[0].meta == {"by": "audit"}
        assert text(await opened.call_tool("audited")) == "yes"
        with pytest.raises(MCPError) as refused:
            await opened.session.ask("audit/count", "{}")
        # The legacy era has no such code.
        assert refused.value.code == (-32600 if mode == "legacy" else -32021)

    with_client(mode, server, test)


def test_an_extension_cannot_take_what_is_not_its_own() -> None:
    with pytest.raises(TypeError, match="com.example/name"):

        class Nameless(Extension):
            identifier = "audit"

    with pytest.raises(ValueError, match="a method of the protocol"):
        MethodBinding("tools/list", OwnParams, lambda ctx, params: None)  # pyright: ignore
    with pytest.raises(ValueError, match="already registered"):
        MCPServer("x", extensions=[Audit(), Audit()])


@pytest.mark.parametrize("fast", [True, False])
def test_hints_for_caching_reach_clients(fast: bool) -> None:
    hint = CacheHint(ttl_ms=60_000, scope="public")
    hints: dict[str, CacheHint] = {"tools/list": hint, "resources/list": hint}
    server = MCPServer("x", fast_path=fast, cache_hints=hints)

    @server.tool()
    def add(a: int) -> int:
        return a

    async def list_resources(ctx: Any, params: Any) -> Any:
        return {"resources": [], "ttlMs": 5, "cacheScope": "private"}

    server._lowlevel_server.add_request_handler("resources/list", types.PaginatedRequestParams, list_resources)

    async def test(opened: Client) -> None:
        found = await opened.list_tools()
        assert (found.model_dump()["ttlMs"], found.model_dump()["cacheScope"]) == (60_000, "public")
        # A handler that says it itself is the one to know.
        kept = await opened.session.ask("resources/list", fresh=True)
        assert (kept["ttlMs"], kept["cacheScope"]) == (5, "private")

    with_client("2026-07-28", server, test)
    with pytest.raises(ValueError, match="tools/call"):
        MCPServer("x", cache_hints={"tools/call": CacheHint()})


def test_options_of_a_transport_are_said_when_it_is_run() -> None:
    server = MCPServer("x")
    with pytest.raises(TypeError, match="stdio has no option 'port'"):
        server.run("stdio", port=1)
    with pytest.raises(TypeError, match="no option 'portt'"):
        server.streamable_http_app(portt=1)  # pyright: ignore
    app = server.streamable_http_app(streamable_http_path="/here", stateless_http=True)
    assert [route.path for route in app.routes] == ["/here"]  # pyright: ignore
    assert server.session_manager.stateless
    assert server.session_manager.security_settings is not None
    open_to_all = server.streamable_http_app(host="0.0.0.0")
    assert open_to_all.routes and server.session_manager.security_settings is None


def test_published_changes_reach_clients_that_listen() -> None:
    server = MCPServer("x")

    @server.tool()
    async def touch(ctx: Context) -> None:
        await ctx.notify_tools_changed()
        await ctx.notify_resource_updated("note://one")

    @server.resource("note://one")
    def one() -> str:
        return "1"

    async def test(opened: Client) -> None:
        async with opened.listen(tools_list_changed=True, resource_subscriptions=["note://one"]) as changes:
            assert changes.honored.toolsListChanged
            await opened.call_tool("touch")
            first, second = await soon(changes.__anext__()), await soon(changes.__anext__())
            assert {type(first).__name__, type(second).__name__} == {"ToolsListChanged", "ResourceUpdated"}

    with_client("2026-07-28", server, test)


HTTP = """
from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver import Context
from starlette.responses import PlainTextResponse

server = MCPServer("x")

@server.tool()
async def look(ctx: Context) -> str:
    return f"{ctx.headers['x-name']} {ctx.request_context.request.method}"

@server.custom_route("/health", methods=["GET"])
async def health(request):
    return PlainTextResponse("fine")

import sys
server.run("streamable-http", port=int(sys.argv[1]), streamable_http_path="/here")
"""


def test_it_is_served_over_http_by_the_engine_with_the_options_of_run() -> None:
    import httpx
    from test_http_server import serving

    with serving(HTTP) as (url, _):

        async def test() -> None:
            async with Client(f"{url}/here", headers={"x-name": "me"}) as opened:
                assert text(await opened.call_tool("look")) == "me POST"

        run(test())
        assert httpx.get(f"{url}/health").text == "fine"
        assert httpx.get(f"{url}/mcp").status_code == 404
