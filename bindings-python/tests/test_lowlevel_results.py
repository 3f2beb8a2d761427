"""Results of low-level servers that are out of the ordinary."""

import asyncio
import math
from typing import Any

import mcpbolt.types as types
import pytest
from bounds import WHOLE
from mcpbolt.server.lowlevel import Server
from memory import connected


def run(test: Any) -> None:
    asyncio.run(asyncio.wait_for(test, WHOLE))


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ({"twice": math.nan}, "structuredContent.twice is nan: JSON has no such number"),
        ({"deep": [{"x": math.inf}]}, "structuredContent.deep[0].x is inf: JSON has no such number"),
        (([], {"twice": -math.inf}), "structuredContent.twice is -inf: JSON has no such number"),
        (
            types.CallToolResult(content=[], structuredContent={"x": math.nan}),
            "structuredContent.x is nan: JSON has no such number",
        ),
    ],
)
def test_a_number_that_json_does_not_have_is_a_named_error(result: Any, words: str) -> None:
    server: Server[Any, Any] = Server("numbers")

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        return result

    async def test() -> None:
        async with connected(server) as client:
            answer = await client.call("any")
            assert answer["isError"] is True
            assert answer["content"][0]["text"].startswith(words)

    run(test())


def test_half_a_character_in_an_exception_is_a_result_too() -> None:
    server: Server[Any, Any] = Server("halves")

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        raise ValueError("half \ud83d of it")

    @server.read_resource()
    async def read_resource(uri: Any) -> Any:
        raise ValueError("half \ud83d of it")

    async def test() -> None:
        async with connected(server) as client:
            answer = await client.call("any")
            assert answer == {"content": [{"type": "text", "text": "half \ufffd of it"}], "isError": True}
            answer = await client.ask("resources/read", {"uri": "a://b"})
            assert "half \ufffd of it" in answer["error"]["message"]

    run(test())
