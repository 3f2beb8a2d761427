"""fastmcp 2 as server and client on mcpbolt: `fastmcp2.py`, and as the server alone `fastmcp2.py serve`.

Run with `python -m mcpbolt.compat --children`. Ends with 0 if one program behaves alike in
memory, on stdio and over HTTP. fastmcp has a `run` and a session class of its own under
its server, and reads the sessions' messages itself.
"""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import mcp
import uvicorn
from fastmcp import Client, Context, FastMCP
from fastmcp.client.transports import PythonStdioTransport
from fastmcp.exceptions import ToolError
from fastmcp.server.auth.providers.jwt import StaticTokenVerifier
from fastmcp.server.middleware import Middleware

SECONDS = 60


class Seen(Middleware):
    """Remembers what came by."""

    def __init__(self) -> None:
        self.greeted: list[str] = []

    async def on_initialize(self, context: Any, call_next: Any) -> Any:
        result = await call_next(context)
        self.greeted.append(result.serverInfo.name)
        return result


seen = Seen()
server = FastMCP("kept", middleware=[seen])


@server.tool
async def add(a: int, b: int, ctx: Context) -> int:
    """Adds, and talks about it."""
    await ctx.info("adding")
    await ctx.report_progress(1, 2)
    return a + b


@server.tool
async def who(ctx: Context) -> str:
    """Asks the user."""
    answer = await ctx.elicit("Who are you?", response_type=str)
    sampled = await ctx.sample("a word")
    roots = [str(root.uri) for root in await ctx.list_roots()]
    return f"{answer.action} {sampled.text} {roots} {seen.greeted}"


@server.tool
def fail() -> None:
    """Fails."""
    raise ToolError("no luck")


@server.resource("note://{name}")
def note(name: str) -> str:
    """A note."""
    return f"note of {name}"


@server.prompt
def greet(name: str) -> str:
    """A greeting."""
    return f"Greet {name}."


async def answer(message: str, kind: Any, params: Any, context: Any) -> Any:
    return {"value": "Ada"}


async def sample(messages: Any, params: Any, context: Any) -> str:
    return "word"


async def exercise(target: Any) -> None:
    said: list[Any] = []

    async def log(message: Any) -> None:
        said.append(message.data["msg"])

    async def progress(done: float, total: float | None, words: str | None) -> None:
        said.append((done, total))

    handlers: Any = {"elicitation_handler": answer, "sampling_handler": sample, "log_handler": log}
    async with Client(target, progress_handler=progress, roots=["file:///here"], **handlers) as client:
        assert await client.ping()
        assert {tool.name for tool in await client.list_tools()} == {"add", "who", "fail"}
        assert (await client.call_tool("add", {"a": 1, "b": 2})).data == 3
        assert said == ["adding", (1, 2)], said
        text = (await client.call_tool("who")).data
        assert text.startswith("accept word ['file:///here'] ['kept'"), text
        answers = await asyncio.gather(*(client.call_tool("add", {"a": n, "b": n}) for n in range(20)))
        assert [found.data for found in answers] == [2 * n for n in range(20)]
        try:
            await client.call_tool("fail")
        except ToolError as error:
            assert "no luck" in str(error), error
        else:
            raise AssertionError("a tool that fails succeeded")
        assert (await client.read_resource("note://one"))[0].text == "note of one"
        assert "Ada" in (await client.get_prompt("greet", {"name": "Ada"})).messages[0].content.text
    async with Client(target) as client:
        try:
            await client.call_tool("who")
        except ToolError as error:
            assert "Elicitation not supported" in str(error), error
        else:
            raise AssertionError("a client without a handler answered")


@asynccontextmanager
async def serving(app: Any) -> AsyncGenerator[str, None]:
    listener = uvicorn.Server(uvicorn.Config(app, port=0, log_level="critical"))
    running = asyncio.ensure_future(listener.serve())
    try:
        while not listener.started:
            await asyncio.sleep(0)
        port = listener.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        listener.should_exit = True
        await running


async def refused(url: str) -> None:
    try:
        async with Client(url):
            raise AssertionError("nobody asked for a token")
    except httpx.HTTPStatusError as error:
        assert error.response.status_code == 401, error


async def main() -> None:
    assert mcp.__spec__.name == "mcpbolt", "the official package was found"
    await exercise(server)
    await exercise(PythonStdioTransport(__file__, args=["serve"], keep_alive=False))
    async with serving(server.http_app(path="/mcp")) as url:
        await exercise(url)
    # A proxy is both sides at once.
    async with serving(FastMCP.as_proxy(Client(server), name="kept").http_app(path="/mcp")) as url:
        async with Client(url) as client:
            assert (await client.call_tool("add", {"a": 3, "b": 4})).data == 7
    guarded = FastMCP("kept", auth=StaticTokenVerifier({"good": {"client_id": "one", "scopes": []}}))
    async with serving(guarded.http_app(path="/mcp")) as url:
        await refused(url)
        async with Client(url, auth="good") as client:
            assert await client.ping()


if sys.argv[1:] == ["serve"]:
    server.run(show_banner=False)
else:
    asyncio.run(asyncio.wait_for(main(), SECONDS))
