"""What a server says on the wire under `mcpbolt.compat`, message for message beside what it
says on the official package, 1.30.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from queue import Empty, Queue
from typing import Any

import pytest
from bounds import LIMIT
from frames import HANDSHAKE, Frame, frames, handled
from http_servers import Client, messages, serving

pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")

HIGH = """
import asyncio
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.exceptions import McpError
from mcp.types import ErrorData

app = FastMCP("high", instructions="be brief")

def refuse(code):
    raise McpError(ErrorData(code=code, message="refused", data={"a": 1}))

@app.tool()
def add(a: int, b: int = 1) -> int:
    "Adds"
    return a + b

@app.tool()
async def slow() -> str:
    await asyncio.Event().wait()
    return ""

@app.tool()
def fails() -> str:
    raise ValueError("broken")

@app.tool()
def refuses() -> str:
    refuse(-32050)

@app.tool()
async def says(ctx: Context) -> str:
    await ctx.info("said")
    await ctx.report_progress(1, 2, "half")
    return ctx.request_id

@app.resource("note://one")
def one() -> str:
    return "first"

@app.resource("note://fails")
def failing() -> str:
    raise ValueError("broken")

@app.resource("of://{name}")
def template(name: str) -> str:
    if name == "bad":
        raise ValueError("broken")
    return name

@app.prompt()
def greet(name: str) -> str:
    return "hi " + name

@app.prompt(name="slow")
async def slow_prompt() -> str:
    await asyncio.Event().wait()
    return ""

@app.prompt(name="fails")
def failing_prompt() -> str:
    raise ValueError("broken")

app.run()
"""

LOW = """
import asyncio
import mcp.types as types
from mcp import McpError
from mcp.server import Server
from mcp.server.stdio import stdio_server

server = Server("low", "1.0")
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
TYPED = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}

@server.list_tools()
async def tools():
    return [
        types.Tool(name="typed", inputSchema=TYPED),
        types.Tool(name="out", inputSchema={"type": "object"}, outputSchema=NUMBER),
    ]

@server.call_tool()
async def call(name, arguments):
    if name == "there-is-none":
        raise ValueError("there is none")
    if name == "out":
        return {"n": arguments.get("n")}
    if name == "slow":
        await asyncio.Event().wait()
    if name == "refuses":
        raise McpError(types.ErrorData(code=5, message="refused"))
    if arguments.get("a") == 9:
        raise RuntimeError("nine")
    return [types.TextContent(type="text", text=str(arguments))]

@server.list_resources()
async def resources():
    return [types.Resource(uri="note://one", name="a")]

@server.read_resource()
async def read(uri):
    if str(uri) == "note://one":
        return "text"
    if str(uri) == "note://refuses":
        raise McpError(types.ErrorData(code=-32002, message="none", data={"uri": str(uri)}))
    raise ValueError(f"no {uri}")

@server.list_prompts()
async def prompts():
    return [types.Prompt(name="greet")]

@server.get_prompt()
async def prompt(name, arguments):
    if name == "slow":
        await asyncio.Event().wait()
    raise ValueError("no prompt " + name)

async def main():
    async with stdio_server() as streams:
        await server.run(*streams, server.create_initialization_options())

asyncio.run(main())
"""


class Peer:
    """A program spoken to in lines."""

    def __init__(self, *arguments: str) -> None:
        self._errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, env=dict(os.environ)
        )
        self._lines: Queue[bytes] = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._pings = 0

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def send(self, frame: Frame) -> None:
        assert self.process.stdin
        self.process.stdin.write((frame if isinstance(frame, bytes) else json.dumps(frame).encode()) + b"\n")
        self.process.stdin.flush()

    def until_answer(self, number: Any) -> list[Any]:
        """Everything up to the answer of a request."""
        found: list[Any] = []
        while True:
            try:
                found.append(json.loads(self._lines.get(timeout=LIMIT)))
            except Empty:
                raise AssertionError(f"no answer to {number}, only {found}") from None
            if found[-1].get("id") == number and "method" not in found[-1]:
                return found

    def until_pong(self) -> list[Any]:
        """Everything up to the answer of a ping sent now, which is left out."""
        self._pings += 1
        self.send({"jsonrpc": "2.0", "id": f"ping {self._pings}", "method": "ping"})
        return self.until_answer(f"ping {self._pings}")[:-1]

    def say(self, frame: Frame, then: Frame | None) -> list[Any]:
        """What comes of a frame; of one that nothing comes of before `then`, nothing."""
        self.send(frame)
        if isinstance(frame, bytes) or "id" not in frame:
            return self.until_pong()
        if isinstance(then, dict) and then.get("params", {}).get("requestId") == frame["id"]:
            return []
        return self.until_answer(frame["id"])

    def end(self) -> tuple[int, str]:
        """End of input: the exit code, and what it said to the user."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        try:
            code = self.process.wait(LIMIT)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self._errors.seek(0)
            said = self._errors.read().decode()
            self._errors.close()
        return code, said


def script(*arguments: str) -> list[tuple[Frame, list[Any]]]:
    """The whole script with one server, which ends well."""
    peer, every = Peer(*arguments), frames()
    try:
        rows = [(frame, peer.say(frame, then)) for frame, then in zip(every, [*every[1:], None], strict=True)]
    finally:
        code, said = peer.end()
    assert code == 0, said
    return rows


@pytest.mark.parametrize("program", [HIGH, LOW], ids=["FastMCP", "Server"])
def test_every_message_is_answered_as_on_the_official_package(program: str) -> None:
    theirs, ours = script("-c", program), script("-m", "mcpbolt.compat", "-c", program)
    different = [(frame, said, own) for (frame, said), (_, own) in zip(theirs, ours, strict=True) if said != own]
    assert not different
    assert len(theirs) > 80


def over_http(program: str) -> list[Any]:
    """The answers to requests that reach handlers, over Streamable HTTP."""
    served = program.replace("app.run()", "import sys; app.settings.port = int(sys.argv[1]); app.run('streamable-http')")
    with serving(served) as (url, _), Client(f"{url}/mcp") as client:
        opened = client.post(HANDSHAKE[0])
        client.http.headers["mcp-session-id"] = opened.headers["mcp-session-id"]
        client.http.headers["mcp-protocol-version"] = "2025-11-25"
        client.post(HANDSHAKE[1])
        return [messages(client.post(frame)) for frame in handled()]


def test_over_http_handlers_are_heard_alike() -> None:
    theirs, ours = over_http(HIGH), over_http(f"import mcpbolt.compat; mcpbolt.compat.install()\n{HIGH}")
    assert theirs == ours


def test_with_the_fixes_the_defects_are_gone() -> None:
    peer = Peer("-m", "mcpbolt.compat", "--fixes", "-c", HIGH)
    try:
        for frame in HANDSHAKE:
            peer.say(frame, None)
        answers = [
            peer.say({"jsonrpc": "2.0", "id": 1, "method": "no/such"}, None),
            peer.say({"jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": {"name": "none"}}, None),
            peer.say(b"{no json", None),
        ]
        assert [answer[0]["error"]["code"] for answer in answers] == [-32601, -32602, -32700]
        peer.send({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "slow", "arguments": {}}})
        peer.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}})
        assert peer.until_pong() == []
    finally:
        assert peer.end()[0] == 0


def test_clients_of_the_modern_era_are_served_under_the_official_name_too() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "c", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    peer = Peer("-m", "mcpbolt.compat", "-c", HIGH)
    try:
        found = peer.say({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}, None)
        assert "2026-07-28" in found[0]["result"]["supportedVersions"]
        params = {"name": "add", "arguments": {"a": 1}, "_meta": meta}
        added = peer.say({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}, None)
        assert added[0]["result"]["structuredContent"] == {"result": 2}
    finally:
        peer.send(HANDSHAKE[0])
        assert peer.end()[0] == 0


def test_what_tools_print_does_not_disturb_the_messages() -> None:
    program = """
import os, sys
from mcp.server.fastmcp import FastMCP
app = FastMCP("noisy")

@app.tool()
def noisy() -> str:
    print("printed", flush=True)
    os.system("echo from a child")
    return "done"

app.run()
print("over")
"""
    peer = Peer("-m", "mcpbolt.compat", "-c", program)
    try:
        for frame in HANDSHAKE:
            peer.say(frame, None)
        params = {"name": "noisy", "arguments": {}}
        answer = peer.say({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}, None)
        assert answer[0]["result"]["structuredContent"] == {"result": "done"}
    finally:
        code, said = peer.end()
    assert code == 0 and "printed" in said and "from a child" in said
    assert peer._lines.get(timeout=LIMIT) == b"over\n"


def test_a_megabyte_goes_both_ways_while_nobody_reads() -> None:
    program = """
from mcp.server.fastmcp import FastMCP
app = FastMCP("big")

@app.tool()
def echo(text: str) -> str:
    return text

app.run()
"""
    text = "ü" * (1 << 20)
    peer = Peer("-m", "mcpbolt.compat", "-c", program)
    try:
        for frame in HANDSHAKE:
            peer.say(frame, None)
        for number in (1, 2, 3):
            peer.send({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": text}}})
        for number in (1, 2, 3):
            assert peer.until_answer(number)[-1]["result"]["structuredContent"] == {"result": text}
    finally:
        assert peer.end()[0] == 0
