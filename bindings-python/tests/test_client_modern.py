"""What a client has of 2.x: questions answered by hand, kept results, changes listened to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any, Literal

import anyio
import pytest
from bounds import LIMIT, WHOLE
from peer import soon, text
from pydantic import BaseModel

from mcpbolt import Client, MCPError, types
from mcpbolt.client.caching import CacheConfig, CacheEntry, CacheKey, InMemoryResponseCacheStore
from mcpbolt.client.extension import ClaimContext, ClientExtension, NotificationBinding, ResultClaim, advertise
from mcpbolt.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcpbolt.server import CacheHint, MCPServer, Server
from mcpbolt.server.mcpserver import Context
from mcpbolt.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcpbolt.shared.subscriptions import ResourceUpdated, ToolsListChanged

MODERN = "2026-07-28"


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def asking() -> MCPServer[Any]:
    server = MCPServer("x")

    def questions(ctx: Context) -> Any:
        if ctx.input_responses is None:
            form = types.ElicitRequestFormParams(message="Who?", requestedSchema={"type": "object", "properties": {}})
            return types.InputRequiredResult(input_requests={"who": types.ElicitRequest(params=form)}, request_state="kept")
        return f"{ctx.input_responses['who'].action} {ctx.request_state}"

    @server.tool()
    def ask(ctx: Context) -> str | types.InputRequiredResult:
        return questions(ctx)

    @server.prompt()
    def greet(ctx: Context) -> Any:
        return questions(ctx)

    @server.resource("note://{name}")
    def note(name: str, ctx: Context) -> Any:
        return questions(ctx)

    return server


async def never(_: Any, params: Any) -> Any:
    raise AssertionError("the program answers by hand")


def test_questions_can_be_answered_by_hand() -> None:
    async def test() -> None:
        async with Client(asking(), mode=MODERN, elicitation_callback=never) as client:
            session = client.session
            for verb, name in ((session.call_tool, "ask"), (session.get_prompt, "greet"), (session.read_resource, "note://a")):
                first: Any = await verb(name, allow_input_required=True)  # pyright: ignore
                assert isinstance(first, types.InputRequiredResult)
                assert list(first.inputRequests or {}) == ["who"]
                answers = {"who": types.ElicitResult(action="decline")}
                last: Any = await verb(name, input_responses=answers, request_state=first.requestState)  # pyright: ignore
                assert "decline kept" in last.model_dump_json()
            with pytest.raises(RuntimeError, match="allow_input_required"):
                await session.call_tool("ask", input_responses={})

    run(test())


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def counting(**options: Any) -> tuple[MCPServer[Any], list[str]]:
    asked: list[str] = []

    async def count(ctx: Any, call_next: Any) -> Any:
        asked.append(ctx.method)
        return await call_next(ctx)

    server = MCPServer("x", middleware=[count], **options)

    @server.tool()
    def add(a: int) -> int:
        return a

    @server.resource("note://one")
    def one() -> str:
        return "1"

    @server.tool()
    async def touch(ctx: Context) -> None:
        await ctx.notify_tools_changed()
        await ctx.notify_resource_updated("note://one")

    return server, asked


HINTS = {"tools/list": CacheHint(ttl_ms=10_000), "resources/read": CacheHint(ttl_ms=10_000, scope="public")}


def test_kept_results_follow_the_config() -> None:
    clock = Clock()
    store = InMemoryResponseCacheStore()
    server, asked = counting(cache_hints=HINTS)
    config = CacheConfig(store=store, partition="ann", target_id="x", clock=clock, share_public=True)

    async def test() -> None:
        async with Client(server, mode=MODERN, cache=config) as client:
            first = await client.list_tools()
            first.tools.clear()  # what is kept is not what was handed out
            assert len((await client.list_tools()).tools) == 2
            await client.read_resource("note://one")
            await client.read_resource("note://one")
            assert (asked.count("tools/list"), asked.count("resources/read")) == (1, 1)
            await client.list_tools(cache_mode="bypass")
            await client.list_tools(cache_mode="refresh")
            assert asked.count("tools/list") == 3
            clock.now += 11
            await client.list_tools()
            assert asked.count("tools/list") == 4
            clock.now -= 11
        bob = CacheConfig(store=store, partition="bob", target_id="x", clock=clock, share_public=True)
        async with Client(server, mode=MODERN, cache=bob) as other:
            before = list(asked)
            await other.read_resource("note://one")
            assert asked == before, "what is public is shared"
            await other.list_tools()
            assert asked[len(before):] == ["tools/list"], "what is private is not"

    run(test())


def test_changes_that_are_listened_to_empty_the_cache() -> None:
    server, asked = counting(cache_hints=HINTS)

    async def test() -> None:
        async with Client(server, mode=MODERN, cache=CacheConfig()) as client:
            await client.list_tools()
            await client.read_resource("note://one")
            listening = client.listen(tools_list_changed=True, resource_subscriptions=["note://one"])
            async with listening as changes:
                assert changes.honored.toolsListChanged and changes.subscription_id is not None
                await client.call_tool("touch")
                seen = {await soon(changes.__anext__()), await soon(changes.__anext__())}
                assert seen == {ToolsListChanged(), ResourceUpdated("note://one")}
                await client.list_tools()
                await client.read_resource("note://one")
            assert (asked.count("tools/list"), asked.count("resources/read")) == (2, 2)

    run(test())


def test_a_store_that_fails_costs_a_question_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(InMemoryResponseCacheStore):
        async def get(self, key: CacheKey) -> CacheEntry | None:
            raise OSError("the disk is gone")

    server, asked = counting(cache_hints=HINTS)
    config = CacheConfig(store=Broken(), partition="ann", target_id="x")

    async def test() -> None:
        async with Client(server, mode=MODERN, cache=config) as client:
            assert len((await client.list_tools()).tools) == 2
            assert len((await client.list_tools()).tools) == 2

    run(test())
    assert asked.count("tools/list") == 2
    assert "the disk is gone" in caplog.text


def test_a_config_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="partition"):
        CacheConfig(store=InMemoryResponseCacheStore())
    with pytest.raises(ValueError, match="default_ttl_ms"):
        CacheConfig(default_ttl_ms=-1)
    with pytest.raises(ValueError, match="target_id"):
        Client(MCPServer("x"), cache=CacheConfig(store=InMemoryResponseCacheStore(), partition="p"))


def test_listening_needs_the_modern_era_and_ends_with_the_server() -> None:
    server, _ = counting()

    async def test() -> None:
        async with Client(server, mode="legacy") as client:
            with pytest.raises(ListenNotSupportedError, match="2025-11-25"):
                async with client.listen(tools_list_changed=True):
                    pass
        client = Client(server, mode=MODERN)
        await client.connect()
        async with client.listen(tools_list_changed=True) as changes:
            with pytest.raises(TypeError, match="sequence"):
                async with client.listen(resource_subscriptions="note://one"):
                    pass
            await client.close()
            with pytest.raises((SubscriptionLost, StopAsyncIteration)):
                await soon(changes.__anext__())

    run(test())


def test_a_resource_stays_watched_and_counts_as_changed_when_the_server_ends_the_stream() -> None:
    bus = InMemorySubscriptionBus()
    first, second = ListenHandler(bus), ListenHandler(bus)
    asked = 0

    async def listen(ctx: Any, params: Any) -> Any:
        nonlocal asked
        asked += 1
        return await (first if asked == 1 else second)(ctx, params)

    heard = asyncio.Event()

    async def handler(message: Any) -> None:
        if getattr(getattr(message, "root", None), "method", None) == "notifications/resources/updated":
            heard.set()

    async def test() -> None:
        server = Server("x", on_subscriptions_listen=listen)
        async with Client(server, mode=MODERN, message_handler=handler) as client:
            await soon(client.subscribe_resource("a://b"))
            first.close()
            await soon(heard.wait())
            assert asked == 2

    run(test())


def test_watching_a_resource_has_the_limit_of_the_session() -> None:
    heard, ended = asyncio.Event(), asyncio.Event()

    async def listen(ctx: Any, params: Any) -> Any:
        heard.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def test() -> None:
        server = Server("x", on_subscriptions_listen=listen)
        async with Client(server, mode=MODERN, read_timeout_seconds=0.05) as client:
            with pytest.raises(TimeoutError, match="Waited 0.05 seconds"):
                await soon(client.subscribe_resource("a://b"))
            # It was asked, and is not asked any more.
            await soon(heard.wait())
            await soon(ended.wait())

    run(test())


def test_a_server_without_listening_says_what_it_honours() -> None:
    server = MCPServer("x", subscriptions=False)

    async def test() -> None:
        async with Client(server, mode=MODERN) as client:
            try:
                async with client.listen(tools_list_changed=True) as changes:
                    assert not changes.honored.toolsListChanged
            except MCPError as error:
                assert error.code == -32601

    run(test())


class Receipt(types.Result):
    resultType: Literal["com.example/receipt"] = "com.example/receipt"  # pyright: ignore
    number: int


class Told(BaseModel):
    words: str


class Receipts(ClientExtension):
    identifier = "com.example/receipts"

    def __init__(self) -> None:
        self.told: list[str] = []
        self.heard = asyncio.Event()

    def settings(self) -> dict[str, Any]:
        return {"version": 1}

    def claims(self) -> list[ResultClaim[Any]]:
        async def resolve(receipt: Receipt, context: ClaimContext) -> types.CallToolResult:
            found = await context.session.ask("receipts/get", f'{{"number": {receipt.number}}}')
            words = f"{context.tool_name} {found['words']}"
            return types.CallToolResult(content=[types.TextContent(type="text", text=words)])

        return [ResultClaim("com.example/receipt", Receipt, resolve)]

    def notifications(self) -> list[NotificationBinding[Any]]:
        async def take(params: Told) -> None:
            self.told.append(params.words)
            self.heard.set()

        return [NotificationBinding("notifications/receipts/told", Told, take)]


def test_an_extension_is_shown_and_finishes_results_of_its_own() -> None:
    class Wanted(types.RequestParams):
        number: int

    async def call_tool(ctx: Any, params: Any) -> Any:
        assert ctx.session.client_capabilities.model_dump()["extensions"] == {"com.example/receipts": {"version": 1}}
        return {"resultType": "com.example/receipt", "number": 7}

    async def get(ctx: Any, params: Wanted) -> Any:
        return {"words": f"number {params.number}"}

    server = Server("x", on_call_tool=call_tool, on_list_tools=_no_tools)
    server.add_request_handler("receipts/get", Wanted, get)

    async def test() -> None:
        async with Client(server, mode=MODERN, extensions=[Receipts(), advertise("com.example/other")][:1]) as client:
            result: Any = await client.call_tool("buy")
            assert result.content[0].text == "buy number 7"

    run(test())


async def _no_tools(ctx: Any, params: Any) -> Any:
    return types.ListToolsResult(tools=[])


def test_an_extension_sees_its_notifications() -> None:
    server = MCPServer("x")

    @server.tool()
    async def tell(ctx: Context) -> None:
        await ctx.session._tell("notifications/receipts/told", {"words": "here"}, ctx.request_context.request_id)

    async def test() -> None:
        receipts = Receipts()
        async with Client(server, mode="legacy", extensions=[receipts]) as client:
            await client.call_tool("tell")
            await soon(receipts.heard.wait())
        assert receipts.told == ["here"]

    run(test())


def test_extensions_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="more than once"):
        Client(MCPServer("x"), extensions=[Receipts(), Receipts()])
    with pytest.raises(ValueError, match="core protocol"):
        ResultClaim("complete", Receipt, lambda *_: None)  # pyright: ignore
    with pytest.raises(TypeError, match="com.example/name"):
        advertise("nameless")


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_handlers_by_keyword_and_listening_work_on_either_loop(backend: str) -> None:
    bus = InMemorySubscriptionBus()
    methods: list[str] = []

    async def call_tool(ctx: Any, params: Any) -> Any:
        return types.CallToolResult(content=[types.TextContent(type="text", text=ctx.protocol_version)])

    async def watch(ctx: Any, call_next: Any) -> Any:
        methods.append(ctx.method)
        return await call_next(ctx)

    server = Server("x", on_list_tools=_no_tools, on_call_tool=call_tool, on_subscriptions_listen=ListenHandler(bus))
    server.middleware.append(watch)

    async def test() -> None:
        with anyio.fail_after(LIMIT):
            for mode, revision in (("legacy", "2025-11-25"), (MODERN, MODERN)):
                async with Client(server, mode=mode) as client:
                    assert text(await client.call_tool("a")) == revision
            async with Client(server, mode=MODERN) as client:
                async with client.listen(tools_list_changed=True) as changes:
                    await bus.publish(ToolsListChanged())
                    assert await soon(changes.__anext__()) == ToolsListChanged()

    anyio.run(test, backend=backend)
    assert methods.count("tools/call") == 2 and methods[0] == "initialize"


@pytest.mark.parametrize("mode", ["legacy", MODERN])
def test_a_uri_given_as_text_is_asked_for_as_it_is_written(mode: str) -> None:
    asked: list[Any] = []

    async def read(ctx: Any, params: Any) -> Any:
        asked.append(ctx.params["uri"])
        return types.ReadResourceResult(contents=[])

    server = Server("x", on_read_resource=read)

    async def test() -> None:
        async with Client(server, mode=mode) as client:
            # Another text for each would be another resource to a server that compares text.
            for uri in ("https://example.com", "file:///a/../b", types.AnyUrl("https://example.com"), "file:///a b"):
                await client.read_resource(uri)

    run(test())
    assert asked == ["https://example.com", "file:///a/../b", "https://example.com/", "file:///a%20b"]
