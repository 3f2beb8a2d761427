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

PROGRAMS = {
    "before the handshake": BEFORE_THE_HANDSHAKE,
    "progress": PROGRESS,
    "time-outs": TIME_OUTS,
    "declared": DECLARED,
    "run once": RUN_ONCE,
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
