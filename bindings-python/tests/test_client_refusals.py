"""Servers over HTTP that refuse: what a request ends with, and what leaves the transport."""

from __future__ import annotations

import gzip
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from anyio.abc import SocketAttribute, SocketStream
from peer import soon

from mcpbolt import ClientSession, McpError
from mcpbolt.client.sse import sse_client
from mcpbolt.client.streamable_http import streamable_http_client

REFUSALS: list[tuple[int, str, Any]] = [
    (401, "application/json", {"error": "invalid_token", "error_description": "who are you?"}),
    (503, "application/json", {"message": "later"}),
    (500, "text/plain", "broken"),
    (400, "application/json", {"jsonrpc": "2.0", "id": None, "error": {"code": -32001, "message": "not like this"}}),
    (400, "application/json", {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32001, "message": "no"}}),
    (200, "application/json", {"hello": "world"}),
    (200, "application/json", "no JSON at all"),
]


def refusing(status: int, kind: str, body: Any) -> httpx.AsyncClient:
    text = body if isinstance(body, str) else json.dumps(body)

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers={"content-type": kind}, text=text, request=request)

    return httpx.AsyncClient(transport=httpx.MockTransport(answer))


@asynccontextmanager
async def opened(
    client: httpx.AsyncClient | None, url: str = "http://server/mcp"
) -> AsyncGenerator[ClientSession, None]:
    async with (
        streamable_http_client(url, http_client=client) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        yield session


@pytest.mark.parametrize(("status", "kind", "body"), REFUSALS)
@pytest.mark.anyio
async def test_a_refusal_ends_the_request(status: int, kind: str, body: Any) -> None:
    async with refusing(status, kind, body) as client, opened(client) as session:
        with pytest.raises(McpError) as raised:
            await soon(session.initialize())
    error = body["error"] if isinstance(body, dict) and isinstance(body.get("error"), dict) else None
    if error is not None:
        assert (raised.value.error.code, raised.value.error.message) == (error["code"], error["message"])
    elif status != 200:
        assert str(status) in raised.value.error.message


@pytest.mark.usefixtures("as_official")
@pytest.mark.parametrize("status", [401, 403, 500, 503])
@pytest.mark.anyio
async def test_a_status_leaves_as_the_exception_of_httpx(status: int) -> None:
    with pytest.raises(Exception) as raised:
        async with refusing(status, "application/json", {"error": "no"}) as client, opened(client) as session:
            await soon(session.initialize())
    found = only(raised.value)
    assert isinstance(found, httpx.HTTPStatusError)
    assert found.response.status_code == status


@pytest.mark.usefixtures("as_official")
@pytest.mark.parametrize("own", [True, False])
@pytest.mark.anyio
async def test_a_server_that_is_not_there_leaves_as_the_exception_of_httpx(own: bool, port: int) -> None:
    url = f"http://127.0.0.1:{port}/mcp"
    with pytest.raises(Exception) as raised:
        async with httpx.AsyncClient(trust_env=False) as client, opened(None if own else client, url) as session:
            await soon(session.initialize())
    assert isinstance(only(raised.value), httpx.ConnectError)


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_events_that_are_refused_leave_as_the_exception_of_httpx() -> None:
    def factory(**_: Any) -> httpx.AsyncClient:
        return refusing(401, "text/plain", "no")

    with pytest.raises(Exception) as raised:
        async with sse_client("http://server/sse", httpx_client_factory=factory):
            pytest.fail("it opened")
    found = only(raised.value)
    assert isinstance(found, httpx.HTTPStatusError)
    assert found.response.status_code == 401


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_what_was_caught_inside_does_not_leave() -> None:
    with pytest.raises(KeyError):
        async with refusing(401, "application/json", {}) as client, opened(client) as session:
            with pytest.raises(McpError):
                await soon(session.initialize())
            raise KeyError("the program's own")


@pytest.mark.usefixtures("as_official")
@pytest.mark.parametrize("way", ["engine", "client", "events"])
@pytest.mark.anyio
async def test_closing_what_never_opened_says_why(way: str, port: int) -> None:
    # As openai-agents has it: the exception is caught, and the stack closed without one.
    url = f"http://127.0.0.1:{port}/mcp"
    async with httpx.AsyncClient(trust_env=False) as client:
        opening = sse_client(url) if way == "events" else None
        stack = AsyncExitStack()
        streams: Any = await stack.enter_async_context(
            opening or streamable_http_client(url, http_client=client if way == "client" else None)
        )
        session = await stack.enter_async_context(ClientSession(*streams[:2]))
        with pytest.raises(McpError):
            await soon(session.initialize())
        with pytest.raises(Exception) as raised:
            await stack.aclose()
    assert isinstance(only(raised.value), httpx.ConnectError)


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_a_refusal_after_the_handshake_is_the_requests_alone() -> None:
    shown = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}

    def answer(request: httpx.Request) -> httpx.Response:
        message = json.loads(request.content or b"{}")
        if message.get("method") == "initialize":
            return httpx.Response(200, json={"jsonrpc": "2.0", "id": message["id"], "result": shown})
        return httpx.Response(500 if "id" in message else 202)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client, opened(client) as session:
        await soon(session.initialize())
        with pytest.raises(McpError, match="500"):
            await soon(session.list_tools())


class Breaking(httpx.AsyncByteStream):
    """A body that breaks off after its first bytes."""

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        yield b'{"jsonrpc"'
        raise httpx.ReadError("the line is cut")


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
@pytest.mark.parametrize("length", [{}, {"content-length": "40"}])
@pytest.mark.anyio
async def test_an_answer_that_breaks_off_ends_the_request(kind: str, length: dict[str, str]) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": kind, **length}, stream=Breaking(), request=request)

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client, opened(client) as session:
        with pytest.raises(McpError):
            await soon(session.initialize())


SHOWN = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}


@pytest.mark.anyio
async def test_a_session_that_is_gone_is_followed_by_a_new_one() -> None:
    begun: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        message = json.loads(request.content or b"{}")
        answered = {"jsonrpc": "2.0", "id": message.get("id")}
        if message.get("method") == "initialize":
            begun.append(f"session-{len(begun)}")
            return httpx.Response(200, json={**answered, "result": SHOWN}, headers={"mcp-session-id": begun[-1]})
        if request.method == "GET":
            return httpx.Response(405)
        if "id" not in message:
            return httpx.Response(202)
        if request.headers["mcp-session-id"] != "session-1":
            return httpx.Response(404)
        # Clients decode what they asked to be encoded.
        body = gzip.compress(json.dumps({**answered, "result": {"tools": []}}).encode())
        return httpx.Response(
            200, content=body, headers={"content-type": "application/json", "content-encoding": "gzip"}
        )

    async with httpx.AsyncClient(transport=httpx.MockTransport(answer)) as client, opened(client) as session:
        await soon(session.initialize())
        assert (await soon(session.list_tools())).tools == []
    assert begun == ["session-0", "session-1"]


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_a_server_that_knows_nothing_there_has_ended_the_session() -> None:
    async with refusing(404, "text/plain", "nothing here") as client, opened(client) as session:
        with pytest.raises(McpError) as raised:
            await soon(session.initialize())
    assert (raised.value.error.code, raised.value.error.message) == (32600, "Session terminated")


@pytest.mark.usefixtures("as_official")
@pytest.mark.anyio
async def test_the_engine_says_so_too() -> None:
    async def nothing_here(stream: SocketStream) -> None:
        async with stream:
            await stream.receive()
            await stream.send(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")

    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, nothing_here)
        port = listener.extra(SocketAttribute.local_port)
        async with opened(None, f"http://127.0.0.1:{port}/mcp") as session:
            with pytest.raises(McpError) as raised:
                await soon(session.initialize())
        tasks.cancel_scope.cancel()
    assert (raised.value.error.code, raised.value.error.message) == (32600, "Session terminated")


def only(error: BaseException) -> BaseException:
    """The one exception in a group of one."""
    assert type(error).__name__ == "ExceptionGroup", repr(error)
    (found,) = error.exceptions  # type: ignore[attr-defined]
    return found


@pytest.mark.parametrize(
    ("to", "remedy"),
    [("http://server/mcp/?key=secret", "https://server/mcp/"), ("https://other/mcp?key=secret", "make it the endpoint")],
)
@pytest.mark.anyio
async def test_a_redirect_that_is_not_followed_names_the_remedy(to: str, remedy: str) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(307, headers={"location": to}, request=request)

    client = httpx.AsyncClient(transport=httpx.MockTransport(answer))
    async with client, opened(client, "https://server/mcp") as session:
        with pytest.raises(McpError) as raised:
            await soon(session.initialize())
    words = raised.value.error.message
    assert remedy in words and "secret" not in words
