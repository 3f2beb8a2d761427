"""Where plain functions of servers run: on worker threads, or on the loop."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import anyio
import pytest
from aliased import compat, python
from bounds import START
from peer import MODERN, official, soon

from mcpbolt import Client
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.mcpserver import MCPServer

# Uses what belongs to the thread of the program: a database, and the loop.
PROGRAM = """
import asyncio, json, logging, sqlite3
import anyio
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected

logging.disable()
database = sqlite3.connect(":memory:")
mcp = FastMCP("plain")

def look() -> str:
    try:
        [[number]] = database.execute("select 1")
        return f"{number} {asyncio.get_running_loop().is_running()}"
    except (RuntimeError, sqlite3.Error) as error:
        return type(error).__name__

mcp.tool()(look)
mcp.resource("look://one")(look)
mcp.prompt()(look)

@mcp.resource("look://{name}/more")
def more(name: str) -> str:
    return look()

async def main():
    async with connected(mcp._mcp_server) as session:
        tool = (await session.call_tool("look")).content[0].text
        resource = (await session.read_resource("look://one")).contents[0].text
        template = (await session.read_resource("look://a/more")).contents[0].text
        prompt = (await session.get_prompt("look")).messages[0].content.text
    [direct] = await mcp.read_resource("look://one")
    made = mcp._prompt_manager.get_prompt("look")
    print(json.dumps([tool, resource, template, prompt, direct.content, (await made.render())[0].content.text]))

anyio.run(main)
"""


def test_a_program_for_1_finds_its_functions_on_the_loop() -> None:
    official()
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=START)
    expected = json.loads(done.stdout)
    assert expected == ["1 True"] * 6
    assert json.loads(compat(PROGRAM)) == expected


def test_under_its_own_name_they_run_on_threads() -> None:
    # differs: plain-functions
    own = PROGRAM.replace("mcp.s", "mcpbolt.s")
    assert json.loads(python("-c", own)) == ["ProgrammingError"] * 6
    *served, _ = json.loads(python("-c", own.replace('"plain"', '"plain", sync_in_thread=False')))
    assert served == ["1 True"] * 5


@pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
def test_those_of_2_run_on_threads_as_officially() -> None:
    program = """
import json, threading
import anyio
from mcp import Client
from mcp.server.mcpserver import MCPServer

mcp = MCPServer("plain")

def look() -> str:
    return str(threading.current_thread() is threading.main_thread())

mcp.tool()(look)
mcp.resource("look://one")(look)
mcp.prompt()(look)

async def main():
    async with Client(mcp) as client:
        tool = (await client.call_tool("look")).content[0].text
        resource = (await client.read_resource("look://one")).contents[0].text
        prompt = (await client.get_prompt("look")).messages[0].content.text
    print(json.dumps([tool, resource, prompt]))

anyio.run(main)
"""
    done = subprocess.run([MODERN, "-c", program], capture_output=True, text=True, timeout=START)
    assert json.loads(done.stdout) == ["False"] * 3, done.stderr
    assert json.loads(compat(program, "--api", "2")) == ["False"] * 3


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
@pytest.mark.parametrize("on_thread", [True, False], ids=["threads", "loop"])
def test_the_server_says_where(kind: Any, on_thread: bool, backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")
    mcp = kind("plain", sync_in_thread=on_thread)

    def where() -> str:
        return str(threading.current_thread() is threading.main_thread())

    mcp.tool()(where)
    mcp.resource("where://one")(where)
    mcp.prompt()(where)

    @mcp.tool(run_in_thread=not on_thread)
    def other() -> str:
        return where()

    @mcp.resource("where://{name}/more")
    def more(name: str) -> str:
        return where()

    async def main() -> None:
        async with Client(mcp) as client:
            tools = [(await soon(client.call_tool(name))).content[0].text for name in ("where", "other")]
            uris: tuple[Any, ...] = ("where://one", "where://a/more")
            resources = [(await soon(client.read_resource(uri))).contents[0].text for uri in uris]  # type: ignore
            prompt: Any = (await soon(client.get_prompt("where"))).messages[0].content
        there, elsewhere = str(not on_thread), str(on_thread)
        assert [*tools, *resources, prompt.text] == [there, elsewhere, there, there, there]

    anyio.run(main, backend=backend)


@pytest.mark.usefixtures("as_official")
def test_a_program_for_1_may_ask_for_threads() -> None:
    assert FastMCP("x").sync_in_thread is False
    assert FastMCP("x", sync_in_thread=True).sync_in_thread is True
    assert MCPServer("x").sync_in_thread is True
