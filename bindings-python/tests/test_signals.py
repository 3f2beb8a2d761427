"""Signals that end a server: when they come, and who is told."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest
from bounds import START
from ports import free_port
from wire import Child

if sys.platform == "win32":
    pytest.skip("signals are POSIX's", allow_module_level=True)

PROGRAM = """
import signal, sys
from mcpbolt._engine.runner import run

async def main():
    signal.raise_signal(int(sys.argv[1]))

run(main)
"""


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_is_not_lost_where_the_input_ends_too(number: int, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(int(number))], capture_output=True, text=True, timeout=START
    )
    assert (done.returncode, done.stderr) == (code, "")


SERVER = """
from mcpbolt import FastMCP

FastMCP("x").run()
"""


@pytest.mark.parametrize("attempt", range(6))
def test_a_server_of_standard_streams_ends_by_a_signal_at_the_end_of_its_input(attempt: int) -> None:
    process = subprocess.Popen([sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    try:
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline()
        if attempt % 2:
            process.stdin.close()
        process.send_signal(signal.SIGTERM)
        process.stdin.close()
        # Its own exit code, or that of a process that was gone from its handlers already.
        wanted = (143,) if not attempt % 2 else (143, -signal.SIGTERM, 0)
        assert process.wait(START) in wanted
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


BLOCKING = """
import sys, threading
from mcpbolt import FastMCP

mcp = FastMCP("x")

def block() -> str:
    print("blocks", file=sys.stderr, flush=True)
    threading.Event().wait()
    return ""

mcp.resource("a://b")(block)
mcp.prompt()(block)
mcp.run()
"""


@pytest.mark.parametrize("number, code", [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
@pytest.mark.parametrize("asked", [("resources/read", {"uri": "a://b"}), ("prompts/get", {"name": "block"})])
def test_a_plain_function_that_blocks_keeps_no_server_from_ending(
    asked: tuple[str, dict[str, str]], number: signal.Signals, code: int
) -> None:
    with Child(BLOCKING) as child:
        child.open()
        child.start(asked[0], **asked[1])
        assert child.process.stderr and child.process.stderr.readline() == b"blocks\n"
        child.signal(number)
        assert child.process.wait(START) == code


HANDLED = """
import asyncio, signal, sys
from contextlib import asynccontextmanager
from mcpbolt import FastMCP

number, transport, port = signal.Signals[sys.argv[1]], sys.argv[2], int(sys.argv[3])

def said(*words):
    print(*words, file=sys.stderr, flush=True)

def clean(got, frame):
    said("handler", signal.Signals(got).name)
    if "exits" in sys.argv:
        sys.exit(7)

@asynccontextmanager
async def lifespan(server):
    asyncio.get_running_loop().call_soon(signal.raise_signal, number)
    try:
        yield
    finally:
        said("lifespan ended")

class Server(FastMCP):
    def sse_app(self, mount_path=None):
        from starlette.applications import Starlette

        return Starlette(lifespan=lifespan)

signal.signal(number, signal.SIG_IGN if "ignores" in sys.argv else clean)
Server("x", port=port, log_level="CRITICAL", lifespan=lifespan).run(transport)
said("went on")
"""


@pytest.mark.parametrize("transport", ["stdio", "http", "sse"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("way, code", [("exits", 7), ("returns", 0)])
def test_a_handler_of_the_program_is_called_once_the_server_has_ended(
    transport: str, name: str, way: str, code: int
) -> None:
    command = [sys.executable, "-c", HANDLED, name, transport, str(free_port()), way]
    # With standard streams the input stays open: only the signal ends the server.
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(START, process.kill)
        watchdog.start()
        assert process.stderr
        lines = process.stderr.read().splitlines()
        watchdog.cancel()
    said = [line for line in lines if line != "lifespan ended"]
    assert said == [f"handler {name}", *(["went on"] if way == "returns" else [])]
    if transport != "sse":  # uvicorn leaves the lifespan of an application open where it ends so early
        assert lines[0] == "lifespan ended"
    assert process.returncode == code


@pytest.mark.parametrize("name, code", [("SIGTERM", 143), ("SIGINT", 130)])
def test_a_signal_that_the_program_ignores_ends_its_server_all_the_same(name: str, code: int) -> None:
    command = [sys.executable, "-c", HANDLED, name, "http", str(free_port()), "ignores"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=START)
    assert (done.returncode, done.stderr) == (code, "lifespan ended\n")
