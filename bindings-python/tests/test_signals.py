"""A signal that comes while a server ends by itself."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from bounds import START
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
