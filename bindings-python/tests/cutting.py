"""An HTTP server that goes away while something waits for it.

Written by hand on a socket, so that it can do what no good server does.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

RESULTS = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "prompts": {}},
        "serverInfo": {"name": "cut", "version": "1"},
    },
    "server/discover": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": True}},
        "ttlMs": 0,
        "cacheScope": "private",
    },
}
QUESTION = {
    "jsonrpc": "2.0",
    "id": "question",
    "method": "elicitation/create",
    "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}},
}
EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


class Cutter:
    """Takes the way when a message of the method comes.

    `stream` ends the connection in the middle of an answer, `exit` also refuses every
    other, `session` has never heard of the session, `silent` answers no more.
    """

    def __init__(self, way: str, method: str) -> None:
        self.way, self.method = way, method
        self.port = 0
        self.gone = self.forgotten = False
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        self.gone = True
        if self._server is not None:
            self._server.close()
        for writer in list(self._connections):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        try:
            while not self.gone:
                await self._exchange(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._connections.discard(writer)
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        size = next((int(line.split(":")[1]) for line in head.split("\r\n") if line.startswith("content-length")), 0)
        body = await reader.readexactly(size)
        if not head.startswith("post"):
            await self._say(writer, 405)
            return
        message = json.loads(body)
        method = message.get("method", "")
        if self.forgotten:
            await self._say(writer, 404)
        elif method == self.method:
            await self._cut(writer, "id" in message)
        elif method in RESULTS:
            result = {"jsonrpc": "2.0", "id": message["id"], "result": RESULTS[method]}
            await self._say(writer, 200, result, "mcp-session-id: s\r\n")
        elif method == "tools/call":
            data = b"data: " + json.dumps(QUESTION).encode() + b"\n\n"
            writer.write(EVENTS + b"%x\r\n%s\r\n" % (len(data), data))
        else:
            await self._say(writer, 202)

    async def _cut(self, writer: asyncio.StreamWriter, is_request: bool) -> None:
        if self.way == "silent" and not is_request:
            await self._say(writer, 202)
        elif self.way == "session":
            self.forgotten = True
            await self._say(writer, 404)
        elif self.way == "exit":
            self.stop()
        elif self.way == "stream":
            writer.write(EVENTS + b"5\r\n: ok\n")
            await writer.drain()
            for other in list(self._connections):
                other.transport.abort()

    async def _say(self, writer: asyncio.StreamWriter, status: int, message: Any = None, more: str = "") -> None:
        body = b"" if message is None else json.dumps(message).encode()
        kind = "content-type: application/json\r\n" if body else ""
        writer.write(f"HTTP/1.1 {status} X\r\n{kind}{more}content-length: {len(body)}\r\n\r\n".encode() + body)
        await writer.drain()


@asynccontextmanager
async def cutting(way: str, method: str) -> AsyncIterator[Cutter]:
    server = Cutter(way, method)
    await server.start()
    try:
        yield server
    finally:
        server.stop()
