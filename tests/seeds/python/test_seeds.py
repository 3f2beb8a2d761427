"""Programs in the shape of the tutorials for the official package: the same calls in the
same order, the import line changed. Each is run, and what it does is looked at.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread, Timer
from typing import Any

import anyio
import pytest
from ports import free_port

import mcpbolt.types as types
from mcpbolt import ClientSession, McpError
from mcpbolt.client.sse import sse_client
from mcpbolt.client.stdio import StdioServerParameters, stdio_client
from mcpbolt.shared.message import SessionMessage

PROGRAMS = Path(__file__).parent / "programs"
sys.path.insert(0, str(PROGRAMS))
# Longest wait for anything, in seconds.
LIMIT = 60.0


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, LIMIT))


def program(name: str, **env: str) -> StdioServerParameters:
    path = os.environ.get("PYTHONPATH")
    more = {**env, **({"PYTHONPATH": path} if path else {})}
    return StdioServerParameters(command=sys.executable, args=[str(PROGRAMS / f"{name}.py")], env=more)


def visit(params: StdioServerParameters, what: Any) -> Any:
    """What comes of a session with a program."""

    async def main() -> Any:
        async with stdio_client(params) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                return await what(session, await session.initialize())

    return run(main())


def test_one_handler_over_the_standard_streams() -> None:
    async def look(session: ClientSession, hello: types.InitializeResult) -> None:
        assert hello.serverInfo.name == "one-resource"
        assert hello.capabilities.resources is not None and hello.capabilities.tools is None
        resources = (await session.list_resources()).resources
        assert [(str(each.uri), each.name) for each in resources] == [("sample://greeting", "Greeting")]

    visit(program("one_resource"), look)


def test_a_resource_is_read_by_its_uri() -> None:
    async def look(session: ClientSession, _: Any) -> None:
        listed = (await session.list_resources()).resources[0]
        contents = (await session.read_resource(listed.uri)).contents[0]
        assert isinstance(contents, types.TextResourceContents)
        assert contents.text == "08:00 woke up\n08:05 fell asleep again\n"
        assert (str(contents.uri), contents.mimeType) == ("file:///var/journal.txt", "text/plain")
        with pytest.raises(McpError, match="no such entry"):
            await session.read_resource(types.AnyUrl("file:///var/other.txt"))

    visit(program("journal"), look)


def test_prompts_are_filled_in() -> None:
    async def look(session: ClientSession, _: Any) -> None:
        prompts = {prompt.name: prompt for prompt in (await session.list_prompts()).prompts}
        assert list(prompts) == ["thank-you", "invitation"]
        arguments = prompts["invitation"].arguments or []
        assert [(each.name, each.required) for each in arguments] == [("occasion", True), ("place", False)]

        async def words(name: str, arguments: dict[str, str]) -> str:
            (message,) = (await session.get_prompt(name, arguments)).messages
            assert message.role == "user" and isinstance(message.content, types.TextContent)
            return message.content.text

        assert await words("thank-you", {"gift": "a kite"}) == "Write a short letter of thanks for:\n\na kite"
        assert await words("invitation", {"occasion": "tea"}) == "Invite my friends to our house:\n\ntea"
        assert await words("invitation", {"occasion": "tea", "place": "the pier"}) == "Invite my friends to the pier:\n\ntea"
        with pytest.raises(McpError, match="no letter of this kind: complaint"):
            await session.get_prompt("complaint")

    visit(program("letters"), look)


def test_tools_are_called_and_say_what_went_wrong() -> None:
    async def look(session: ClientSession, _: Any) -> None:
        tools = (await session.list_tools()).tools
        assert [tool.name for tool in tools] == ["multiply", "divide"]
        assert tools[0].inputSchema["required"] == ["x", "y"]

        async def call(name: str, **arguments: Any) -> tuple[bool, str]:
            result = await session.call_tool(name, arguments)
            (block,) = result.content
            assert isinstance(block, types.TextContent)
            return result.isError, block.text

        assert await call("multiply", x=6, y=7) == (False, "42")
        assert await call("divide", x=1, y=4) == (False, "They make 0.25")
        assert await call("divide", x=1, y=0) == (True, "Cannot: division by zero")
        assert await call("root", x=1, y=1) == (True, "unknown operation root")
        failed, words = await call("multiply", x=6)
        assert failed and "'y' is a required property" in words

    visit(program("arithmetic"), look)


@contextmanager
def listening(name: str) -> Iterator[str]:
    port = free_port()
    words = [sys.executable, str(PROGRAMS / f"{name}.py"), str(port)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        # One that does not say where it listens ends, and with it what it says.
        patience = Timer(LIMIT, server.kill)
        patience.start()
        try:
            assert any("on http://" in line for line in server.stderr), "it does not listen"
            yield f"http://127.0.0.1:{port}"
        finally:
            patience.cancel()
            server.kill()


def test_the_older_http_transport_in_an_application() -> None:
    async def main(url: str) -> None:
        async with sse_client(f"{url}/sse") as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                assert (await session.initialize()).serverInfo.name == "over-sse"
                assert (await session.list_resources()).resources[0].name == "Stream"

    with listening("over_sse") as url:
        run(main(url))


class Service(BaseHTTPRequestHandler):
    """The web service that the high-level server asks."""

    def do_GET(self) -> None:
        base = f"http://127.0.0.1:{self.server.server_address[1]}"
        flood = {"properties": {"event": "Flood", "areaDesc": "the harbour", "severity": "bad"}}
        tides = [{"name": f"Tide {number}", "height": number, "unit": "m"} for number in range(7)]
        found = {
            "/warnings/NE": {"features": [flood, {"properties": {}}]},
            "/warnings/SW": {"features": []},
            "/places/54.1,7.9": {"properties": {"tides": f"{base}/tides"}},
            "/places/1.0,1.0": {"properties": {"tides": f"{base}/nothing"}},
            "/tides": {"properties": {"periods": tides}},
        }.get(self.path)
        assert self.headers["User-Agent"] == "tides-app/1.0"
        self.send_response(200 if found else 404)
        self.end_headers()
        self.wfile.write(json.dumps(found).encode())

    def log_message(self, *_: Any) -> None:
        pass


def test_a_high_level_server_asks_a_web_service() -> None:
    async def look(session: ClientSession, hello: types.InitializeResult) -> None:
        assert hello.serverInfo.name == "tides"
        tools = {tool.name: tool for tool in (await session.list_tools()).tools}
        assert tools["get_tides"].inputSchema["properties"]["latitude"] == {"title": "Latitude", "type": "number"}
        assert (tools["get_warnings"].description or "").startswith("Warnings for a coast.")

        async def call(name: str, **arguments: Any) -> str:
            result = await session.call_tool(name, arguments)
            assert not result.isError and isinstance(result.content[0], types.TextContent)
            return result.content[0].text

        warnings = await call("get_warnings", coast="NE")
        assert "Flood at the harbour\nHow bad: bad" in warnings
        assert warnings.count("---") == 1 and "Something at the coast" in warnings
        assert await call("get_warnings", coast="SW") == "No warnings for this coast."
        assert await call("get_warnings", coast="XX") == "No warnings could be had."
        tides = await call("get_tides", latitude=54.1, longitude=7.9)
        assert "Tide 4: 4 m" in tides and "Tide 5" not in tides
        assert await call("get_tides", latitude=0, longitude=0) == "This place has no tides."
        assert await call("get_tides", latitude=1, longitude=1) == "The tides could not be had."

    with HTTPServer(("127.0.0.1", 0), Service) as service:
        thread = Thread(target=service.serve_forever, daemon=True)
        thread.start()
        visit(program("tides", TIDES_API=f"http://127.0.0.1:{service.server_address[1]}"), look)
        service.shutdown()
        thread.join(LIMIT)


def test_an_application_takes_up_servers_and_follows_their_changes() -> None:
    import application

    app = application.Application()
    changed = asyncio.Event()

    async def hear(message: Any) -> None:
        if isinstance(message, types.ServerNotification) and isinstance(message.root, types.ToolListChangedNotification):
            changed.set()

    async def then(session: ClientSession) -> None:
        conversation = app.conversation
        await application.discover(app)
        assert [tool.name for tool in conversation.tools] == ["learn"]
        await application.handle_tool_call(app, conversation, "learn", {})
        await changed.wait()
        await application.handle_tools_changed_notification(app, session)
        assert conversation.told == 1
        await application.handle_tool_call(app, conversation, "recite", {})
        assert [block.text for block in conversation.results] == ["I know more now", "Here is what I know"]
        assert app.ready == [session]

    run(application.connected(app, program("learner"), hear, then))


HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}
LIST = {"jsonrpc": "2.0", "id": 2, "method": "resources/list"}


@pytest.mark.parametrize("wrapped", [True, False], ids=["SessionMessage", "JSONRPCMessage"])
def test_a_transport_around_memory_streams(wrapped: bool) -> None:
    from one_resource import app
    from transports import watching_transport

    async def main() -> None:
        to_client, from_server = anyio.create_memory_object_stream[Any](0)
        to_server, from_client = anyio.create_memory_object_stream[Any](0)
        heard: asyncio.Queue[Any] = asyncio.Queue()

        async def process(message: Any) -> None:
            heard.put_nowait(message.message.root)

        async with anyio.create_task_group() as tg:
            tg.start_soon(app.run, from_client, to_client, app.create_initialization_options())
            async with watching_transport(from_server, to_server, process) as write:
                for message in (HELLO, READY, LIST):
                    parsed = types.JSONRPCMessage.model_validate(message)
                    await write.send(SessionMessage(parsed) if wrapped else parsed)
                hello, listed = await heard.get(), await heard.get()
        # The server has ended by itself, because its input did.
        assert (hello.id, hello.result["serverInfo"]["name"]) == (1, "one-resource")
        assert (listed.id, listed.result["resources"][0]["name"]) == (2, "Greeting")

    run(main())


def test_a_transport_for_a_connection_of_frames() -> None:
    from one_resource import app
    from transports import frames_transport

    async def main() -> None:
        incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        outgoing: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        scope = {"type": "websocket", "path": "/"}

        async def serve() -> None:
            async with frames_transport(scope, incoming.get, outgoing.put) as (read_stream, write_stream):
                await app.run(read_stream, write_stream, app.create_initialization_options())

        serving = asyncio.ensure_future(serve())
        for message in (HELLO, READY, LIST):
            incoming.put_nowait({"type": "websocket.receive", "text": json.dumps(message)})
        hello, listed = [json.loads((await outgoing.get())["text"]) for _ in range(2)]
        assert hello["result"]["serverInfo"]["name"] == "one-resource"
        assert listed["result"]["resources"][0]["uri"] == "sample://greeting"
        incoming.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await serving

    run(main())


def test_a_frame_that_is_no_message_ends_the_connection_with_its_error() -> None:
    from one_resource import app
    from transports import frames_transport

    async def main() -> None:
        async def receive() -> dict[str, Any]:
            return {"type": "websocket.receive", "text": "not JSON"}

        async def send(_: Any) -> None:
            raise AssertionError("there is nothing to say")

        with pytest.raises(BaseException) as caught:
            async with frames_transport({"type": "websocket"}, receive, send) as (read_stream, write_stream):
                await app.run(read_stream, write_stream, app.create_initialization_options())
        group = caught.value
        assert any(isinstance(error, ValueError) for error in getattr(group, "exceptions", [group])), repr(group)

    run(main())


def test_every_program_is_run_here() -> None:
    text = Path(__file__).read_text()
    for path in PROGRAMS.glob("*.py"):
        used = (f'program("{path.stem}"', f'listening("{path.stem}")', f"import {path.stem}", f"from {path.stem} import")
        assert any(words in text for words in used), f"{path.name} is not run"
