"""Results of low-level servers that are out of the ordinary."""

import asyncio
import json
import math
import subprocess
import sys
from typing import Any

import mcpbolt.types as types
import pytest
from aliased import compat
from bounds import START, WHOLE
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.server.lowlevel import Server
from memory import connected
from peer import official


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


class Silent(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class SilentToModels(ToolError):
    __str__ = Silent.__str__


def failing(kind: Any, error: type[Exception]) -> Any:
    """A server with a tool that raises such an exception."""
    server = kind("failing")

    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        raise error()

    def run_tool() -> str:
        raise error()

    if kind is Server:
        server.call_tool()(call_tool)
    else:
        server.tool(name="any")(run_tool)
    return server


@pytest.mark.parametrize(
    ("kind", "error", "words"),
    [
        (Server, Silent, "Silent, whose message cannot be shown"),
        (FastMCP, Silent, "Error executing tool any: Silent, whose message cannot be shown"),
        (MCPServer, Silent, "Error executing tool any"),
        (MCPServer, SilentToModels, "Error executing tool any: SilentToModels, whose message cannot be shown"),
    ],
    ids=["low-level", "1", "2", "2 for models"],
)
def test_an_exception_without_a_message_is_a_result_too(kind: Any, error: type[Exception], words: str) -> None:
    async def test() -> None:
        async with connected(failing(kind, error)) as client:
            answer = await client.call("any")
            assert answer == {"content": [{"type": "text", "text": words}], "isError": True}

    run(test())


def test_what_cannot_be_put_on_the_stream_fails_alone(caplog: pytest.LogCaptureFixture) -> None:
    server: Server[Any, Any] = Server("numbers")
    long = 10**5000

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> Any:
        session = server.request_context.session
        if name == "asks":
            await session.elicit("?", {"type": "object", "properties": {}, "n": long})
        if name == "tells":
            await session.send_log_message("info", long)
        return [], {"n": long if name == "answers" else 1}

    async def test() -> None:
        async with connected(server) as client:
            answer = await client.ask("tools/call", {"name": "answers", "arguments": {}})
            assert answer["error"]["code"] == -32603
            assert "cannot be put on the stream" in answer["error"]["message"]
            answer = await client.call("asks")
            assert answer["isError"] is True
            assert "cannot be put on the stream" in answer["content"][0]["text"]
            assert (await client.call("tells"))["structuredContent"] == {"n": 1}

    run(test())
    assert "notifications/message was not sent: the message cannot be put on the stream" in caplog.text


# Prints what a client gets of a tool that returns something else than content blocks.
MALFORMED = """
import anyio, json, logging
import mcp.types as t
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_connected_server_and_client_session as connected

logging.disable()
SCHEMA = {"type": "object"}
RESULTS = {
    "text": "hello",
    "texts": ["a"],
    "kind": [{"type": "nope"}],
    "bare": t.TextContent(type="text", text="not in a list"),
    "other": [t.ToolUseContent(type="tool_use", name="a", id="1", input={})],
    "second": [t.TextContent(type="text", text="good"), None],
    "both": (["a"], ["b"]),
    "structure": ([], ["b"]),
    "described": "hello",
    "plain": [{"type": "text", "text": "a block", "_meta": {"a": 1}, "annotations": None}],
    "models": iter([t.TextContent(type="text", text="good")]),
}
server = Server("malformed")

@server.list_tools()
async def tools():
    schemas = {"described": SCHEMA}
    return [t.Tool(name=name, inputSchema=SCHEMA, outputSchema=schemas.get(name)) for name in RESULTS]

@server.call_tool()
async def call(name, arguments):
    return RESULTS[name]

async def main():
    async with connected(server) as session:
        print(json.dumps([[name, (await session.call_tool(name)).model_dump(mode="json")] for name in RESULTS]))

anyio.run(main)
"""


def test_what_is_no_content_is_an_error_in_the_official_words() -> None:
    official()
    done = subprocess.run([sys.executable, "-c", MALFORMED], capture_output=True, text=True, timeout=START)
    expected = json.loads(done.stdout)
    assert [result["isError"] for _, result in expected] == [True] * 9 + [False] * 2
    assert json.loads(compat(MALFORMED)) == expected
    own = [sys.executable, "-c", MALFORMED.replace("mcp.", "mcpbolt.")]
    done = subprocess.run(own, capture_output=True, text=True, timeout=START)
    assert json.loads(done.stdout) == expected, done.stderr
