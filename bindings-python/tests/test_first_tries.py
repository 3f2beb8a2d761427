"""Names and spellings that people try first: they work, or the refusal says what does."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from bounds import LIMIT, START

import mcpbolt
from mcpbolt import _elsewhere
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import FastMCP

PLACES = [(place, name) for place, names in _elsewhere._PLACES.items() for name in names.split()]


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments, "-c", code], capture_output=True, text=True, timeout=START)


def under_compat(code: str) -> str:
    """What it prints where `import mcp` means this package."""
    done = run(f"import mcpbolt.compat; mcpbolt.compat.install()\n{code}")
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_server_is_made_of_one_import() -> None:
    from mcpbolt import Context, Image, __version__

    assert mcpbolt.FastMCP is FastMCP
    assert (Context.__name__, Image.__name__) == ("Context", "Image")
    assert __version__ == mcpbolt._mcpbolt.__version__  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_decorators_need_no_parentheses(kind: Any) -> None:
    mcp = kind("x")

    @mcp.tool
    def add(a: int, b: int) -> int:
        return a + b

    @mcp.prompt
    def ask(topic: str) -> str:
        return topic

    assert add(1, 2) == 3 and ask("x") == "x"
    assert [tool.name for tool in mcp._tool_manager.list_tools()] == ["add"]
    assert [prompt.name for prompt in mcp._prompt_manager.list_prompts()] == ["ask"]
    with pytest.raises(TypeError, match="@resource\\('uri'\\)"):
        mcp.resource(add)


@pytest.mark.parametrize("decorator", ["tool", "prompt"])
def test_under_the_official_name_decorators_need_them(decorator: str) -> None:
    code = f"""
from mcp.server.fastmcp import FastMCP
try:
    FastMCP("x").{decorator}(print)
except TypeError as error:
    print(error)
"""
    assert "Did you forget to call it?" in under_compat(code)


SERVER = """
import sys
from mcpbolt import {kind} as Server

mcp = Server("spelled")
mcp.run(transport="http", host="127.0.0.1", port=int(sys.argv[1]), path="/here")
"""


@pytest.mark.parametrize("kind", ["FastMCP", "MCPServer"])
def test_http_and_its_address_are_said_in_run(tmp_path: Path, kind: str, port: int) -> None:
    file = tmp_path / "server.py"
    file.write_text(SERVER.format(kind=kind))
    process = subprocess.Popen([sys.executable, str(file), str(port)], stderr=subprocess.PIPE, text=True)
    assert process.stderr
    try:
        client = httpx.Client(transport=httpx.HTTPTransport(retries=20), timeout=LIMIT)
        with client:
            assert client.get(f"http://127.0.0.1:{port}/mcp").status_code == 404
            assert client.get(f"http://127.0.0.1:{port}/here").status_code != 404
            # Guarded as a server that was made for this address.
            assert client.get(f"http://127.0.0.1:{port}/here", headers={"host": "evil.example"}).status_code in (403, 421)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_an_address_said_in_run_decides_what_is_guarded() -> None:
    mcp = FastMCP("x")
    mcp.settings.listen_at("streamable-http", {"host": "0.0.0.0"})
    assert mcp.settings.guard() is None
    mcp.settings.listen_at("streamable-http", {"host": "localhost"})
    assert mcp.settings.guard() is not None


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_an_unknown_transport_and_an_address_for_stdio_are_refused_with_a_remedy(kind: Any) -> None:
    with pytest.raises(ValueError, match=r"Unknown transport: pigeon \(stdio, sse, streamable-http, http\)"):
        kind("x").run("pigeon")
    with pytest.raises(TypeError, match='stdio has no option .port.: say transport="http" too'):
        kind("x").run(port=8000)


def test_under_the_official_name_run_takes_what_it_takes_there() -> None:
    code = """
from mcp.server.fastmcp import FastMCP
for options in ({"transport": "http"}, {"transport": "streamable-http", "port": 1}):
    try:
        FastMCP("x").run(**options)
    except (ValueError, TypeError) as error:
        print(error)
"""
    said = under_compat(code).splitlines()
    assert said == ["Unknown transport: http", "FastMCP.run() got an unexpected keyword argument 'port'"]


@pytest.mark.parametrize("place, name", PLACES)
def test_names_are_where_they_are_said_to_be(place: str, name: str) -> None:
    assert hasattr(importlib.import_module(f"mcpbolt.{place}"), name)


@pytest.mark.parametrize("module, place", list(_elsewhere.MODULES.items()))
def test_modules_are_where_they_are_said_to_be(module: str, place: str) -> None:
    importlib.import_module(f"mcpbolt.{place}")
    with pytest.raises(ModuleNotFoundError, match=f"it is mcpbolt.{place} here"):
        importlib.import_module(f"mcpbolt.{module}")


@pytest.mark.parametrize(
    "wrong, right",
    [
        ("from mcpbolt import ServerRequestContext", "`from mcpbolt.server import ServerRequestContext`"),
        ("from mcpbolt import TextContent", "`from mcpbolt.types import TextContent`"),
        ("from mcpbolt import ToolError", "`from mcpbolt.server.fastmcp.exceptions import ToolError`"),
        ("from mcpbolt import Fastmcp", "`from mcpbolt import FastMCP`"),
        ("from mcpbolt.server import Context", "`from mcpbolt import Context`"),
        ("from mcpbolt.server.fastmcp import Client", "`from mcpbolt import Client`"),
        ("from mcpbolt.client import StdioTransport", "`from mcpbolt import StdioServerParameters`"),
        ("from mcpbolt.tools import Tool", "it is mcpbolt.server.fastmcp.tools here"),
        ("import mcpbolt; mcpbolt.ToolError", "use `from mcpbolt.server.fastmcp.exceptions import ToolError`"),
    ],
)
def test_a_name_at_the_wrong_place_is_refused_with_the_right_one(wrong: str, right: str) -> None:
    done = run(wrong)
    assert done.returncode == 1 and right in done.stderr.splitlines()[-1]
    assert len(done.stderr.splitlines()) <= 10


def test_looking_for_a_name_is_no_mistake() -> None:
    assert not hasattr(mcpbolt, "ToolError") and not hasattr(mcpbolt, "nothing_of_the_kind")
    with pytest.raises(ImportError, match="cannot import name 'nothing_of_the_kind'"):
        exec("from mcpbolt import nothing_of_the_kind")
    # Modules that a class of the same name hides nowhere.
    exec("from mcpbolt.client import client, session; from mcpbolt.server.fastmcp import tools, server")


def test_under_the_official_name_refusals_are_the_usual_ones() -> None:
    code = """
import mcp
for line in ("from mcp import ToolError", "import mcp.tools", "mcp.__version__"):
    try:
        exec(line)
    except (ImportError, AttributeError) as error:
        print(error)
"""
    said = under_compat(code)
    assert "mcpbolt.server" not in said and len(said.splitlines()) == 3
