"""Functions that ask in rounds, what they learn of the client, and what clients are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from bounds import LIMIT, WHOLE
from ports import free_port

from mcpbolt import Client, McpError, types
from mcpbolt.client.sse import sse_client
from mcpbolt.server import NotificationOptions
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.fastmcp.exceptions import ResourceError
from mcpbolt.server.fastmcp.resources import TextResource
from mcpbolt.types import ElicitResult, InputRequest, InputRequiredResult

ERAS = pytest.mark.parametrize("mode", ["auto", "legacy"])


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


async def agree(_: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"name": "Ada"})


def name_please(state: str | None = None) -> InputRequiredResult:
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    question = InputRequest(method="elicitation/create", params={"message": "Who?", "requestedSchema": schema})
    return InputRequiredResult(inputRequests={"who": question}, requestState=state)


def name_of(ctx: Context[Any, Any, Any]) -> str | None:
    answer = (ctx.input_responses or {}).get("who")
    return answer.content["name"] if isinstance(answer, ElicitResult) and answer.content else None


def asking() -> FastMCP[Any]:
    mcp: FastMCP[Any] = FastMCP("rounds")

    @mcp.tool()
    async def greet(ctx: Context[Any, Any, Any]) -> str | InputRequiredResult:
        name = name_of(ctx)
        return name_please("asked") if name is None else f"{name} {ctx.request_state}"

    @mcp.tool()
    def greet_from_a_thread(ctx: Context[Any, Any, Any]) -> str | InputRequiredResult:
        name = name_of(ctx)
        return name_please() if name is None else f"{name} {ctx.request_state}"

    @mcp.tool()
    def ask_only() -> InputRequiredResult:
        return name_please()

    @mcp.prompt()
    def about(ctx: Context[Any, Any, Any]) -> str | InputRequiredResult:
        name = name_of(ctx)
        return name_please() if name is None else f"About {name}"

    return mcp


@ERAS
def test_a_function_asks_in_rounds(mode: str) -> None:
    async def main() -> None:
        async with Client(asking(), mode=mode, elicitation_callback=agree) as client:
            assert (await client.call_tool("greet")).structuredContent == {"result": "Ada asked"}
            assert (await client.call_tool("greet_from_a_thread")).structuredContent == {"result": "Ada None"}
            prompt = await client.get_prompt("about")
            assert prompt.messages[0].content == types.TextContent(type="text", text="About Ada")

    run(main())


def test_questions_are_no_structured_content() -> None:
    tools = {tool.name: tool for tool in run(asking().list_tools())}
    assert tools["greet"].outputSchema is not None
    assert tools["greet"].outputSchema["properties"] == {"result": {"title": "Result", "type": "string"}}
    assert tools["ask_only"].outputSchema is None


@ERAS
def test_a_missing_capability_is_an_error_of_the_modern_era(mode: str) -> None:
    mcp: FastMCP[Any] = FastMCP("needs")

    @mcp.tool()
    async def sample(ctx: Context[Any, Any, Any]) -> str:
        content = types.TextContent(type="text", text="?")
        await ctx.session.create_message([types.SamplingMessage(role="user", content=content)], max_tokens=1)
        return ""

    async def main() -> None:
        async with Client(mcp, mode=mode) as client:
            if mode == "legacy":
                # As in the official package: something for the model to read.
                assert (await client.call_tool("sample")).isError
                return
            with pytest.raises(McpError) as caught:
                await client.call_tool("sample")
            assert caught.value.code == -32021
            assert caught.value.data == {"requiredCapabilities": {"sampling": {}}}

    run(main())


@ERAS
def test_a_function_knows_its_client(mode: str) -> None:
    mcp: FastMCP[Any] = FastMCP("knows")
    seen: list[Any] = []

    @mcp.tool()
    def look(ctx: Context[Any, Any, Any]) -> None:
        seen.extend([ctx.protocol_version, ctx.client_capabilities, ctx.headers, ctx.input_responses])

    async def main() -> None:
        async with Client(mcp, mode=mode, elicitation_callback=agree) as client:
            await client.call_tool("look")
            version = client.protocol_version
        assert seen[0] == version
        assert seen[1].elicitation is not None and seen[1].sampling is None
        assert seen[2:] == [None, None]

    run(main())
    assert Context().protocol_version is None


class Told:
    """A message handler that keeps the methods of notifications."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    async def __call__(self, message: Any) -> None:
        if isinstance(message, types.ServerNotification):
            self.heard.put_nowait((message.root.method, getattr(message.root.params, "uri", None)))

    async def next(self) -> tuple[str, Any]:
        return await asyncio.wait_for(self.heard.get(), LIMIT)


@ERAS
def test_those_who_watch_a_resource_are_told(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    mcp: FastMCP[Any] = FastMCP("told")
    watched: list[str] = []

    @mcp.resource("note://one")
    def one() -> str:
        return "1"

    @mcp.subscribe_resource()
    async def subscribed(uri: Any) -> None:
        watched.append(str(uri))

    @mcp.unsubscribe_resource()
    async def unsubscribed(uri: Any) -> None:
        watched.append(f"no {uri}")

    @mcp.tool()
    async def write(ctx: Context[Any, Any, Any]) -> None:
        await ctx.notify_resource_updated("note://two")
        await ctx.notify_resource_updated("note://one")

    async def main() -> None:
        told = Told()
        async with Client(mcp, mode=mode, message_handler=told) as client:
            assert client.server_capabilities.resources.subscribe  # type: ignore[union-attr]
            await client.subscribe_resource("note://one")
            await client.call_tool("write")
            method, uri = await told.next()
            assert (method, str(uri)) == ("notifications/resources/updated", "note://one")
            await client.unsubscribe_resource("note://one")
            await client.call_tool("write")
            assert told.heard.empty()
        if mode == "legacy":
            assert watched == ["note://one", "no note://one"]
        assert caplog.text == ""

    run(main())


@pytest.mark.parametrize("wanted", [True, False])
def test_changes_of_lists_are_told_if_the_server_says_so(wanted: bool) -> None:
    options = NotificationOptions(resources_changed=True) if wanted else None
    mcp: FastMCP[Any] = FastMCP("told", notification_options=options)
    mcp.add_resource(TextResource(uri="note://one", name="one", text="1"))  # type: ignore[arg-type]

    async def main() -> None:
        told = Told()
        async with Client(mcp, mode="legacy", message_handler=told) as client:
            assert bool(client.server_capabilities.resources.listChanged) is wanted  # type: ignore[union-attr]
            assert len((await client.list_resources()).resources) == 1
            mcp.remove_resource("note://one")
            if wanted:
                assert (await told.next())[0] == "notifications/resources/list_changed"
            assert (await client.list_resources(fresh=True)).resources == []
            assert told.heard.empty()

    run(main())
    with pytest.raises(ResourceError):
        mcp.remove_resource("note://one")


def test_an_error_of_the_protocol_reaches_the_client_as_it_is() -> None:
    mcp: FastMCP[Any] = FastMCP("errors")

    @mcp.resource("note://{name}")
    def note(name: str) -> str:
        raise McpError(-32002, f"there is no {name}", {"uri": name})

    @mcp.resource("fixed://note")
    def fixed() -> str:
        raise McpError(-32002, "gone")

    @mcp.prompt()
    def prompt() -> str:
        raise McpError(-32050, "not now")

    async def main() -> None:
        async with Client(mcp, mode="legacy") as client:
            for ask, code, message in (
                (client.read_resource("note://x"), -32002, "there is no x"),
                (client.read_resource("fixed://note"), -32002, "gone"),
                (client.get_prompt("prompt"), -32050, "not now"),
            ):
                with pytest.raises(McpError) as caught:
                    await ask
                assert (caught.value.code, caught.value.message) == (code, message)

    run(main())


@asynccontextmanager
async def listening(mcp: FastMCP[Any], app: bool) -> AsyncIterator[str]:
    """The server over HTTP: of the engine, or in uvicorn."""
    port = mcp.settings.port = free_port()
    web = uvicorn.Server(uvicorn.Config(mcp.streamable_http_app(), port=port, log_level="error"))
    task = asyncio.ensure_future(web.serve() if app else mcp.run_streamable_http_async())
    try:
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.close()
                await writer.wait_closed()
                break
            except OSError:
                assert not task.done()
                await asyncio.sleep(0)
        yield f"http://127.0.0.1:{port}"
    finally:
        web.should_exit = True
        if not app:
            task.cancel()
        await asyncio.wait([task], timeout=LIMIT)


def closing() -> FastMCP[Any]:
    mcp: FastMCP[Any] = FastMCP("closing", legacy_sse=True, log_level="ERROR", retry_interval=10)

    @mcp.tool()
    async def leave(ctx: Context[Any, Any, Any]) -> str:
        close = ctx.request_context.close_sse_stream
        await ctx.close_sse_stream()
        return f"stayed, {'closed' if close else 'open'}"

    return mcp


@pytest.mark.parametrize("app", [False, True], ids=["engine", "app"])
def test_a_function_closes_its_stream_and_the_client_comes_back(app: bool) -> None:
    async def main() -> None:
        async with listening(closing(), app) as url, Client(f"{url}/mcp", mode="legacy") as client:
            assert (await client.call_tool("leave")).content[0].text == "stayed, closed"  # type: ignore[union-attr]

    run(main())


@pytest.mark.parametrize("app", [False, True], ids=["engine", "app"])
def test_the_older_transport_is_served_beside_the_endpoint(app: bool) -> None:
    async def main() -> None:
        async with listening(closing(), app) as url, Client(sse_client(f"{url}/sse"), mode="legacy") as client:
            assert (await client.call_tool("leave")).content[0].text == "stayed, open"  # type: ignore[union-attr]

    run(main())
