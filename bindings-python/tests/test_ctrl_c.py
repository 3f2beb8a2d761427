"""Ending a server over HTTP by signals while a call runs."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest
from bounds import LIMIT, PROMISED, START, WHOLE
from ports import free_port

from mcpbolt import Client

PROGRAM = """
import asyncio, sys, threading
from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("slow", port=int(sys.argv[1]))

@mcp.tool()
def block() -> str:
    print("runs", flush=True)
    threading.Event().wait()
    return ""

@mcp.tool()
async def hang() -> str:
    print("runs", flush=True)
    await asyncio.Event().wait()
    return ""

@mcp.tool()
async def stubborn() -> str:
    print("runs", flush=True)
    while True:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            pass

if len(sys.argv) > 2:
    asyncio.run(mcp.run_streamable_http_async())
mcp.run("streamable-http")
"""


class Slow:
    """A server with a call of a tool that does not end."""

    def __init__(self, tool: str, *arguments: str) -> None:
        self.tool = tool
        self.port = free_port()
        command = [sys.executable, "-c", PROGRAM, str(self.port), *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.watchdog = threading.Timer(START + LIMIT, self.process.kill)

    async def _until_up(self) -> None:
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                assert self.process.poll() is None, "it ended"
                await asyncio.sleep(0)
            else:
                writer.close()
                return

    async def __aenter__(self) -> Slow:
        self.watchdog.start()
        await asyncio.wait_for(self._until_up(), START)
        self.client = Client(f"http://127.0.0.1:{self.port}/mcp", mode="legacy")
        await self.client.__aenter__()
        self.call = asyncio.ensure_future(self.client.call_tool(self.tool, {}))
        assert await self.line(self.process.stdout) == "runs\n"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.process.kill()
        self.watchdog.cancel()
        self.process.wait(LIMIT)
        await asyncio.gather(self.call, return_exceptions=True)
        try:
            await self.client.__aexit__(None, None, None)
        except Exception:
            pass  # its server is gone
        for stream in (self.process.stdout, self.process.stderr):
            assert stream
            stream.close()

    async def line(self, stream: Any) -> str:
        return await asyncio.wait_for(asyncio.to_thread(stream.readline), LIMIT)


def run(work: Any) -> None:
    asyncio.run(asyncio.wait_for(work, WHOLE))


@pytest.mark.parametrize("tool", ["block", "hang", "stubborn"])
@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_first_signal_says_what_it_waits_for_and_the_second_does_not_wait(
    tool: str, number: signal.Signals, code: int
) -> None:
    async def main() -> None:
        async with Slow(tool) as slow:
            slow.process.send_signal(number)
            said = await slow.line(slow.process.stderr)
            assert said == f"Stopping: up to 10 s for 1 call to end (tools/call {tool}). Ctrl-C again ends at once.\n"
            slow.process.send_signal(number)
            assert await asyncio.to_thread(slow.process.wait, PROMISED) == code
            assert await slow.line(slow.process.stderr) == ""

    run(main())


def test_a_program_with_a_loop_of_its_own_is_told_in_its_log() -> None:
    async def main() -> None:
        async with Slow("hang", "own loop") as slow:
            slow.process.send_signal(signal.SIGINT)
            # Before 3.11, asyncio.run() cancels all tasks at once: the call may have ended
            # before the server looks for calls to wait for.
            if sys.version_info >= (3, 11):
                said = await slow.line(slow.process.stderr)
                assert said.startswith("Stopping: up to 10 s for 1 call to end (tools/call hang). Ctrl-C again"), said
                slow.process.send_signal(signal.SIGINT)
            await asyncio.to_thread(slow.process.wait, PROMISED)

    run(main())
