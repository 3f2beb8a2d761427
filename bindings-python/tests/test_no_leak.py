"""No leak: after a warm-up, many more calls change memory by less than 8 MB, and file
descriptors, threads, tasks, sessions and what is kept of calls not at all.

`cargo xtask test --full` makes 100,000 calls, CI fewer.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bounds import START
from peer import FOLDER
from ports import free_port
from wire import MODERN

import mcpbolt

FULL = bool(os.environ.get("MCPBOLT_TEST_FULL"))
WARM_UP, CALLS = (10_000, 100_000) if FULL else (1_000, 5_000)
TIME = 600 if FULL else 60
MEMORY = 8 << 20
CONNECTIONS = 8
# A session lives for so many calls.
SESSION_CALLS = 50
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
PROGRAM = [sys.executable, str(FOLDER / "counted.py")]
ENVIRONMENT = dict(os.environ, PYTHONPATH=str(Path(mcpbolt.__file__).parent.parent))

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="counts come from /proc")


def compare(what: str, before: dict[str, int], after: dict[str, int]) -> None:
    changes = {name: after.get(name, 0) - before.get(name, 0) for name in {*before, *after}}
    memory = changes.pop("memory")
    print(f"{what}: {CALLS} calls, memory {memory / 1e6:+.2f} MB, all else {changes}")
    assert memory < MEMORY, f"{what}: {memory / 1e6:.2f} MB more"
    assert not any(changes.values()), f"{what}: {changes}"


def call(number: int, meta: Any = None) -> dict[str, Any]:
    name = ("echo", "plain", "echo", "fail")[number % 4]
    params = {"name": name, "arguments": {"text": f"call {number}"}}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {**params, **(meta or {})}}


def check(answer: dict[str, Any]) -> None:
    assert answer["result"]["content"][0]["text"].endswith(f"call {answer['id']}"), answer


def counts_in(answer: dict[str, Any]) -> dict[str, int]:
    return json.loads(answer["result"]["content"][0]["text"])


COUNT = {"name": "count", "arguments": {}}


def test_nothing_is_left_behind_by_a_server_on_stdio() -> None:
    async def main() -> None:
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, "server", "stdio", stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRONMENT
        )
        reader, writer = process.stdout, process.stdin
        assert reader is not None and writer is not None

        def send(*messages: dict[str, Any]) -> None:
            writer.write(b"".join(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages))

        async def ask(method: str, params: Any) -> dict[str, Any]:
            send({"id": "ask", "method": method, "params": params})
            return json.loads(await reader.readline())

        async def load(calls: int) -> None:
            for start in range(0, calls, 50):
                send(*(call(number) for number in range(start, start + 50)))
                for _ in range(50):
                    check(json.loads(await reader.readline()))

        await ask("initialize", HELLO)
        send({"method": "notifications/initialized"})
        await load(WARM_UP)
        before = counts_in(await ask("tools/call", COUNT))
        await load(CALLS)
        compare("server, stdio", before, counts_in(await ask("tools/call", COUNT)))
        writer.close()
        assert await process.wait() == 0

    asyncio.run(asyncio.wait_for(main(), TIME))


class Http:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.session = ""

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)

    async def exchange(self, verb: str, message: Any = None, headers: str = "") -> tuple[dict[str, str], Any]:
        body = b"" if message is None else json.dumps({"jsonrpc": "2.0", **message}).encode()
        session = f"Mcp-Session-Id: {self.session}\r\n" if self.session else ""
        accept = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        host = f"Host: 127.0.0.1:{self.port}\r\n"
        self.writer.write(
            f"{verb} /mcp HTTP/1.1\r\n{host}{accept}{headers}{session}Content-Length: {len(body)}\r\n\r\n".encode() + body
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        status, *lines = head.split("\r\n")
        assert status.split()[1] in ("200", "202", "204"), head
        found = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        data = await self._body(found)
        return found, json.loads(data) if data else None

    async def _body(self, headers: dict[str, str]) -> bytes:
        if headers.get("transfer-encoding") != "chunked":
            return await self.reader.readexactly(int(headers.get("content-length", 0)))
        data = b""
        while size := int(await self.reader.readline(), 16):
            data += (await self.reader.readexactly(size + 2))[:-2]
        await self.reader.readline()
        return [line[5:].strip() for line in data.split(b"\n") if line.startswith(b"data:")][-1]

    async def begin(self) -> None:
        headers, _ = await self.exchange("POST", {"id": 0, "method": "initialize", "params": HELLO})
        self.session = headers["mcp-session-id"]
        await self.exchange("POST", {"method": "notifications/initialized"}, "Mcp-Protocol-Version: 2025-11-25\r\n")

    async def end(self) -> None:
        await self.exchange("DELETE")
        self.session = ""

    async def legacy(self, calls: int) -> None:
        for number in range(calls):
            if number % SESSION_CALLS == 0:
                await self.begin()
            _, answer = await self.exchange("POST", call(number), "Mcp-Protocol-Version: 2025-11-25\r\n")
            check(answer)
            if number % SESSION_CALLS == SESSION_CALLS - 1:
                await self.end()

    async def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        params = {**message["params"], "_meta": MODERN}
        name = params["name"]
        headers = f"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: {name}\r\n"
        return (await self.exchange("POST", {**message, "params": params}, headers))[1]

    async def modern(self, calls: int) -> None:
        for number in range(calls):
            check(await self.ask(call(number)))


@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_nothing_is_left_behind_by_a_server_on_http(era: str) -> None:
    async def main() -> None:
        port = free_port()
        process = await asyncio.create_subprocess_exec(
            *PROGRAM, "server", "streamable-http", str(port), stderr=subprocess.PIPE, env=ENVIRONMENT
        )
        assert process.stderr is not None
        while b"Serving HTTP" not in (line := await asyncio.wait_for(process.stderr.readline(), START)):
            assert line, "the server ended"
        connections = [Http(port) for _ in range(CONNECTIONS)]
        for connection in connections:
            await connection.open()

        async def load(calls: int) -> None:
            each = calls // CONNECTIONS // SESSION_CALLS * SESSION_CALLS
            await asyncio.gather(*(getattr(connection, era)(each) for connection in connections))

        async def counted() -> dict[str, int]:
            return counts_in(await connections[0].ask({"id": "count", "method": "tools/call", "params": COUNT}))

        await load(WARM_UP)
        before = await counted()
        await load(CALLS)
        compare(f"server, HTTP, {era}", before, await counted())
        for connection in connections:
            connection.writer.close()
        process.terminate()
        assert await process.wait() == 143

    asyncio.run(asyncio.wait_for(main(), TIME))


def test_nothing_is_left_behind_by_a_client() -> None:
    command = [*PROGRAM, "client", str(CALLS), str(WARM_UP)]
    done = subprocess.run(command, stdout=subprocess.PIPE, env=ENVIRONMENT, timeout=TIME, check=True)
    before, after = json.loads(done.stdout)
    compare("client, stdio", before, after)
