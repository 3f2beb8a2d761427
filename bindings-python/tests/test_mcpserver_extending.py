"""What may be put around, beside and into a server of the 2.x kind: handlers, middleware, extensions, hints."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import pytest
from eras import ERAS, client, run, with_client
from peer import soon, text
from pydantic import AnyHttpUrl

from mcpbolt import Client, MCPError, types
from mcpbolt.server import CacheHint, MCPServer, Server, ServerRequestContext
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.mcpserver import Context, Extension, MethodBinding, ToolBinding, require_client_extension
from mcpbolt.server.mcpserver.exceptions import ToolError


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
        words = "it broke" if mode == "legacy" else "Internal server error"
        assert (failed.value.code, failed.value.message) == (-32603, words)
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


class Echoed(types.Result):
    ok: bool


@ERAS
def test_middleware_sees_and_may_answer_what_nobody_handles(mode: str) -> None:
    seen: list[str] = []

    async def answer(ctx: ServerRequestContext, call_next: Any) -> Any:
        seen.append(ctx.method)
        return {"ok": True} if ctx.method == "example/echo" else await call_next(ctx)

    async def test(opened: Client) -> None:
        async def ask(method: str) -> Any:
            request: Any = types.Request[Any, str](method=method, params=None)
            return await opened.session.send_request(request, Echoed)

        assert (await ask("example/echo")).ok
        with pytest.raises(MCPError) as refused:
            await ask("example/none")
        assert refused.value.code == -32601
        assert seen[-2:] == ["example/echo", "example/none"]

    with_client(mode, MCPServer("x", middleware=[answer]), test)


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
    from http_servers import serving

    with serving(HTTP) as (url, _):

        async def test() -> None:
            async with Client(f"{url}/here", headers={"x-name": "me"}) as opened:
                assert text(await opened.call_tool("look")) == "me POST"

        run(test())
        assert httpx.get(f"{url}/health").text == "fine"
        assert httpx.get(f"{url}/mcp").status_code == 404


def test_modern_clients_learn_of_an_exception_in_a_handler_only_that_there_was_one(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def call(_: Any, params: Any) -> Any:
        if params.name == "refuse":
            raise MCPError(-5, "no")
        raise KeyError("a secret")

    server = Server("x", "1", on_call_tool=call)

    async def asked(mode: str, name: str) -> tuple[int, str]:
        async with client(server, mode) as opened:
            with pytest.raises(MCPError) as failed:
                await opened.call_tool(name)
        return failed.value.code, failed.value.message

    with caplog.at_level("ERROR", "mcp.server.lowlevel.server"):
        assert run(asked("2026-07-28", "crash")) == (-32603, "Internal server error")
    (record,) = caplog.records
    assert record.exc_info and isinstance(record.exc_info[1], KeyError)
    assert run(asked("2026-07-28", "refuse")) == (-5, "no")
    # As in 2.x, whose servers tell clients of the handshake eras what they always told them.
    assert run(asked("legacy", "crash"))[1] == "'a secret'"


def test_a_server_over_http_asks_for_tokens() -> None:
    import httpx

    from mcpbolt.server.auth.provider import AccessToken
    from mcpbolt.server.auth.settings import AuthSettings

    class Verifier:
        async def verify_token(self, token: str) -> AccessToken | None:
            return AccessToken(token=token, client_id="me", scopes=["read"]) if token == "good" else None

    settings = AuthSettings(
        issuer_url=AnyHttpUrl("https://issuer.example"),
        resource_server_url=AnyHttpUrl("http://127.0.0.1:8000/mcp"),
        validate_token_resource=False,
    )
    app = Server("x", "1", on_list_tools=list_tools).streamable_http_app(auth=settings, token_verifier=Verifier())

    async def test() -> None:
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as asking,
        ):
            document = "/.well-known/oauth-protected-resource/mcp"
            headers = {"accept": "application/json, text/event-stream"}
            refused = await asking.post("/mcp", json={}, headers=headers)
            assert refused.status_code == 401 and document in refused.headers["www-authenticate"]
            assert (await asking.get(document)).json()["authorization_servers"] == ["https://issuer.example/"]
            passed = await asking.post("/mcp", json={}, headers={**headers, "authorization": "Bearer good"})
            assert passed.status_code == 400

    run(test())


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
@pytest.mark.parametrize("threads", [True, False])
def test_who_overrides_calls_still_has_tools_where_the_server_says(kind: Any, threads: bool) -> None:
    class Counting(kind):  # type: ignore[misc]
        async def call_tool(self, *args: Any, **more: Any) -> Any:
            return await super().call_tool(*args, **more)

    server = Counting("x", sync_in_thread=threads)
    ran: list[bool] = []

    @server.tool()
    def where() -> str:
        ran.append(threading.current_thread() is threading.main_thread())
        return "here"

    async def test(opened: Client) -> None:
        assert text(await opened.call_tool("where")) == "here"

    with_client("legacy", server, test)
    assert ran == [not threads]


class Failing(Extension):
    identifier = "com.example/failing"

    async def intercept_tool_call(self, params: Any, ctx: Any, call_next: Any) -> Any:
        raise RuntimeError("password=hunter2")


async def fail(ctx: ServerRequestContext, call_next: Any) -> Any:
    if ctx.method == "tools/call":
        raise RuntimeError("password=hunter2")
    return await call_next(ctx)


@ERAS
@pytest.mark.parametrize("around", [{"middleware": [fail]}, {"extensions": [Failing()]}])
def test_what_fails_around_a_tool_is_not_told_to_modern_clients(mode: str, around: Any) -> None:
    server = MCPServer("x", **around)

    @server.tool()
    def add() -> int:
        return 1

    async def test(opened: Client) -> None:
        with pytest.raises(MCPError) as failed:
            await opened.call_tool("add")
        words = "password=hunter2" if mode == "legacy" else "Internal server error"
        assert (failed.value.code, failed.value.message) == (-32603, words)

    with_client(mode, server, test)


async def passing(ctx: ServerRequestContext, call_next: Any) -> Any:
    return await call_next(ctx)


@ERAS
def test_what_handlers_mean_for_clients_passes_middleware(mode: str) -> None:
    modern, older = MCPServer("x", middleware=[passing]), FastMCP("y")
    older._mcp_server.middleware.append(passing)

    async def test(opened: Client) -> None:
        failed = await opened.call_tool("fail")
        assert failed.isError and "not on Sundays" in text(failed)
        with pytest.raises(MCPError, match="no prompt today"):
            await opened.get_prompt("ask")

    for server in (modern, older):

        @server.tool()
        def fail() -> int:
            raise ToolError("not on Sundays")

        @server.prompt()
        def ask() -> str:
            raise MCPError(-7, "no prompt today")

        with_client(mode, server, test)
