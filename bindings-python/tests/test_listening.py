"""Servers whose program answers `subscriptions/listen` itself, and what of it the engine does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import pytest
from aliased import compat
from bounds import WHOLE
from peer import soon

from mcpbolt import Client, MCPError, types
from mcpbolt.client.subscriptions import SubscriptionLost
from mcpbolt.server import MCPServer, Server
from mcpbolt.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcpbolt.shared.subscriptions import SUBSCRIPTION_ID_META_KEY, ResourceUpdated, ToolsListChanged

MODERN = "2026-07-28"
INTERNAL_ERROR = -32603


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def test_a_program_acknowledges_tells_and_ends_a_subscription_itself() -> None:
    bus = InMemorySubscriptionBus()
    stock, seen = ListenHandler(bus), []

    async def listen(ctx: Any, params: Any) -> Any:
        seen.append(ctx.request_id)
        return await stock(ctx, params)

    server = Server("x", on_subscriptions_listen=listen)

    async def test() -> None:
        async with Client(server, mode=MODERN) as client:
            async with client.listen(tools_list_changed=True, resource_subscriptions=["a://b"]) as changes:
                assert seen == [changes.subscription_id]
                assert changes.honored.resourceSubscriptions == ["a://b"]
                await bus.publish(ResourceUpdated("a://c"))
                await bus.publish(ToolsListChanged())
                await bus.publish(ResourceUpdated("a://b"))
                stock.close()
                assert [change async for change in changes] == [ToolsListChanged(), ResourceUpdated("a://b")]

    run(test())


def test_an_error_after_the_acknowledgement_breaks_a_subscription_off() -> None:
    proceed = asyncio.Event()

    async def listen(ctx: Any, params: Any) -> Any:
        told = {"notifications": {"toolsListChanged": True}, "_meta": {SUBSCRIPTION_ID_META_KEY: ctx.request_id}}
        ack = types.SubscriptionsAcknowledgedNotification.model_validate(
            {"method": "notifications/subscriptions/acknowledged", "params": told}
        )
        await ctx.session.send_notification(ack, related_request_id=ctx.request_id)
        await proceed.wait()
        raise MCPError(INTERNAL_ERROR, "torn down")

    async def test() -> None:
        async with Client(Server("x", on_subscriptions_listen=listen), mode=MODERN) as client:
            async with client.listen(tools_list_changed=True) as changes:
                proceed.set()
                with pytest.raises(SubscriptionLost):
                    await soon(changes.__anext__())

    run(test())


def test_a_handler_bounds_its_subscriptions_and_what_waits_in_them() -> None:
    bus = InMemorySubscriptionBus()
    stock = ListenHandler(bus, max_subscriptions=1, max_buffered_events=2)

    async def listen(ctx: Any, params: Any) -> Any:
        return await stock(ctx, params)

    async def test() -> None:
        async with Client(Server("x", on_subscriptions_listen=listen), mode=MODERN) as client:
            async with client.listen(resource_subscriptions=["a://0", "a://1", "a://2"]) as changes:
                with pytest.raises(MCPError, match="limit"):
                    async with client.listen(tools_list_changed=True):
                        pass
                # Without a turn of the loop between them.
                await asyncio.gather(*(bus.publish(ResourceUpdated(f"a://{n}")) for n in range(3)))
                assert [change.uri async for change in changes] == ["a://0", "a://1"]  # pyright: ignore
            async with client.listen(tools_list_changed=True):
                """There is room again."""

    run(test())


def test_middleware_may_refuse_a_subscription() -> None:
    async def gate(ctx: Any, call_next: Any) -> Any:
        if ctx.method == "subscriptions/listen" and "a://secret" in ctx.params["notifications"]["resourceSubscriptions"]:
            raise MCPError(-32600, "not for you")
        return await call_next(ctx)

    server = MCPServer("x", middleware=[gate])

    async def test() -> None:
        async with Client(server, mode=MODERN) as client:
            async with client.listen(resource_subscriptions=["a://open"]) as changes:
                await server.bus.publish(ResourceUpdated("a://open"))
                assert await soon(changes.__anext__()) == ResourceUpdated("a://open")
            with pytest.raises(MCPError, match="not for you"):
                async with client.listen(resource_subscriptions=["a://open", "a://secret"]):
                    pass

    run(test())


def test_a_server_without_subscriptions_declares_nothing_and_refuses_them() -> None:
    server = MCPServer("x", subscriptions=False)

    async def test() -> None:
        async with Client(server, mode=MODERN) as client:
            told = client.server_capabilities
            assert told is not None and told.tools is not None and told.resources is not None
            assert not (told.tools.listChanged or told.resources.listChanged or told.resources.subscribe)
            with pytest.raises(MCPError) as refused:
                async with client.listen(tools_list_changed=True):
                    pass
            assert refused.value.error.code == -32601

    run(test())


OF_2 = """
import anyio, httpx, json
from mcp.server import Server
from mcp.server.mcpserver import MCPServer
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from mcp.types import CallToolResult, TextContent

INIT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
HEADERS = {"accept": "application/json, text/event-stream"}

async def call_tool(ctx, params):
    return CallToolResult(content=[TextContent(text=str(ctx.meta["progress_token"]))])

server = Server("x", on_call_tool=call_tool, on_subscriptions_listen=ListenHandler(InMemorySubscriptionBus()))
app = server.streamable_http_app(json_response=True)

async def main():
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000")
    async def ask(number, method, params, **headers):
        body = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        return await client.post("/mcp", json=body, headers={**HEADERS, **headers})
    async with client, server.session_manager.run():
        instances = server.session_manager._server_instances
        ids = [(await ask(1, "initialize", INIT)).headers["mcp-session-id"] for _ in range(2)]
        print(sorted(instances) == sorted(ids), len(instances))
        session = {"mcp-session-id": ids[0]}
        answer = await ask(2, "tools/call", {"name": "a", "_meta": {"progressToken": 7}}, **session)
        print(answer.json()["result"]["content"][0]["text"])
        print((await ask(3, "tools/call", {"name": 42}, **session)).json()["error"]["message"])
        print((await ask(4, "prompts/list", {}, **session)).json()["error"])
        await instances[ids[0]].terminate()
        print(list(instances) == ids[1:], (await ask(5, "ping", {}, **session)).status_code)

anyio.run(main)
"""


def test_a_server_of_2_has_a_live_view_of_its_sessions() -> None:
    printed = compat(OF_2, "--api", "2").splitlines()
    not_found = "{'code': -32601, 'message': 'Method not found', 'data': 'prompts/list'}"
    assert printed == ["True 2", "7", "Invalid request parameters", not_found, "True 404"]
