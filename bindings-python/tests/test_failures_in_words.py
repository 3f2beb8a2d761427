"""Failures say where it happened and what to do, in a few lines."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from bounds import LIMIT, START

from mcpbolt import Client, ClientSession, FastMCP, McpError, MCPServer
from mcpbolt.client._ways import way_of
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.server.fastmcp.exceptions import InvalidSignature
from mcpbolt.shared.exceptions import UsageError

SERVER = """
from mcpbolt import FastMCP

mcp = FastMCP("found")

@mcp.tool
def add(a: int, b: int) -> int:
    return a + b

mcp.run()
"""


def connecting(server: Any) -> str:
    """What connecting fails with."""

    async def main() -> None:
        async with Client(server):
            pass

    with pytest.raises((McpError, OSError)) as caught:
        asyncio.run(asyncio.wait_for(main(), START))
    return str(caught.value)


async def sum_of(server: Any) -> Any:
    async with Client(server) as client:
        return (await client.call_tool("add", {"a": 1, "b": 2})).structuredContent


# Programs


@pytest.mark.parametrize(
    "code, words",
    [
        ("from mcpbolt import FastMCP\nFastMCP('x')\n", "ended before it answered (exit code 0): did you forget mcp.run()?"),
        ("raise SystemExit(3)", "ended before it answered (exit code 3): its standard error says why"),
    ],
)
def test_a_program_that_ends_at_once_is_named_with_its_exit_code(tmp_path: Path, code: str, words: str) -> None:
    file = tmp_path / "ends.py"
    file.write_text(code)
    assert connecting(str(file)) == f"ends.py {words}"


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell what a process has read")
def test_a_program_that_crashes_is_started_once_and_its_traceback_shown_once(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    file = tmp_path / "crashes.py"
    file.write_text(f"open({str(starts)!r}, 'a').write('started ')\nimport nothing_of_that_name\n")
    code = f"import asyncio\nfrom mcpbolt import Client\nasyncio.run(Client({str(file)!r}).connect())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=START)
    assert starts.read_text() == "started "
    assert done.stderr.count("ModuleNotFoundError: No module named 'nothing_of_that_name'") == 1
    assert done.stderr.splitlines()[-1].endswith("crashes.py ended before it answered (exit code 1): its standard error says why")


def test_a_command_that_is_not_there_is_refused_with_a_remedy() -> None:
    assert "No such command on the server's PATH: install it" in connecting(["no-such-program-anywhere"])


# What a Client takes


def test_a_client_takes_a_configuration_with_one_server_and_a_command(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    entry = {"command": sys.executable, "args": [str(program)]}
    file = tmp_path / "servers.json"
    file.write_text(json.dumps({"mcpServers": {"found": entry}}))
    for given in (str(file), file, {"mcpServers": {"found": entry}}, entry, f"'{sys.executable}' '{program}'"):
        assert asyncio.run(asyncio.wait_for(sum_of(given), START)) == {"result": 3}, given


def test_a_javascript_file_runs_on_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "server.mjs"
    file.write_text("")
    node = tmp_path / "node"
    program = tmp_path / "server.py"
    program.write_text(SERVER)
    node.write_text(f'#!/bin/sh\ntest "$1" = "{file}" && exec "{sys.executable}" "{program}"\n')
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert asyncio.run(asyncio.wait_for(sum_of(str(file)), START)) == {"result": 3}


@pytest.mark.parametrize(
    "given, words",
    [
        ("nowhere.py", "there is no file 'nowhere.py' in "),
        ("nowhere.js", "there is no file 'nowhere.js' in "),
        ("localhost:8000/mcp", "write http://localhost:8000/mcp"),
        ("htp://localhost/mcp", "'htp://localhost/mcp' is no URL of a server"),
        ("http://", "'http://' is no URL of a server"),
        ({"mcpServers": {"one": {"command": "a"}, "two": {"url": "http://b"}}}, "2 servers (one, two), and a Client reaches one: use mcpbolt.Host"),
        ({"mcpServers": {}}, "this dictionary has no server"),
        ({"mcpServers": {"one": {}}}, "the server 'one' has neither a command nor a url"),
        ([], "not list"),
        (42, "not int"),
    ],
)
def test_what_a_client_does_not_take_is_refused_with_what_it_does(given: Any, words: str) -> None:
    with pytest.raises(UsageError) as caught:
        way_of(given)
    assert words in str(caught.value)


def test_a_file_that_is_no_configuration_is_refused_by_name(tmp_path: Path) -> None:
    for name, text, words in (("a.json", "{", "cannot be read as JSON"), ("b.json", "[]", "must hold"), ("c.ts", "", "npx")):
        (tmp_path / name).write_text(text)
        with pytest.raises(UsageError) as caught:
            way_of(tmp_path / name)
        assert words in str(caught.value) and name in str(caught.value)


# HTTP


class Refusing(BaseHTTPRequestHandler):
    """Answers with the status that its path names."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        body = b"<html></html>"
        self.send_response(int(self.path[1:4]))
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def refusing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


async def through_httpx(url: str) -> None:
    async with httpx.AsyncClient() as http, streamable_http_client(url, http_client=http) as (read, write, _):
        async with ClientSession(read, write) as session:
            await session.initialize()


async def through_the_engine(url: str) -> None:
    async with Client(url):
        pass


@pytest.mark.parametrize("way", [through_httpx, through_the_engine])
@pytest.mark.parametrize("status", [200, 401, 404, 500])
def test_failures_over_http_name_the_url_but_no_secrets(refusing: str, way: Callable[[str], Any], status: int) -> None:
    address = refusing.partition("://")[2]
    with pytest.raises(McpError) as caught:
        asyncio.run(asyncio.wait_for(way(f"http://user:password@{address}/{status}/0secret1234567890123?key=secret"), LIMIT))
    words = str(caught.value)
    assert f"http://{address}/{status}/…" in words
    assert "secret" not in words and "password" not in words
    if status == 404:
        assert way is not through_httpx or words.endswith(": did you mean /mcp?")


@pytest.mark.parametrize("way", [through_httpx, through_the_engine])
def test_a_server_that_is_not_there_is_named(way: Callable[[str], Any], port: int) -> None:
    url = f"http://127.0.0.1:{port}/mcp"
    with pytest.raises(McpError) as caught:
        asyncio.run(asyncio.wait_for(way(url), LIMIT))
    assert url in str(caught.value)


def test_a_resource_that_is_not_there_is_named() -> None:
    async def main() -> None:
        async with Client(FastMCP("x")) as client:
            await client.read_resource("x://nowhere")

    with pytest.raises(McpError, match="x://nowhere"):
        asyncio.run(main())


def test_a_port_in_use_is_named_with_a_remedy_in_a_few_lines(tmp_path: Path) -> None:
    file = tmp_path / "server.py"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        file.write_text(f"from mcpbolt import FastMCP\nmcp = FastMCP('x')\nmcp.run('http', port={port})\n")
        for command, most in (([str(file)], 10), (["-m", "mcpbolt", "run", str(file), "-t", "http"], 2)):
            done = subprocess.run([sys.executable, *command], capture_output=True, text=True, timeout=START)
            lines = done.stderr.splitlines()
            assert done.returncode == 1 and len(lines) <= most
            assert f"another program has port {port}" in lines[-1] and "--port of the command" in lines[-1]


# Signatures


def refused(register: Callable[[Any], Any]) -> list[str]:
    """What registering prints, if nobody catches it."""
    import traceback

    with pytest.raises(InvalidSignature) as caught:
        register(None)
    return traceback.format_exception(caught.type, caught.value, caught.tb)


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_a_tool_that_cannot_be_described_is_refused_by_tool_and_parameter(kind: Any) -> None:
    mcp = kind("x")

    def send(count: int, connection: socket.socket) -> int:
        return count

    shown = refused(lambda _: mcp.tool(send))
    assert "Tool 'send': parameter 'connection' (socket.socket)" in shown[-1]
    assert len("".join(shown).splitlines()) <= 15
    assert "Prompt 'send': parameter 'connection'" in refused(lambda _: mcp.prompt(send))[-1]


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_a_tool_that_yields_is_refused_by_name(kind: Any) -> None:
    async def stream() -> AsyncIterator[int]:
        yield 1

    def numbers() -> Iterator[int]:
        yield 1

    mcp = kind("x")
    assert "Tool 'stream' cannot be described to clients" in refused(lambda _: mcp.tool(stream))[-1]
    assert "Tool 'numbers' cannot be described to clients" in refused(lambda _: mcp.tool(numbers))[-1]


def test_an_annotation_that_is_not_defined_is_named() -> None:
    def send(count: Nowhere) -> int:  # type: ignore[name-defined]  # noqa: F821
        return 1

    shown = refused(lambda _: FastMCP("x").tool(send))
    assert "Tool 'send': the annotation of parameter 'count' names 'Nowhere', which is not defined" in shown[-1]
    assert len("".join(shown).splitlines()) <= 15


def test_a_tool_of_any_arguments_is_refused_by_name() -> None:
    def many(*numbers: int) -> int:
        return 1

    def named(**options: Any) -> int:
        return 1

    for function, what in ((many, r"\*numbers"), (named, r"\*\*options")):
        with pytest.raises(InvalidSignature, match=f"Tool '{function.__name__}': {what} has no names"):
            FastMCP("x").tool(function)


@pytest.mark.parametrize("annotation", [int, None])
def test_a_coroutine_that_nobody_awaited_is_no_result(annotation: Any) -> None:
    mcp = FastMCP("x")

    async def inner() -> int:
        return 5

    async def forgetful() -> Any:
        return inner()

    if annotation is not None:
        forgetful.__annotations__["return"] = annotation
    mcp.tool(forgetful)

    async def main() -> Any:
        async with Client(mcp) as client:
            return await client.call_tool("forgetful")

    result = asyncio.run(main())
    assert result.isError and "inner(), which nobody awaited: did you forget await?" in result.content[0].text


def test_under_the_official_name_they_are_what_they_are_there() -> None:
    code = """
import mcpbolt.compat; mcpbolt.compat.install()
import socket
from mcp.server.fastmcp import FastMCP
def many(*numbers: int, **options: str) -> int: ...
FastMCP("x").add_tool(many)
def send(connection: socket.socket) -> int: ...
try:
    FastMCP("x").add_tool(send)
except Exception as error:
    print(type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=START)
    assert done.stdout == "PydanticInvalidForJsonSchema\n", done.stderr


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_a_wrong_resource_is_refused_where_it_is_registered(kind: Any) -> None:
    def content() -> str:
        return "found"

    mcp = kind("resources")
    mcp.resource("a://before")(content)
    for mime_type in ("no type", "text/plain\n"):
        with pytest.raises(ValueError, match="mime_type"):
            mcp.resource("a://wrong", mime_type=mime_type)(content)
    with pytest.raises(ValueError, match="annotations"):
        mcp.resource("a://wrong", annotations="loud")(content)

    def template(name: Unknown) -> str:  # noqa: F821  # pyright: ignore
        return name

    with pytest.raises(InvalidSignature, match="type annotations for callable 'template'"):
        mcp.resource("a://wrong/{name}")(template)
    mcp.resource("a://after")(content)

    async def main() -> None:
        async with Client(mcp) as client:
            found = (await client.list_resources()).resources
            assert [str(resource.uri) for resource in found] == ["a://before", "a://after"]
            assert (await client.list_resource_templates()).resourceTemplates == []

    asyncio.run(asyncio.wait_for(main(), START))
