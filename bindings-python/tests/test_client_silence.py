"""`sse_read_timeout`: a server that accepts a request and then says nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import anyio
import httpx
import pytest
from bounds import LIMIT
from peer import soon

from mcpbolt import ClientSession
from mcpbolt.client.session_group import ClientSessionGroup, SseServerParameters, StreamableHttpParameters
from mcpbolt.client.sse import sse_client
from mcpbolt.client.streamable_http import limits_silence, streamablehttp_client
from mcpbolt.shared.exceptions import ConnectError, McpError, SessionClosed

SILENCE = 0.5
ABOUT = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}
ENDPOINT = b"event: endpoint\ndata: /messages?session_id=12345678123456781234567812345678\n\n"
STREAM = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
ACCEPTED = b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"


class Silent:
    """Answers the handshake, and begins an answer to all else with `begin`."""

    def __init__(self, begin: bytes) -> None:
        self.begin = begin
        self._stream: Any = None
        self._serving: set[asyncio.Task[None]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: Any = asyncio.current_task()
        self._serving.add(task)
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                sizes = [line.split(":")[1] for line in head.split("\r\n") if line.startswith("content-length")]
                self._answer(head.split(" ")[0], await reader.readexactly(int(sizes[0]) if sizes else 0), writer)
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.transport.abort()

    async def close(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.wait(self._serving)

    def _answer(self, verb: str, body: bytes, writer: asyncio.StreamWriter) -> None:
        if verb == "get":
            self._stream = writer
            writer.write(STREAM + ENDPOINT)
            return
        message = json.loads(body) if body else {}
        result = json.dumps({"jsonrpc": "2.0", "id": message.get("id"), "result": ABOUT}).encode()
        if message.get("method") != "initialize":
            writer.write(self.begin if "id" in message else ACCEPTED)
        elif self._stream is not None:
            writer.write(ACCEPTED)
            self._stream.write(b"data: " + result + b"\n\n")
        else:
            head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(result)}\r\n\r\n"
            writer.write(head.encode() + result)


@asynccontextmanager
async def silent(begin: bytes = b"") -> AsyncIterator[str]:
    answering = Silent(begin)
    server = await asyncio.start_server(answering.serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await answering.close()


async def _called(transport: Any) -> None:
    async with transport as (read, write, *_), ClientSession(read, write) as session:
        await session.initialize()
        await session.call_tool("any")


BEGINNINGS = {
    "nothing": b"",
    "half-an-answer": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{",
    "a-stream": STREAM + b": hello\n\n",
}


@pytest.mark.parametrize("begin", BEGINNINGS.values(), ids=BEGINNINGS)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_silence_over_streamable_http_ends_the_request(begin: bytes) -> None:
    async def main() -> None:
        async with silent(begin) as url:
            await soon(_called(streamablehttp_client(url, sse_read_timeout=SILENCE)))

    words = "stream ended before the answer" if begin.startswith(STREAM) else r"^ReadTimeout \(http"
    with pytest.raises(ConnectError, match=words):
        anyio.run(main)


@pytest.mark.usefixtures("as_official")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_it_is_the_official_exception_under_the_official_name() -> None:
    async def main() -> None:
        async with silent() as url:
            await soon(_called(streamablehttp_client(url, sse_read_timeout=timedelta(seconds=SILENCE))))

    with pytest.raises(Exception, match="unhandled errors in a TaskGroup") as caught:
        anyio.run(main)
    [inner] = caught.value.exceptions  # type: ignore[attr-defined]
    assert type(inner) is httpx.ReadTimeout


@pytest.mark.parametrize("official", [False, True], ids=["own", "official"])
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_silence_of_an_event_stream_closes_the_session(official: bool, request: pytest.FixtureRequest) -> None:
    if official:
        request.getfixturevalue("as_official")

    async def main() -> None:
        async with silent(ACCEPTED) as url:
            await soon(_called(sse_client(url, sse_read_timeout=SILENCE)))

    with pytest.raises(McpError, match="Connection closed") as caught:
        anyio.run(main)
    assert isinstance(caught.value, SessionClosed)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_servers_of_a_group_have_the_limit_too() -> None:
    async def main(parameters: Any, begin: bytes) -> None:
        async with silent(begin) as url, ClientSessionGroup() as group:
            session = await soon(group.connect_to_server(parameters(url)))
            with anyio.fail_after(LIMIT):
                await session.call_tool("any")

    # A group asks for lists first, and does without those that it does not get.
    limit = timedelta(seconds=SILENCE)
    with pytest.raises(McpError):
        anyio.run(main, lambda url: StreamableHttpParameters(url=url, sse_read_timeout=limit), b"")
    with pytest.raises(McpError):
        anyio.run(main, lambda url: SseServerParameters(url=url, sse_read_timeout=SILENCE), ACCEPTED)


@pytest.mark.parametrize("given", [300, 300.0, timedelta(minutes=5), None])
def test_the_default_leaves_the_requests_to_the_engine(given: Any) -> None:
    # differs: silence
    assert not limits_silence(given)
