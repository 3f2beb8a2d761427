"""Calls of tools that were not listed: how often the client asks for a list."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcpbolt.types as types
import pytest
from bounds import WHOLE
from mcpbolt.client import Client
from mcpbolt.server.lowlevel import Server
from mcpbolt.shared.exceptions import McpError
from mcpbolt.v2 import Client as ClientOf2

CALLS = 50
COUNT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
EITHER = pytest.mark.parametrize("client_of", [Client, ClientOf2])


class Listed:
    """A server whose lists of tools are counted, each of which does what the test says."""

    def __init__(self, *lists: Callable[[], Awaitable[list[types.Tool]]]) -> None:
        self.asked = self.called = 0
        self.all_called = asyncio.Event()
        self.lists = list(lists)
        self.server: Server[Any, Any] = Server("listed")

        # Not with its decorators: with these the server asks for its own list too.
        self.server.request_handlers[types.ListToolsRequest] = self.list_tools
        self.server.request_handlers[types.CallToolRequest] = self.call_tool

    async def list_tools(self, request: types.ListToolsRequest) -> types.ServerResult:
        self.asked += 1
        tools = await self.lists[min(self.asked, len(self.lists)) - 1]()
        return types.ServerResult(types.ListToolsResult(tools=tools))

    async def call_tool(self, request: types.CallToolRequest) -> types.ServerResult:
        self.called += 1
        if self.called == CALLS:
            self.all_called.set()
        return types.ServerResult(types.CallToolResult(content=[], structuredContent=request.params.arguments))


async def count() -> list[types.Tool]:
    return [types.Tool(name="count", inputSchema={"type": "object"}, outputSchema=COUNT)]


async def nothing() -> list[types.Tool]:
    return []


async def refused() -> list[types.Tool]:
    raise McpError(types.ErrorData(code=-32000, message="no list now"))


async def outcomes(client: Any, arguments: list[dict[str, Any]]) -> list[Any]:
    calls = [client.call_tool("count", one) for one in arguments]
    return await asyncio.gather(*calls, return_exceptions=True)


def run(test: Any) -> None:
    asyncio.run(asyncio.wait_for(test, WHOLE))


@EITHER
def test_calls_at_the_same_time_share_one_list(client_of: Any) -> None:
    # differs: one-list
    listed = Listed(count)

    async def test() -> None:
        async with client_of(listed.server, mode="legacy") as client:
            found = await outcomes(client, [{"n": n} for n in range(CALLS)] + [{"n": "many"}])
        assert [str(one) for one in found if isinstance(one, Exception)] == [str(found[-1])]
        assert str(found[-1]).startswith("Invalid structured content returned by tool count: 'many' is not")

    run(test())
    assert listed.asked == 1


@EITHER
def test_a_tool_that_appears_during_a_list_is_found_by_the_next(client_of: Any) -> None:
    listed = Listed(nothing, count)

    async def test() -> None:
        async with client_of(listed.server, mode="legacy") as client:
            found = await outcomes(client, [{"n": "many"}] * CALLS)
        # The first asked for the list without the tool, which is all that it knows.
        assert [isinstance(one, RuntimeError) for one in found] == [False] + [True] * (CALLS - 1)

    run(test())
    assert listed.asked == 2


def test_a_tool_that_is_never_listed_costs_two_lists(caplog: pytest.LogCaptureFixture) -> None:
    listed = Listed(nothing)

    async def test() -> None:
        async with Client(listed.server, mode="legacy") as client:
            found = await outcomes(client, [{"n": 1}] * CALLS)
        assert [one.structuredContent for one in found] == [{"n": 1}] * CALLS

    run(test())
    assert listed.asked == 2
    assert caplog.text.count("Tool count not listed by server") == CALLS


def test_a_list_that_fails_is_the_error_of_the_call_that_asked() -> None:
    listed = Listed(refused, count)

    async def test() -> None:
        async with Client(listed.server, mode="legacy") as client:
            found = await outcomes(client, [{"n": n} for n in range(CALLS)])
        assert isinstance(found[0], McpError)
        assert found[0].error.message == "no list now"
        assert [one.structuredContent for one in found[1:]] == [{"n": n} for n in range(1, CALLS)]

    run(test())
    assert listed.asked == 2


def test_where_every_list_fails_every_call_says_so() -> None:
    listed = Listed(refused)

    async def test() -> None:
        async with Client(listed.server, mode="legacy") as client:
            found = await outcomes(client, [{"n": 1}] * CALLS)
        assert [one.error.message for one in found] == ["no list now"] * CALLS

    run(test())


def test_calls_go_on_when_the_one_that_asked_is_cancelled() -> None:
    asked, never = asyncio.Event(), asyncio.Event()

    async def held() -> list[types.Tool]:
        asked.set()
        await never.wait()
        return []

    listed = Listed(held, count)

    async def test() -> None:
        async with Client(listed.server, mode="legacy") as client:
            first = asyncio.ensure_future(client.call_tool("count", {"n": 0}))
            await asked.wait()
            others = asyncio.ensure_future(outcomes(client, [{"n": n} for n in range(1, CALLS)]))
            await listed.all_called.wait()
            first.cancel()
            found = await others
        assert [one.structuredContent for one in found] == [{"n": n} for n in range(1, CALLS)]
        with pytest.raises(asyncio.CancelledError):
            await first

    run(test())
    assert listed.asked == 2


def test_calls_share_a_list_on_trio_too() -> None:
    listed = Listed(count)
    pytest.importorskip("trio")

    async def test() -> None:
        async with Client(listed.server, mode="legacy") as client, anyio.create_task_group() as group:
            for n in range(CALLS):
                group.start_soon(client.call_tool, "count", {"n": n})

    anyio.run(test, backend="trio")
    assert listed.asked == 1
