"""Clients over HTTP: the engine's own requests, and a program's HTTP client."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

import anyio
import httpx
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream
from peer import legacy_command, official, serving, soon, text

import mcpbolt
from mcpbolt import ClientSession, McpError, types
from mcpbolt.client.sse import sse_client
from mcpbolt.client.streamable_http import streamable_http_client, streamablehttp_client
from mcpbolt.shared.exceptions import ConnectError
from mcpbolt.shared.message import ClientMessageMetadata, SessionMessage

official()
pytestmark = pytest.mark.filterwarnings("ignore:Use `streamable_http_client`:DeprecationWarning")


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving(legacy_command(), "streamable-http") as found:
        yield found


@pytest.fixture(scope="module")
def sse_port() -> Iterator[int]:
    with serving(legacy_command(), "sse") as found:
        yield found


class Seen:
    """An HTTP client that remembers what went through it."""

    def __init__(self) -> None:
        self.requests: list[httpx.Request] = []

    async def note(self, request: httpx.Request) -> None:
        self.requests.append(request)

    def client(self, headers: Any = None, timeout: Any = None, auth: Any = None) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            headers=headers, timeout=timeout, auth=auth, event_hooks={"request": [self.note]}, trust_env=False
        )

    def methods(self) -> list[str]:
        return [request.method for request in self.requests]


async def exercise(opened: ClientSession) -> None:
    """Plain answers, progress, and a question of the server on the way."""
    steps: list[float] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        steps.append(progress)

    result = await soon(opened.initialize())
    assert result.serverInfo.name == "peer"
    assert text(await soon(opened.call_tool("echo", {"text": "ü"}))) == "ü"
    await soon(opened.call_tool("count", {"to": 3}, progress_callback=progress))
    assert steps == [1, 2, 3]
    assert text(await soon(opened.call_tool("ask"))) == "decline:"


async def decline(context: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="decline")


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_streamable_http_by_the_engine(port: int, backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")

    async def main() -> None:
        async with streamable_http_client(f"http://127.0.0.1:{port}/mcp") as (read, write, session_id):
            assert session_id() is None
            async with ClientSession(read, write, elicitation_callback=decline) as opened:
                await exercise(opened)
                assert session_id()
        assert session_id()

    anyio.run(main, backend=backend)


# On trio httpx leaves its generators to the collector.
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_streamable_http_through_the_programs_own_client(port: int, backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")

    async def main() -> None:
        seen = Seen()
        async with seen.client() as http:
            async with streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http) as streams:
                read, write, session_id = streams
                async with ClientSession(read, write, elicitation_callback=decline) as opened:
                    await exercise(opened)
                    assert session_id()
        methods = seen.methods()
        assert methods[0] == "POST" and "GET" in methods and methods[-1] == "DELETE"
        posts = [request for request in seen.requests if request.method == "POST"]
        assert "mcp-session-id" not in posts[0].headers
        assert all(post.headers["mcp-protocol-version"] == "2025-11-25" for post in posts[1:])
        assert all(post.headers["mcp-session-id"] == session_id() for post in posts[1:])

    anyio.run(main, backend=backend)


def test_a_burst_of_calls_through_the_programs_own_client(port: int) -> None:
    async def main() -> None:
        answers: list[str] = []

        async def call(opened: ClientSession, number: int) -> None:
            answers.append(text(await soon(opened.call_tool("echo", {"text": str(number)}))))

        async with Seen().client() as http:
            async with streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http) as (read, write, _):
                async with ClientSession(read, write) as opened:
                    await soon(opened.initialize())
                    async with anyio.create_task_group() as tasks:
                        for number in range(60):
                            tasks.start_soon(call, opened, number)
        assert sorted(answers, key=int) == [str(number) for number in range(60)]

    anyio.run(main)


@asynccontextmanager
async def listening(handler: Callable[[httpx.Request], httpx.Response]) -> AsyncIterator[str]:
    """What answers in the place of a server, on a port; yields its URL."""

    async def serve(stream: anyio.abc.SocketStream) -> None:
        async with stream:
            sent = BufferedByteReceiveStream(stream)
            with suppress(anyio.EndOfStream, anyio.IncompleteRead, anyio.BrokenResourceError):
                while True:
                    first, *rows = (await sent.receive_until(b"\r\n\r\n", 1 << 16)).decode().split("\r\n")
                    headers = httpx.Headers([tuple(row.split(": ", 1)) for row in rows])
                    body = await sent.receive_exactly(int(headers.get("content-length", 0)))
                    answer = handler(httpx.Request(first.split()[0], "http://server/mcp", headers=headers, content=body))
                    head = {**answer.headers, "content-length": str(len(answer.content))}
                    words = "".join(f"{name}: {value}\r\n" for name, value in head.items())
                    await stream.send(f"HTTP/1.1 {answer.status_code} X\r\n{words}\r\n".encode() + answer.content)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, serve)
        yield f"http://127.0.0.1:{listener.extra(anyio.abc.SocketAttribute.local_port)}/mcp"
        tasks.cancel_scope.cancel()


class Remembering:
    """A server whose streams can be resumed."""

    def __init__(self) -> None:
        # Ids after which a stream was asked for, and ids that the program was told.
        self.asked: list[str] = []
        self.called: dict[str, httpx.Headers] = {}

    async def told(self, token: str) -> None:
        self.asked.append(token)

    @asynccontextmanager
    async def reached(self, way: str) -> AsyncIterator[Any]:
        """The streams to it, by the engine or through the program's HTTP client."""
        if way == "engine":
            async with listening(self.handle) as url, streamable_http_client(url) as (read, write, _):
                yield read, write
        else:
            async with httpx.AsyncClient(transport=httpx.MockTransport(self.handle)) as http:
                async with streamable_http_client("http://server/mcp", http_client=http) as (read, write, _):
                    yield read, write

    def handle(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET" and "last-event-id" not in request.headers:
            return httpx.Response(405)
        if request.method == "GET":
            self.asked.append(request.headers["last-event-id"])
            changed = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
            return self._stream((8, changed), (9, self._result("an older one", "an older one")))
        message = json.loads(request.content)
        if message["method"] == "initialize":
            shown = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
            return httpx.Response(200, json={"jsonrpc": "2.0", "id": message["id"], "result": shown})
        if "id" not in message:
            return httpx.Response(202)
        name = message["params"]["name"]
        self.called[name] = request.headers
        return self._stream((1, ""), (2, self._result(message["id"], name)))

    @staticmethod
    def _result(number: Any, said: str) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": number, "result": {"content": [{"type": "text", "text": said}]}}

    @staticmethod
    def _stream(*events: tuple[int, Any]) -> httpx.Response:
        body = "".join(f"id: {number}\ndata: {data and json.dumps(data)}\n\n" for number, data in events)
        return httpx.Response(200, text=body, headers={"content-type": "text/event-stream"})


def calling(name: str) -> types.ClientRequest:
    return types.ClientRequest(types.CallToolRequest(params=types.CallToolRequestParams(name=name, arguments={})))


WAYS = pytest.mark.parametrize("way", ["engine", "the program's client"])


@WAYS
def test_a_program_resumes_a_call_by_the_ids_of_its_events(way: str) -> None:
    server = Remembering()

    async def main() -> None:
        async with server.reached(way) as streams, ClientSession(*streams) as opened:
            await soon(opened.initialize())
            for token in (None, "7"):
                metadata = ClientMessageMetadata(resumption_token=token, on_resumption_token_update=server.told)
                result = await soon(opened.send_request(calling("x"), types.CallToolResult, metadata=metadata))
                assert text(result) == ("x" if token is None else "an older one")
        assert server.asked == ["1", "2", "7", "8", "9"]

    anyio.run(main)


@WAYS
def test_what_is_said_of_a_call_goes_with_no_other(way: str) -> None:
    server, answers = Remembering(), list[str]()

    async def main() -> None:
        async def call(opened: ClientSession, name: str, **said: Any) -> None:
            metadata = ClientMessageMetadata(**said) if said else None
            result = await soon(opened.send_request(calling(name), types.CallToolResult, metadata=metadata))
            answers.append(text(result))

        async with server.reached(way) as streams, ClientSession(*streams) as opened:
            await soon(opened.initialize())
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, opened, "plain")
                tasks.start_soon(partial(call, opened, "resumed", resumption_token="7"))
                tasks.start_soon(partial(call, opened, "marked", headers={"x-own": "one"}))
        assert sorted(answers) == ["an older one", "marked", "plain"]
        assert server.asked == ["7"]
        marks = {name: headers.get("x-own") for name, headers in server.called.items()}
        assert marks == {"plain": None, "marked": "one"}

    anyio.run(main)


def test_what_is_said_of_a_message_in_streams_goes_with_no_other() -> None:
    server = Remembering()

    async def main() -> None:
        async with server.reached("the program's client") as (read, write):
            said = ClientMessageMetadata(headers={"x-own": "one"})
            # A notification of that name takes no request's place.
            notice = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", "method": "tools/call"})
            await soon(write.send(SessionMessage(notice, said)))
            for number, name in enumerate(("plain", "marked")):
                message = {"jsonrpc": "2.0", "id": number, **calling(name).model_dump(by_alias=True, exclude_none=True)}
                whole = types.JSONRPCMessage.model_validate(message)
                await soon(write.send(SessionMessage(whole, said if number else None)))
            for _ in range(2):
                await soon(read.receive())
        marks = {name: headers.get("x-own") for name, headers in server.called.items()}
        assert marks == {"plain": None, "marked": "one"}

    anyio.run(main)


def test_a_factory_and_auth_are_honoured(port: int) -> None:
    class Signed(httpx.Auth):
        def auth_flow(self, request: httpx.Request) -> Any:
            request.headers["x-signed"] = "yes"
            yield request

    async def main() -> None:
        seen = Seen()
        way = streamablehttp_client(
            f"http://127.0.0.1:{port}/mcp", {"x-own": "1"}, httpx_client_factory=seen.client, auth=Signed()
        )
        async with way as (read, write, _):
            async with ClientSession(read, write) as opened:
                await soon(opened.initialize())
        assert all(request.headers["x-own"] == "1" for request in seen.requests)
        assert all(request.headers["x-signed"] == "yes" for request in seen.requests)

    anyio.run(main)


def test_headers_reach_the_server_without_a_client_of_ones_own() -> None:
    async def main() -> None:
        heads: list[bytes] = []

        async def answer(stream: anyio.abc.SocketStream) -> None:
            async with stream:
                heads.append(await stream.receive())
                await stream.send(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")

        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, answer)
            way = streamablehttp_client(f"http://127.0.0.1:{port}/mcp", {"X-Own": "one"})
            async with way as (read, write, _), ClientSession(read, write) as opened:
                with pytest.raises(McpError) as caught:
                    await soon(opened.initialize())
                assert caught.value.kind == "forbidden"
            assert b"x-own: one" in heads[0].lower()
            tasks.cancel_scope.cancel()
        await listener.aclose()

    anyio.run(main)


def test_a_server_that_is_not_there_is_one_plain_error() -> None:
    async def main() -> None:
        async with streamable_http_client("http://127.0.0.1:9/mcp") as (read, write, _):
            async with ClientSession(read, write) as opened:
                with pytest.raises(ConnectError):
                    await soon(opened.initialize())
        seen = Seen()
        async with seen.client() as http:
            way = streamable_http_client("http://127.0.0.1:9/mcp", http_client=http)
            async with way as (read, write, _), ClientSession(read, write) as opened:
                with pytest.raises(McpError, match="ConnectError"):
                    await soon(opened.initialize())

    anyio.run(main)


def test_sse_by_the_engine_and_through_a_factory(sse_port: int) -> None:
    async def main() -> None:
        url = f"http://127.0.0.1:{sse_port}/sse"
        async with sse_client(url) as (read, write):
            async with ClientSession(read, write, elicitation_callback=decline) as opened:
                await exercise(opened)
        seen, ids = Seen(), list[str]()
        way = sse_client(url, httpx_client_factory=seen.client, on_session_created=ids.append)
        async with way as (read, write):
            async with ClientSession(read, write, elicitation_callback=decline) as opened:
                await exercise(opened)
        assert seen.methods()[0] == "GET" and len(ids) == 1
        assert all(request.method == "POST" for request in seen.requests[1:])

    anyio.run(main)


def test_a_server_that_dies_fails_what_waits() -> None:
    async def main() -> None:
        with serving(legacy_command(), "streamable-http") as port:
            async with streamable_http_client(f"http://127.0.0.1:{port}/mcp") as (read, write, _):
                async with ClientSession(read, write) as opened:
                    await soon(opened.initialize())
                    with pytest.raises(McpError) as caught:
                        await soon(opened.call_tool("die", {"code": 0}))
                    assert caught.value.local

    anyio.run(main)


class Door:
    """A server that refuses everything with one status, and counts what it was asked."""

    def __init__(self, status: int) -> None:
        self.asked = 0
        self._head = f"HTTP/1.1 {status} No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode()

    async def answer(self, stream: anyio.abc.SocketStream) -> None:
        async with stream:
            await stream.receive()
            self.asked += 1
            await stream.send(self._head)


class Browser(httpx.Auth):
    """Asks somebody who says no."""

    requires_response_body = True

    def __init__(self) -> None:
        self.opened = 0

    async def async_auth_flow(self, request: httpx.Request) -> Any:
        response = yield request
        if response.status_code == 401:
            self.opened += 1
            raise PermissionError("the user said no")


@pytest.mark.parametrize("status", [401, 403, 500, 503])
def test_what_is_no_verdict_on_the_era_is_asked_once(status: int) -> None:
    async def main() -> None:
        door = Door(status)
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(listener.serve, door.answer)
            browser = Browser()
            with pytest.raises(Exception) as caught:
                async with httpx.AsyncClient(auth=browser, trust_env=False) as http, mcpbolt.Client(
                    streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
                ):
                    pass
            expected = "the user said no" if status == 401 else str(status)
            assert expected in str(innermost(caught.value))
            assert (door.asked, browser.opened) == (1, int(status == 401))
            tasks.cancel_scope.cancel()
        await listener.aclose()

    anyio.run(main)


def innermost(error: BaseException) -> BaseException:
    while inner := getattr(error, "exceptions", None):
        error = inner[0]
    return error
