"""Our servers and the official client, 1.30, over each transport."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from bounds import WHOLE
from http_servers import ASGI, ENGINE, SSE, serving
from stdio_servers import FAST

pytest.importorskip("mcp.client.session", reason="the official package is not installed")
types = pytest.importorskip("mcp.types")
if types.LATEST_PROTOCOL_VERSION != "2025-11-25":
    pytest.skip("the official package is not 1.30", allow_module_level=True)
from mcp import ClientSession, McpError, StdioServerParameters, stdio_client  # noqa: E402
from mcp.client.sse import sse_client  # noqa: E402
from mcp.client.streamable_http import streamable_http_client  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
SECONDS = timedelta(seconds=5)


async def answer_form(_: Any, params: Any) -> Any:
    return types.ElicitResult(action="accept", content={"name": "Ann"})


async def answer_roots(_: Any) -> Any:
    return types.ListRootsResult(roots=[types.Root(uri="file:///project")])


@asynccontextmanager
async def session_on(streams: Any, **callbacks: Any) -> AsyncGenerator[ClientSession, None]:
    async with ClientSession(
        *streams[:2],
        read_timeout_seconds=SECONDS,
        elicitation_callback=answer_form,
        list_roots_callback=answer_roots,
        **callbacks,
    ) as session:
        await session.initialize()
        yield session


def run(test: Any) -> None:
    asyncio.run(asyncio.wait_for(test, WHOLE))


def test_stdio() -> None:
    async def test() -> None:
        told: list[Any] = []
        logged: list[Any] = []

        async def progress(done: float, total: float | None, message: str | None) -> None:
            told.append((done, total, message))

        async def log(params: Any) -> None:
            logged.append((params.level, params.data))

        parameters = StdioServerParameters(command=sys.executable, args=["-c", FAST], env=dict(os.environ))
        async with stdio_client(parameters) as streams, session_on(streams, logging_callback=log) as session:
            assert [tool.name for tool in (await session.list_tools()).tools][:2] == ["add", "later"]
            result = await session.call_tool("add", {"a": 1})
            assert (result.structuredContent, result.isError) == ({"result": 2}, False)
            assert (await session.call_tool("nope")).isError
            assert (await session.call_tool("add", {"a": "x"})).content[0].text.startswith("Error executing tool add: 1")
            noisy = await session.call_tool("noisy", {}, progress_callback=progress)
            assert not noisy.isError
            assert told == [(1, 2, "step"), (2, 2, "step")]
            assert logged == [("info", "said")]
            asked = await session.call_tool("ask", {})
            assert asked.content[0].text == "accept name='Ann' file:///project"
            read = await session.read_resource("note://one")
            assert read.contents[0].text == "first"
            with pytest.raises(McpError) as failed:
                await session.read_resource("note://none")
            assert failed.value.error.code == -32002
            prompt = await session.get_prompt("greet", {"name": "Ann"})
            assert prompt.messages[0].content.text == "Hello Ann x1"
            await session.send_ping()

    run(test())


ASKING = """
import asyncio
from mcpbolt import types
from mcpbolt.server.fastmcp import Context, FastMCP

server = FastMCP("asking")

@server.tool()
async def ask(ctx: Context) -> str:
    told = asyncio.Queue()

    async def hear(done, total, message):
        told.put_nowait((done, total, message))

    params = types.CreateMessageRequestParams(messages=[], maxTokens=1)
    request = types.ServerRequest(types.CreateMessageRequest(method="sampling/createMessage", params=params))
    answer = await ctx.session.send_request(request, types.CreateMessageResult, progress_callback=hear)
    return f"{answer.content.text} {await asyncio.wait_for(told.get(), 5)}"

server.run()
"""


def test_a_server_hears_how_far_a_client_is_with_its_question() -> None:
    async def sample(context: Any, params: Any) -> Any:
        await context.session.send_progress_notification(params.meta.progressToken, 1, 2, "half")
        content = types.TextContent(type="text", text="said")
        return types.CreateMessageResult(role="assistant", content=content, model="m")

    async def test() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=["-c", ASKING], env=dict(os.environ))
        async with stdio_client(parameters) as streams, session_on(streams, sampling_callback=sample) as session:
            asked = await session.call_tool("ask", {})
            assert asked.content[0].text == "said (1.0, 2.0, 'half')"

    run(test())


@pytest.mark.parametrize("program", [ENGINE, ASGI], ids=["engine", "asgi"])
def test_streamable_http(program: str) -> None:
    async def test(url: str) -> None:
        async with streamable_http_client(f"{url}/mcp") as streams, session_on(streams) as session:
            results = await asyncio.gather(*(session.call_tool("add", {"a": n}) for n in range(50)))
            assert [result.structuredContent for result in results] == [{"result": n + 1} for n in range(50)]
            asked = await session.call_tool("ask", {})
            assert asked.content[0].text == "accept Ann"

    with serving(program) as (url, _):
        run(test(url))


def test_sse() -> None:
    async def test(url: str) -> None:
        async with sse_client(f"{url}/sse") as streams, session_on(streams) as session:
            assert (await session.call_tool("add", {"a": 1})).structuredContent == {"result": 2}
            asked = await session.call_tool("ask", {})
            assert asked.content[0].text == "accept Ann"

    with serving(SSE) as (url, _):
        run(test(url))
