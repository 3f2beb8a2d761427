"""What a session under `mcpbolt.compat` sends, shows and raises, beside the official package, 1.30:
the same program on both prints the same.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from bounds import LIMIT

pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")

BEGIN = """
import anyio, mcp
from datetime import timedelta
from mcp import ClientSession, McpError, types
from mcp.server.lowlevel import Server
from mcp.shared.memory import create_client_server_memory_streams, create_connected_server_and_client_session
from mcp.shared.message import SessionMessage

def show(*values):
    print(*values, flush=True)

class Peer:
    "A server that answers by hand, and shows what it is sent."

    def __init__(self, streams):
        self.read, self.write = streams

    async def take(self):
        root = (await self.read.receive()).message.root
        show("server", root.model_dump(exclude_none=True))
        return root

    async def send(self, **message):
        whole = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", **message})
        await self.write.send(SessionMessage(whole))

async def handler(message):
    show("handler", type(message).__name__, getattr(getattr(message, "root", None), "method", message))

ANSWER = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
"""

BEFORE_THE_HANDSHAKE = """
async def serve(peer):
    asked = await peer.take()
    await peer.send(id=str(asked.id), result={})
    asked = await peer.take()
    await peer.send(id=asked.id, result=ANSWER)
    await peer.take()
    asked = await peer.take()
    await peer.send(id=asked.id, error={"code": 5, "message": "refused"})

async def main():
    async with create_client_server_memory_streams() as (client, server), anyio.create_task_group() as tasks:
        tasks.start_soon(serve, Peer(server))
        async with ClientSession(*client, message_handler=handler) as session:
            show(await session.send_ping())
            show((await session.initialize()).serverInfo.name)
            try:
                await session.list_tools()
            except McpError as error:
                show(error.error.code, error)
"""

PROGRESS = """
async def serve(peer):
    asked = await peer.take()
    await peer.send(id=asked.id, result=ANSWER)
    await peer.take()
    asked = await peer.take()
    token = asked.params["_meta"]["progressToken"]
    async def progress(token, value):
        await peer.send(method="notifications/progress", params={"progressToken": token, "progress": value})
    await progress(token, 0.5)
    await progress(token, 0.2)
    await progress(token, 0.2)
    await progress("of nobody", 1)
    await peer.send(id=asked.id, result={"content": []})
    await progress(token, 1)
    asked = await peer.take()
    await peer.send(id=asked.id, result={})

async def told(progress, total, message):
    show("callback", progress, total, message)

async def main():
    async with create_client_server_memory_streams() as (client, server), anyio.create_task_group() as tasks:
        tasks.start_soon(serve, Peer(server))
        async with ClientSession(*client, message_handler=handler) as session:
            await session.initialize()
            call = types.CallToolRequest(params=types.CallToolRequestParams(name="x", arguments={}))
            await session.send_request(types.ClientRequest(call), types.CallToolResult, progress_callback=told)
            await session.send_ping()
"""

TIME_OUTS = """
async def serve(peer):
    asked = await peer.take()
    await peer.send(id=asked.id, result=ANSWER)
    await peer.take()
    asked = await peer.take()

async def main():
    async with create_client_server_memory_streams() as (client, server), anyio.create_task_group() as tasks:
        tasks.start_soon(serve, Peer(server))
        async with ClientSession(*client) as session:
            await session.initialize()
            ping = types.ClientRequest(types.PingRequest())
            try:
                await session.send_request(ping, types.EmptyResult, request_read_timeout_seconds=timedelta(seconds=0.1))
            except Exception as error:
                show(type(error).__name__, isinstance(error, TimeoutError), error.error, error)
        tasks.cancel_scope.cancel()
"""

DECLARED = """
async def main():
    for level in (False, True):
        server = Server("declares")

        @server.call_tool()
        async def call(name, arguments):
            session = server.request_context.session
            await session.send_log_message("info", "said", logger="here")
            await session.send_progress_notification("of nobody", 0.5)
            await session.send_progress_notification("of nobody", 0.1)
            return []

        if level:
            @server.set_logging_level()
            async def set_level(level):
                show("level", level)

        heard = []
        async def hear(message):
            heard.append(message.root.method)

        async with create_connected_server_and_client_session(server, message_handler=hear) as session:
            show(session.get_server_capabilities().model_dump(exclude_none=True))
            call = types.CallToolRequest(params=types.CallToolRequestParams(name="x", arguments={}))
            show(await session.send_request(types.ClientRequest(call), types.CallToolResult))
            for ask in (session.set_logging_level("info"), session.list_resources(), session.subscribe_resource("a://b")):
                try:
                    show(await ask)
                except McpError as error:
                    show(error.error)
            show(heard)
"""

RUN_ONCE = """
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

async def receive():
    return {"type": "http.request", "body": b"", "more_body": False}

async def main():
    manager = StreamableHTTPSessionManager(Server("once"))
    for enter in (False, True):
        try:
            if enter:
                async with manager.run():
                    show("entered")
                async with manager.run():
                    show("entered twice")
            else:
                await manager.handle_request({"type": "http", "method": "GET", "headers": []}, receive, None)
        except RuntimeError as error:
            show(error)
"""

REDIRECTED = """
import httpx
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import ClientMessageMetadata

async def ask(url, location, token):
    def handler(request):
        show(request.method, request.url, request.headers.get("last-event-id"))
        return httpx.Response(307, headers={"location": location})

    async with httpx.AsyncClient(transport=httpx.MockTransport(handler), follow_redirects=True) as http:
        async with streamable_http_client(url, http_client=http) as (read, write, _), read, write:
            asked = types.JSONRPCRequest(jsonrpc="2.0", id=1, method="tools/list", params={})
            metadata = ClientMessageMetadata(resumption_token=token) if token else None
            await write.send(SessionMessage(types.JSONRPCMessage(asked), metadata=metadata))
            await read.receive()

async def main():
    for ways in (
        ("http://here.example/mcp", "http://other.example/x?secret=1", None),
        ("https://here.example/mcp", "http://here.example/mcp/", None),
        ("http://here.example/mcp", "http://other.example/mcp", "event 41"),
    ):
        try:
            await ask(*ways)
        except Exception as error:
            while getattr(error, "exceptions", None):
                error = error.exceptions[0]
            show(type(error).__name__, error)
"""

RESUMED = """
import httpx, json
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import ClientMessageMetadata

def stream(*events):
    text = "".join(f"id: {number}\\ndata: {data and json.dumps(data)}\\n\\n" for number, data in events)
    return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})

def handler(request):
    if request.method == "GET":
        show("resumed after", request.headers["last-event-id"])
        return stream((8, {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}),
                      (9, {"jsonrpc": "2.0", "id": "an older one", "result": {"content": []}}))
    message = json.loads(request.content)
    if "id" not in message:
        return httpx.Response(202)
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] == "initialize":
        return httpx.Response(200, json={**answer, "result": ANSWER})
    return stream((1, ""), (2, {**answer, "result": {"content": []}}))

async def told(token):
    show("token", token)

async def main():
    call = types.ClientRequest(types.CallToolRequest(params=types.CallToolRequestParams(name="x", arguments={})))
    async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as http:
        async with streamable_http_client("http://here.example/mcp", http_client=http) as (read, write, _):
            async with ClientSession(read, write, message_handler=handler_of_changes) as session:
                await session.initialize()
                for token in (None, "7"):
                    metadata = ClientMessageMetadata(resumption_token=token, on_resumption_token_update=told)
                    show(await session.send_request(call, types.CallToolResult, metadata=metadata))

async def handler_of_changes(message):
    pass
"""

STARTED = """
import socket, sys
from mcp import StdioServerParameters
from mcp.client.stdio import stdio_client

PROGRAM = "import socket, sys; socket.create_connection(('127.0.0.1', int(sys.argv[1]))).close(); sys.stdin.read()"

async def main():
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(30)
    port = str(listener.getsockname()[1])
    async with stdio_client(StdioServerParameters(command=sys.executable, args=["-c", PROGRAM, port])):
        connection, _ = await anyio.to_thread.run_sync(listener.accept)
        show("started without being asked anything")
        connection.close()
    listener.close()
"""

UNANSWERED_BY_A_CLIENT = """
server = Server("asks")

@server.call_tool()
async def call(name, arguments):
    ask = types.ServerRequest(types.ListRootsRequest())
    try:
        await server.request_context.session.send_request(
            ask, types.ListRootsResult, request_read_timeout_seconds=timedelta(seconds=0.1)
        )
    except Exception as error:
        show(type(error).__name__, isinstance(error, TimeoutError), error.error)
    return []

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {"roots": {}}, "clientInfo": {"name": "c", "version": "1"}}

async def main():
    async with create_client_server_memory_streams() as (client, streams), anyio.create_task_group() as tasks:
        tasks.start_soon(server.run, *streams, server.create_initialization_options())
        peer = Peer(client)
        await peer.send(id=1, method="initialize", params=HELLO)
        await peer.read.receive()
        await peer.send(method="notifications/initialized")
        await peer.send(id=2, method="tools/call", params={"name": "x", "arguments": {}})
        await peer.take()
        root = (await peer.read.receive()).message.root
        while getattr(root, "method", None) == "notifications/cancelled":
            root = (await peer.read.receive()).message.root
        show(root)
        tasks.cancel_scope.cancel()
"""

FAULTY_CALLBACK = """
import logging

logging.error = lambda words, *values: show("root logger", words % values)

async def told(progress, total, message):
    raise ValueError("no")

server = Server("tells")

@server.call_tool()
async def call(name, arguments):
    context = server.request_context
    await context.session.send_progress_notification(context.meta.progressToken, 0.5)
    return []

async def main():
    async with create_connected_server_and_client_session(server) as session:
        call = types.CallToolRequest(params=types.CallToolRequestParams(name="x", arguments={}))
        show(await session.send_request(types.ClientRequest(call), types.CallToolResult, progress_callback=told))
"""

LARGE_MESSAGES = """
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http import StreamableHTTPServerTransport

async def ask(app, method, path, body, *headers):
    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message):
        show(int(message["status"]) if "status" in message else message["body"])

    scope = {"type": "http", "method": method, "path": path, "query_string": path.partition("?")[2].encode(),
             "headers": [(b"content-type", b"application/json"), *headers]}
    await app(scope, receive, send)

async def main():
    transport = SseServerTransport("/messages/", max_request_body_size=8)
    await ask(transport.handle_post_message, "POST", "/messages/?session_id=" + "0" * 32, b"123456789")
    await ask(transport.handle_post_message, "POST", "/messages/?session_id=" + "0" * 32, b"{}")
    byhand = StreamableHTTPServerTransport("its-id", idle_timeout=5)
    show(byhand.idle_scope)
    async with byhand.connect():
        byhand.idle_scope.cancel()
        await ask(byhand.handle_request, "POST", "/mcp", b"{}", (b"mcp-session-id", b"its-id"))
        show(byhand.is_terminated)
"""

PROGRAMS = {
    "before the handshake": BEFORE_THE_HANDSHAKE,
    "progress": PROGRESS,
    "time-outs": TIME_OUTS,
    "declared": DECLARED,
    "run once": RUN_ONCE,
    "redirected": REDIRECTED,
    "resumed": RESUMED,
    "started": STARTED,
    "unanswered by a client": UNANSWERED_BY_A_CLIENT,
    "faulty callback": FAULTY_CALLBACK,
    "large messages": LARGE_MESSAGES,
}


def printed(*arguments: str) -> list[str]:
    """What a program prints."""
    found = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=LIMIT * 2, env=dict(os.environ)
    )
    assert found.returncode == 0, found.stderr
    return found.stdout.splitlines()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_sees_the_same_as_on_the_official_package(name: str) -> None:
    program = f"{BEGIN}{PROGRAMS[name]}\nanyio.run(main)\n"
    theirs, ours = printed("-c", program), printed("-m", "mcpbolt.compat", "-c", program)
    assert theirs
    assert ours == theirs
