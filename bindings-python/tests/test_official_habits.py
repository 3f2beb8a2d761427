"""What programs written for the official package do, and find here as they know it: the
handshake repeated, models dumped whole, questions to clients that cannot answer.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import warnings
from typing import Annotated, Any
from uuid import UUID

import anyio
import pytest
from aliased import compat, python
from peer import soon
from pydantic import ValidationError
from wire import Child

from mcpbolt.server.sse import SseServerTransport
from mcpbolt.server.stdio import stdio_server
from mcpbolt.server.streamable_http import StreamableHTTPServerTransport
from mcpbolt.server.transport_security import RequestBodyLimitMiddleware
from mcpbolt.shared.message import SessionMessage
from mcpbolt.types import JSONRPCMessage, JSONRPCNotification


@pytest.mark.parametrize("own", [False, True], ids=["compat", "own"])
def test_the_session_of_the_helper_can_be_initialized_and_used(own: bool) -> None:
    code = """
import anyio
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session

server = FastMCP("here")
server.tool()(len)

async def main():
    async with create_connected_server_and_client_session(server) as session:
        print((await session.initialize()).serverInfo.name, len((await session.list_tools()).tools))

anyio.run(main)
"""
    answer = python("-c", code.replace("mcp.", "mcpbolt.")) if own else compat(code)
    assert answer == "here 1"


def test_what_was_sent_to_stdout_is_written_before_the_streams_end() -> None:
    out = io.StringIO()

    async def main() -> None:
        stdin, stdout = anyio.wrap_file(io.StringIO("")), anyio.wrap_file(out)
        async with stdio_server(stdin=stdin, stdout=stdout) as (_, write), write:
            for number in range(5):
                message = {"jsonrpc": "2.0", "id": number, "result": {}}
                await soon(write.send(SessionMessage(JSONRPCMessage.model_validate(message))))

    anyio.run(main)
    assert [json.loads(line)["id"] for line in out.getvalue().splitlines()] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seconds", [0, -3, float("inf"), float("nan")])
def test_an_idle_time_that_is_none_is_refused(seconds: float) -> None:
    with pytest.raises(ValueError, match="idle_timeout must be a positive, finite number"):
        StreamableHTTPServerTransport(mcp_session_id="one", idle_timeout=seconds)


def test_websockets_are_deprecated_on_both_sides() -> None:
    pytest.importorskip("websockets")
    from mcpbolt.client.websocket import websocket_client
    from mcpbolt.server.websocket import websocket_server

    async def nothing(*_: Any) -> Any: ...

    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        websocket_client("ws://127.0.0.1:1/")
        websocket_server({"type": "websocket"}, nothing, nothing)
    assert ["client" in str(one.message) for one in found] == [True, False]
    assert all(one.category is DeprecationWarning for one in found)


@pytest.mark.parametrize("sent", [[], [b"12"], [b"12", b"34"]])
def test_an_application_behind_the_limit_hears_that_the_client_left(sent: list[bytes]) -> None:
    coming = [{"type": "http.request", "body": part, "more_body": True} for part in sent]
    coming.append({"type": "http.disconnect"})
    heard: list[Any] = []

    async def app(_: Any, receive: Any, __: Any) -> None:
        while not heard or heard[-1]["type"] != "http.disconnect":
            heard.append(await receive())

    async def receive() -> Any:
        return coming.pop(0)

    async def send(_: Any) -> None:
        raise AssertionError("nobody is there to be told anything")

    scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
    anyio.run(RequestBodyLimitMiddleware(app, max_body_size=8), scope, receive, send)
    assert b"".join(one.get("body", b"") for one in heard) == b"".join(sent)
    assert all(one["more_body"] for one in heard[:-1])


SERVER = """
import anyio
from mcp import types
from mcp.server import Server
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage

server = Server("habits")

@server.call_tool(validate_input=False)
async def call(name, arguments):
    ask = {"roots": server.request_context.session.list_roots}.get(name)
    if ask is not None:
        await ask()
    return [types.TextContent(type="text", text="done")]

async def asked(*messages):
    answers = []
    async with create_client_server_memory_streams() as (client, (read, write)), anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, read, write, server.create_initialization_options())
        for number, (method, params) in enumerate(messages):
            message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            await client[1].send(SessionMessage(types.JSONRPCMessage.model_validate(message)))
            root = (await client[0].receive()).message.root
            answers.append(root.model_dump(exclude_none=True))
        tasks.cancel_scope.cancel()
    return answers

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
"""


def test_a_client_that_cannot_answer_refuses_in_known_words() -> None:
    code = f"{SERVER}\nprint(anyio.run(asked, ('initialize', HELLO), ('tools/call', {{'name': 'roots'}}))[1]['result'])"
    said = compat(code)
    assert "List roots not supported" in said and "'isError': True" in said


def test_meta_that_is_null_is_none() -> None:
    code = f"""{SERVER}
whole = {{"name": "plain", "arguments": {{}}, "_meta": None, "task": None}}
print(anyio.run(asked, ("initialize", {{**HELLO, "_meta": None}}), ("tools/call", whole))[1]["result"]["content"])
"""
    assert "'text': 'done'" in compat(code)


def test_http_answers_are_streams_under_the_official_name() -> None:
    pytest.importorskip("httpx")
    pytest.importorskip("starlette")
    code = """
import asyncio
import httpx
from mcp.server.fastmcp import FastMCP

hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}

async def kind(json_response):
    server = FastMCP("x", host="0.0.0.0", json_response=json_response)
    app = server.streamable_http_app()
    async with server.session_manager.run():
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://here") as client:
            answer = await client.post(
                "/mcp",
                json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
                headers={"accept": "application/json, text/event-stream"},
            )
            return answer.headers["content-type"].partition(";")[0]

print(asyncio.run(kind(False)), asyncio.run(kind(True)))
"""
    assert compat(code) == "text/event-stream application/json"


def test_names_are_found_where_the_official_package_imports_them() -> None:
    code = """
from mcp.shared.session import RequestId, SessionMessage
from mcp.server.fastmcp.server import ContentBlock, MCPTool, StreamableHTTPSessionManager
from mcp.client.session import types
import mcp.server.fastmcp.prompts.base as prompts, mcp.shared.message, mcpbolt
assert SessionMessage is mcp.shared.message.SessionMessage and MCPTool is mcp.types.Tool and types is mcp.types
assert prompts.TextContent is mcp.types.TextContent and not hasattr(prompts, "AudioContent")
print(prompts.Message.__name__, StreamableHTTPSessionManager.__name__)
"""
    assert compat(code) == "Message StreamableHTTPSessionManager"


def test_every_name_that_is_lent_is_there() -> None:
    code = """
import importlib
from mcpbolt.compat._reexports import FOREIGN
for module, homes in FOREIGN.items():
    lent = importlib.import_module(f"mcp.{module}")
    for names in homes.values():
        for name in names.split():
            getattr(lent, name.partition("=")[0].lstrip("*"))
print("all")
"""
    for package in ("httpx", "starlette", "uvicorn", "websockets", "pydantic_settings"):
        pytest.importorskip(package)
    assert compat(code) == "all"


def test_subclasses_of_the_older_http_transport_take_posts_themselves() -> None:
    # fastapi-mcp answers posts with a route of its own, and looks up where they go.
    class Own(SseServerTransport):
        def where(self, session: str) -> Any:
            return self._read_stream_writers[UUID(hex=session)]

    async def main() -> None:
        transport, named, over = Own("/messages/"), anyio.Event(), anyio.Event()
        sent: list[bytes] = []

        async def receive() -> dict[str, Any]:
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message.get("body", b""))
            if b"session_id=" in sent[-1]:
                named.set()

        scope: Any = {"type": "http", "method": "GET", "path": "/sse", "headers": [], "query_string": b""}
        with anyio.fail_after(30):
            async with transport.connect_sse(scope, receive, send) as (reader, _):
                await named.wait()
                session = b"".join(sent).partition(b"session_id=")[2].split()[0].decode()
                note = JSONRPCMessage(JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized"))
                await transport.where(session).send(SessionMessage(note))
                assert (await reader.receive()).message is note
                over.set()
        with pytest.raises(KeyError):
            transport.where(session)

    anyio.run(main)


def test_sessions_can_be_ended_one_by_one_before_run_is_left() -> None:
    # FastMCP 3 goes through them when its application shuts down.
    code = """
import anyio, httpx
from mcp.server.fastmcp import FastMCP

INIT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
BODY = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INIT}
HEADERS = {"accept": "application/json, text/event-stream"}
server = FastMCP("ending", json_response=True)
app = server.streamable_http_app()

async def ask(client, **more):
    return await client.post("/mcp", json={**BODY, **more}, headers=HEADERS)

async def main():
    client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000")
    async with client, server.session_manager.run():
        HEADERS["mcp-session-id"] = (await ask(client)).headers["mcp-session-id"]
        print((await ask(client, id=2, method="ping", params={})).status_code)
        for transport in list(server.session_manager._server_instances.values()):
            await transport.terminate()
    async with client.__class__(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000") as client:
        try:
            await ask(client, id=3, method="ping", params={})
        except RuntimeError as error:
            print(error)

anyio.run(main)
"""
    assert compat(code).splitlines() == ["200", "Task group is not initialized. Make sure to use run()."]


REPORTS = """
import anyio
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected

server = FastMCP("reports")

@server.tool()
async def steps(ctx: Context, numbers: list[int]) -> None:
    for number in numbers:
        await ctx.report_progress(number)

async def main():
    heard = []

    async def told(progress, total, message):
        heard.append(progress)

    async with connected(server) as client:
        await client.call_tool("steps", {"numbers": [2, 2, 1]}, progress_callback=told)
        await client.call_tool("steps", {"numbers": [*range(3, 2000)]}, progress_callback=told)
    print(heard[:4] == [2, 2, 1, 3], heard[:2] == [2, 3], len(heard) >= 1998, heard[-1] == 1999)

anyio.run(main)
"""
REPORTS_OF_2 = (
    REPORTS.replace("fastmcp import Context, FastMCP", "mcpserver import Context, MCPServer")
    .replace("mcp.shared.memory import create_connected_server_and_client_session", "mcp import Client")
    .replace("FastMCP(", "MCPServer(")
)
LIMITED = REPORTS.replace('"reports"', '"reports", options={"progress_rate": 5}')


def test_every_report_of_progress_arrives_as_it_was_made() -> None:
    assert compat(REPORTS) == "True False True True"
    assert compat(REPORTS_OF_2, "--api", "2") == "True False True True"
    assert compat(LIMITED) == "True False False True"


@pytest.mark.parametrize("program", [REPORTS, REPORTS_OF_2], ids=["1", "2"])
def test_under_the_own_name_progress_increases_and_keeps_to_its_rate(program: str) -> None:
    # differs: progress-increases
    # differs: progress-rate
    own = program.replace("from mcp", "from mcpbolt.v2" if "MCPServer" in program else "from mcpbolt")
    assert python("-c", own) == "False True False True"
    unlimited = own.replace('"reports"', '"reports", options={"progress_rate": 0}')
    assert python("-c", unlimited) == "False True True True"


KINDS = pytest.mark.parametrize("kind", ["server.fastmcp.FastMCP", "server.mcpserver.MCPServer", "v2.server.MCPServer"])
DICTIONARIES = """
from mcpbolt.{module} import {name}

icons = [{{"src": "https://a.example/i.png", "mimeType": "image/png"}}]
mcp = {name}("x", icons=icons)

@mcp.tool(annotations={{"title": "Sum", "readOnlyHint": True}}, icons=icons)
def add(a: int) -> int:
    return a

@mcp.prompt(icons=icons)
def ask() -> str:
    return ""

mcp.run()
"""


@KINDS
def test_annotations_and_icons_may_be_dictionaries(kind: str) -> None:
    module, _, name = kind.rpartition(".")
    icons = [{"src": "https://a.example/i.png", "mimeType": "image/png"}]
    with Child(DICTIONARIES.format(module=module, name=name)) as child:
        assert child.open()["result"]["serverInfo"]["icons"] == icons
        [tool] = child.ask("tools/list")["result"]["tools"]
        assert (tool["annotations"], tool["icons"]) == ({"title": "Sum", "readOnlyHint": True}, icons)
        [prompt] = child.ask("prompts/list")["result"]["prompts"]
        assert prompt["icons"] == icons


@KINDS
def test_a_dictionary_that_does_not_fit_is_refused_where_it_is_registered(kind: str) -> None:
    module, _, name = kind.rpartition(".")
    server: Any = getattr(importlib.import_module(f"mcpbolt.{module}"), name)("x")

    def nothing() -> None: ...

    for register, wrong in (
        (server.tool, {"annotations": {"readOnlyHint": "perhaps"}}),
        (server.tool, {"icons": [{"mimeType": "image/png"}]}),
        (server.prompt, {"icons": [{"mimeType": "image/png"}]}),
    ):
        with pytest.raises(ValidationError):
            register(**wrong)(nothing)


@KINDS
def test_what_annotated_says_of_a_parameter_need_not_be_hashable(kind: str) -> None:
    module, _, name = kind.rpartition(".")
    server: Any = getattr(importlib.import_module(f"mcpbolt.{module}"), name)("x")

    async def weigh(a: Any) -> int:
        return a

    # Here annotations are text, until they are asked for.
    weigh.__annotations__["a"] = Annotated[int, {"unit": "kg"}]
    server.tool()(weigh)
    server.prompt()(weigh)
    server.resource("weight://{a}")(weigh)
    [tool] = anyio.run(server.list_tools)
    assert tool.name == "weigh"


class Named:
    def __call__(self) -> str:
        return "called"


@KINDS
def test_a_resource_may_call_what_is_no_function_of_python(kind: str) -> None:
    module, _, _ = kind.rpartition(".")
    place = module if module != "v2.server" else "v2.server.mcpserver"
    resource: Any = importlib.import_module(f"mcpbolt.{place}.resources").FunctionResource
    assert anyio.run(resource(uri="here://folder", name="folder", fn=os.getcwd).read) == os.getcwd()
    assert anyio.run(resource(uri="here://object", name="object", fn=Named()).read) == "called"


@pytest.mark.parametrize("line", ["1", "2"])
def test_what_stands_in_the_place_of_send_request_of_one_session_is_asked(line: str) -> None:
    code = """
import anyio
from unittest.mock import AsyncMock
MAKE

async def main():
    OPEN
        await session.list_tools()
        whole = await session.call_tool("one", {})
        session.send_request = AsyncMock(return_value=whole)
        print(await session.call_tool("one", {}) is whole, session.send_request.await_count)

anyio.run(main)
"""
    one = """
server = Server("x")

@server.tool()
def one() -> str:
    return "1"
"""
    first = (
        "from mcp.server.fastmcp import FastMCP as Server\n"
        "from mcp.shared.memory import create_connected_server_and_client_session as connected" + one,
        "async with connected(server) as session:",
    )
    second = (
        "from mcp import Client\nfrom mcp.server.mcpserver import MCPServer as Server" + one,
        "async with Client(server) as client:\n        session = client.session",
    )
    make, begin = first if line == "1" else second
    assert compat(code.replace("MAKE", make).replace("OPEN", begin), "--api", line) == "True 1"
