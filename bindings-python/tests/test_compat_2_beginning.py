"""How sessions begin under the alias of 2.x, and what they let pass: the same as on the official
package 2.3.0, which runs the same program.
"""

from __future__ import annotations

import pytest
from both import answers
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

ACCEPTING = """
HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
}
ACCEPTED = b"application/json", b"text/event-stream", b"*/*", b"application/*, text/*", b"x/y", None

async def asked(app, accept, *more):
    # A handshake, or what asks for the stream of a session.
    sent, bodies = [], [b"" if more else json.dumps(HELLO).encode()]
    headers = [(b"content-type", b"application/json"), (b"host", b"localhost:8000"), *more]
    headers += [(b"accept", accept)] if accept else []
    method, over = "GET" if more else "POST", anyio.CancelScope()
    scope = {
        "type": "http", "http_version": "1.1", "method": method, "scheme": "http", "path": "/mcp", "raw_path": b"/mcp",
        "root_path": "", "query_string": b"", "headers": headers, "client": ("127.0.0.1", 1), "server": ("localhost", 8000),
    }

    async def receive():
        if not bodies:
            await anyio.sleep_forever()
        return {"type": "http.request", "body": bodies.pop(), "more_body": False}

    async def send(message):
        sent.append(message)
        if more and message.get("status") == 200:
            over.cancel()

    with over:
        await app(scope, receive, send)
    status = sent[0]["status"]
    session = dict(sent[0]["headers"]).get(b"mcp-session-id")
    whole = b"".join(message.get("body", b"") for message in sent)
    return session, [status, json.loads(whole)["error"]["message"] if status == 406 else None]

async def main():
    found = []
    for all_json in (False, True):
        mcp = MCPServer("s")
        app = mcp.streamable_http_app(json_response=all_json)
        async with mcp.session_manager.run():
            for accept in ACCEPTED:
                found.append((await asked(app, accept))[1])
            for accept in ACCEPTED:
                session, _ = await asked(app, b"*/*")
                opened = (b"mcp-session-id", session), (b"mcp-protocol-version", b"2025-11-25")
                found.append((await asked(app, accept, *opened))[1])
    return found

run(main)
"""

URIS = """
from mcp.server import Server

async def main():
    async def listed(ctx, params):
        return t.ListResourcesResult(resources=[t.Resource(name="me", uri="users/me")])

    async def read(ctx, params):
        return t.ReadResourceResult(contents=[t.TextResourceContents(uri=params.uri, text="data")])

    found = []
    for mode in ("legacy", "2026-07-28"):
        async with Client(Server("s", on_list_resources=listed, on_read_resource=read), mode=mode) as client:
            found.append([one.uri for one in (await client.list_resources()).resources])
            found.append([(await client.read_resource(uri)).contents[0].uri for uri in ("users/me", "./x", "../y")])
    return found

run(main)
"""

OPENING = """
from mcp.server import Server
from mcp.shared.message import SessionMessage

async def main():
    async def listed(ctx, params):
        return t.ListToolsResult(tools=[])

    server = Server("s", on_list_tools=listed)
    to_server, of_client = anyio.create_memory_object_stream(8)
    to_client, of_server = anyio.create_memory_object_stream(8)
    found = []

    async def asked(number, method, params):
        await to_server.send(SessionMessage(t.JSONRPCRequest(jsonrpc="2.0", id=number, method=method, params=params)))
        found.append(type((await of_server.receive()).message).__name__)

    async with anyio.create_task_group() as group, to_server, of_client, to_client, of_server:
        group.start_soon(server.run, of_client, to_client, server.create_initialization_options())
        await asked(1, "initialize", {"protocol_version": "2025-11-25"})
        await asked(2, "tools/list", {})
        await to_server.send(SessionMessage(t.JSONRPCNotification(jsonrpc="2.0", method="notifications/initialized")))
        await asked(3, "tools/list", {})
        group.cancel_scope.cancel()
    return found

run(main)
"""

PATIENCE = """
from mcp import ClientSession
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage

async def main():
    seen, codes = [], []

    async def stalls(streams):
        read, write = streams
        seen.append((await read.receive()).message.method)
        later = (await read.receive()).message
        seen.append(later.method)
        await write.send(SessionMessage(t.JSONRPCResponse(jsonrpc="2.0", id=later.id, result={})))

    async with (
        create_client_server_memory_streams() as ((read, write), of_server),
        anyio.create_task_group() as group,
        ClientSession(read, write, read_timeout_seconds=0.000001) as session,
    ):
        group.start_soon(stalls, of_server)
        try:
            await session.initialize()
        except MCPError as error:
            codes.append(error.code)
        pong = await session.send_request(t.PingRequest(), t.EmptyResult, request_read_timeout_seconds=5)
    return seen, codes, type(pong).__name__

run(main)
"""

# A server of the legacy era, over HTTP, that answers what it does not know with each status.
PROBING = """
import socket, uvicorn
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
UNKNOWN = {"code": -32601, "message": "Method not found"}
statuses = []

async def old(scope, receive, send):
    body, more = b"", scope["method"] == "POST"
    while more:
        part = await receive()
        body, more = body + part.get("body", b""), part.get("more_body", False)
    asked = json.loads(body or b"{}")
    status, answer = 405 if not body else 202, None
    if "id" in asked:
        known = {"initialize": HELLO, "ping": {}}.get(asked["method"])
        status = 200 if known is not None else statuses[-1]
        answer = {"jsonrpc": "2.0", "id": asked["id"], **({"result": known} if known is not None else {"error": UNKNOWN})}
    text = json.dumps(answer).encode() if answer else b""
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", b"application/json")]})
    await send({"type": "http.response.body", "body": text})

async def main():
    place = socket.socket()
    place.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(old, lifespan="off", log_level="error"))
    found = []
    async with anyio.create_task_group() as group:
        group.start_soon(server.serve, [place])
        place.listen()
        for status in (200, 404):
            statuses.append(status)
            url = f"http://127.0.0.1:{place.getsockname()[1]}/mcp"
            async with streamable_http_client(url) as streams, ClientSession(*streams) as session:
                try:
                    await session.send_discover("2026-07-28")
                except MCPError as error:
                    found.append(error.code)
                found.append((await session.initialize()).protocol_version)
                found.append(type(await session.send_ping()).__name__)
        server.should_exit = True
    return found

run(main)
"""

# One thing that has several names.
NAMES = """
import importlib, pkgutil, mcp

places = ["client", "client.client", "client.session", "client.stdio", "client.streamable_http", "server", "server.mcpserver",
          "server.lowlevel", "server.session", "shared.exceptions", "shared.message"]
found = []
for place in places:
    module = importlib.import_module("mcp." + place)
    shown = [name for name in getattr(module, "__all__", dir(module)) if name in mcp.__all__]
    found += [[place, name] for name in shown if getattr(module, name) is not getattr(mcp, name)]
print(json.dumps(found))
"""


@pytest.mark.parametrize(
    "program",
    [ACCEPTING, URIS, OPENING, PATIENCE, PROBING, NAMES],
    ids="accepting uris opening patience probing names".split(),
)
def test_the_same_program_sees_the_same(program: str) -> None:
    """Accept headers, URIs of resources, notices and time limits of handshakes, refused probes, names."""
    ours, theirs = answers(program)
    assert ours == theirs
