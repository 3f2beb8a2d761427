"""Chapter transports."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import anyio
import mcpbolt
import pytest
from guide import snippets

# [guide]
import sys  # noqa: E402, F811

from mcpbolt.server.fastmcp import FastMCP  # noqa: E402

mcp = FastMCP("notes", port=3000)


@mcp.tool()
def count(text: str) -> int:
    """Counts words."""
    return len(text.split())


if __name__ == "__main__":
    mcp.run(transport="streamable-http" if "--http" in sys.argv else "stdio")
# [end]

# [guide]
from starlette.applications import Starlette  # noqa: E402
from starlette.routing import Mount  # noqa: E402

app = Starlette(routes=[Mount("/notes", mcp.streamable_http_app())])
# [end]

# [guide]
from mcpbolt import Client, StdioServerParameters  # noqa: E402


async def local(program: str) -> int:
    command = StdioServerParameters(command=sys.executable, args=[program], env={"TZ": "UTC"})
    async with Client(command) as client:
        return (await client.call_tool("count", {"text": "one two"})).structuredContent["result"]


async def remote(url: str, key: str) -> int:
    async with Client(url, headers={"x-api-key": key}, read_timeout_seconds=20) as client:
        return (await client.call_tool("count", {"text": "one two"})).structuredContent["result"]
# [end]

# [guide]
from contextlib import asynccontextmanager  # noqa: E402

import anyio  # noqa: E402, F811
from mcpbolt import ClientSession  # noqa: E402
from mcpbolt.shared.message import SessionMessage  # noqa: E402
from mcpbolt.types import JSONRPCMessage  # noqa: E402


@asynccontextmanager
async def over_socket(path):
    """Lines over a Unix socket, as the pair of streams a session wants."""
    incoming, read = anyio.create_memory_object_stream(16)
    write, outgoing = anyio.create_memory_object_stream(16)

    async def receive(stream):
        rest = b""
        async with incoming:
            async for chunk in stream:
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:  # a real one bounds the length of a line
                    await incoming.send(SessionMessage(JSONRPCMessage.model_validate_json(line)))

    async def send(stream):
        async with outgoing:
            async for item in outgoing:
                text = item.message.model_dump_json(by_alias=True, exclude_none=True)
                await stream.send(text.encode() + b"\n")

    async with await anyio.connect_unix(path) as stream, read, write, anyio.create_task_group() as tasks:
        tasks.start_soon(receive, stream)
        tasks.start_soon(send, stream)
        yield read, write
        tasks.cancel_scope.cancel()


async def by_hand(path: str) -> list[str]:
    async with over_socket(path) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return [tool.name for tool in (await session.list_tools()).tools]
# [end]


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "server.py"
    # A server gets a short environment, without the variable that says where the package is.
    here = Path(mcpbolt.__file__).parent.parent
    path.write_text(f"import sys; sys.path.insert(0, {str(here)!r})\n" + snippets.regions(Path(__file__))[0])
    return str(path)


def test_a_client_starts_the_program(program: str) -> None:
    assert asyncio.run(asyncio.wait_for(local(program), 60)) == 2


def test_an_app_is_mounted_and_reached_by_url(port: int) -> None:
    import uvicorn

    async def main() -> int:
        server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error"))
        serving = asyncio.create_task(server.serve())
        with anyio.fail_after(60):
            while not server.started:
                await asyncio.sleep(0)
        try:
            return await asyncio.wait_for(remote(f"http://127.0.0.1:{port}/notes/mcp", "secret"), 60)
        finally:
            server.should_exit = True
            await asyncio.wait_for(serving, 60)

    assert asyncio.run(main()) == 2


SOCKET_SERVER = """
    import os, socket, subprocess, sys

    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[2])
    listener.listen()
    print("ready", flush=True)
    connection, _ = listener.accept()
    subprocess.run([sys.executable, sys.argv[1]], stdin=connection, stdout=connection)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Unix sockets")
def test_a_transport_made_by_hand(program: str, tmp_path: Path) -> None:
    path = str(tmp_path / "s")
    command = [sys.executable, "-c", textwrap.dedent(SOCKET_SERVER), program, path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None and server.stdout.readline() == "ready\n"
            assert asyncio.run(asyncio.wait_for(by_hand(path), 60)) == ["count"]
            assert server.wait(10) == 0
        finally:
            server.kill()
