"""The application that `streamable_http_app` gives: what programs add to it works as in any of Starlette's."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from asgi_servers import serving
from bounds import PROMISED
from peer import soon
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from wire import MODERN

from mcpbolt import Client
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.streamable_http import StreamableHTTPServerTransport

pytestmark = pytest.mark.anyio

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "where", "arguments": {}},
}
HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def with_tool(where: Callable[..., Awaitable[str]]) -> FastMCP[Any]:
    mcp: FastMCP[Any] = FastMCP("app", stateless_http=True, json_response=True)
    mcp.tool(name="where")(where)
    return mcp


def server() -> FastMCP[Any]:
    async def where(ctx: Context[Any, Any, Request]) -> str:
        request = ctx.request_context.request
        assert request is not None
        return f"{type(request.app).__name__} {request.url.path} {dict(request.path_params)}"

    return with_tool(where)


async def ask(app: Any, path: str = "/mcp", method: str = "POST") -> httpx.Response:
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        return await client.request(method, path, json=CALL if method == "POST" else None, headers=HEADERS)


def said(response: httpx.Response) -> str:
    assert response.status_code == 200, response.text
    return response.json()["result"]["content"][0]["text"]


async def test_handlers_see_the_application_and_the_path() -> None:
    app = server().streamable_http_app()
    assert isinstance(app, Starlette)
    assert said(await ask(app)) == f"{type(app).__name__} /mcp {{}}"
    outer = Starlette(routes=[Mount("/in", app=server().streamable_http_app())])
    assert said(await ask(outer, "/in/mcp")).endswith(" /in/mcp {}")


async def test_applications_around_it_keep_their_parameters_and_their_router() -> None:
    async def where(ctx: Context[Any, Any, Request]) -> str:
        request = ctx.request_context.request
        assert request is not None
        return f"{request.path_params['tenant']} {request.url_for('start').path}"

    async def start(_: Request) -> Response:
        return PlainTextResponse("start")

    inner = with_tool(where).streamable_http_app()
    outer = Starlette(routes=[Route("/start", start), Mount("/{tenant}", app=inner)])
    assert said(await ask(outer, "/acme/mcp")) == "acme /start"


async def test_middleware_that_is_added_sees_every_request() -> None:
    app = server().streamable_http_app()
    seen: list[str] = []

    async def look(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
        seen.append(request.url.path)
        return await call_next(request)

    app.add_middleware(BaseHTTPMiddleware, dispatch=look)
    said(await ask(app))
    assert seen == ["/mcp"]


async def test_a_route_put_in_front_wins_even_when_requests_came_before() -> None:
    app = server().streamable_http_app()
    said(await ask(app))

    async def closed(_: Request) -> Response:
        return PlainTextResponse("closed", 503)

    app.router.routes.insert(0, Route("/mcp", closed, methods=["POST"]))
    assert (await ask(app)).status_code == 503


async def test_a_route_that_is_taken_away_is_gone_before_and_after_requests() -> None:
    for asked_before in (False, True):
        app = server().streamable_http_app()
        if asked_before:
            said(await ask(app))
        app.router.routes.clear()
        assert (await ask(app)).status_code == 404


async def test_a_session_without_traffic_ends_after_its_idle_time() -> None:
    mcp: FastMCP[Any] = FastMCP("app", json_response=True, session_idle_timeout=0.2)
    ended = anyio.Event()

    async def end() -> None:
        ended.set()

    @mcp.tool()
    async def where(ctx: Context[Any, Any, Request]) -> str:
        session: Any = ctx.session
        session._exit_stack.push_async_callback(end)
        return "here"

    opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    transport = httpx.ASGITransport(app=mcp.streamable_http_app())
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000", headers=HEADERS) as client:
        hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": opening}
        session = {"mcp-session-id": (await client.post("/mcp", json=hello)).headers["mcp-session-id"]}
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        await client.post("/mcp", json=ready, headers=session)
        assert said(await client.post("/mcp", json=CALL, headers=session)) == "here"
        await soon(ended.wait())
        assert (await client.post("/mcp", json=CALL, headers=session)).status_code == 404


async def test_routes_behind_it_unknown_paths_and_slashes_are_starlettes() -> None:
    mcp = server()

    @mcp.custom_route("/health", methods=["GET"])
    async def health(_: Request) -> Response:
        return PlainTextResponse("well")

    app = mcp.streamable_http_app()
    assert (await ask(app, "/health", "GET")).text == "well"
    assert (await ask(app, "/nowhere", "GET")).status_code == 404
    assert (await ask(app, "/mcp/")).status_code == 307


async def test_handlers_of_exceptions_are_asked() -> None:
    class Refusal(Exception):
        pass

    class Refusing:
        async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
            raise Refusal

    async def refused(_: Request, error: Exception) -> Response:
        return PlainTextResponse(type(error).__name__, 418)

    app = server().streamable_http_app()
    app.router.routes[0] = Route("/mcp", endpoint=Refusing())
    with pytest.raises(Refusal):
        await ask(app)
    app = server().streamable_http_app()
    app.router.routes[0] = Route("/mcp", endpoint=Refusing())
    app.add_exception_handler(Refusal, refused)
    assert (await ask(app)).status_code == 418


async def test_a_low_level_server_has_such_an_application_too() -> None:
    low: Server[Any, Any] = Server("low")
    response = await ask(low.streamable_http_app(stateless_http=True, json_response=True))
    assert response.json()["error"]["code"] == -32601


@asynccontextmanager
async def second_time(tries: list[int]) -> AsyncIterator[dict[str, Any]]:
    """A lifespan that fails once."""
    tries.append(len(tries))
    if len(tries) == 1:
        raise ConnectionError("not there yet")
    yield {}


async def test_a_lifespan_that_fails_once_fails_no_later_request() -> None:
    tries: list[int] = []
    mcp: FastMCP[Any] = FastMCP("app", stateless_http=True, json_response=True, lifespan=lambda _: second_time(tries))
    app = mcp.streamable_http_app()
    with pytest.raises(ConnectionError, match="not there yet"):
        await soon(ask(app))
    for _ in range(2):
        assert (await soon(ask(app))).status_code == 200
    assert tries == [0, 1]


@pytest.mark.parametrize("stateless", [False, True], ids=["sessions", "stateless"])
async def test_a_lifespan_is_entered_once_for_all_sessions_which_end_on_their_own(stateless: bool) -> None:
    # differs: lifespan-once
    steps: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        steps.append("enter")
        yield
        steps.append("leave")

    mcp: FastMCP[Any] = FastMCP("app", stateless_http=stateless, lifespan=lifespan)

    @mcp.tool()
    async def where(ctx: Context[Any, Any, Request]) -> str:
        async def end() -> None:
            steps.append("end")

        ctx.session.on_end(end)
        steps.append("call")
        return ""

    async with serving(mcp._mcp_server, stateless=stateless) as url:
        for _ in range(2):
            async with Client(url, mode="legacy") as client:
                await soon(client.call_tool("where", {}))
    assert steps[0] == "enter" and steps[-1] == "leave"
    assert sorted(steps[1:-1]) == ["call", "call", "end", "end"]


async def test_a_lifespan_that_fails_ends_the_run_on_a_transport() -> None:
    low: Server[Any, Any] = Server("low", lifespan=lambda _: second_time([]))
    async with StreamableHTTPServerTransport(None).connect() as streams:
        with pytest.raises(ConnectionError, match="not there yet"):
            await soon(low.run(*streams, low.create_initialization_options()))


class Asked:
    """One request, spoken with an application by hand."""

    def __init__(self, method: str, message: dict[str, Any] | None, **headers: str) -> None:
        every = {"host": "127.0.0.1:8000", **HEADERS, **headers}
        self.scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": "/mcp",
            "raw_path": b"/mcp", "root_path": "", "scheme": "http", "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in every.items()],
        }
        self._body: bytes | None = b"" if message is None else json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sent: list[Any] = []
        # The application has begun to answer, listens to the client, is told that it leaves, is done.
        self.answered, self.watched, self.leaves, self.over = (anyio.Event() for _ in range(4))

    async def receive(self) -> dict[str, Any]:
        body, self._body = self._body, None
        if body is not None:
            return {"type": "http.request", "body": body, "more_body": False}
        self.watched.set()
        await self.leaves.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)
        self.answered.set()

    async def run(self, app: Any) -> None:
        await app(self.scope, self.receive, self.send)
        self.over.set()


async def test_a_client_that_leaves_while_something_is_sent_ends_its_request() -> None:
    mcp: FastMCP[Any] = FastMCP("app", stateless_http=True)

    class Slow(Asked):
        async def send(self, message: Any) -> None:
            await super().send(message)
            if b"about to be sent" in message.get("body", b""):
                self.leaves.set()
                await anyio.wait_all_tasks_blocked()

    asked = Slow("POST", CALL)

    @mcp.tool()
    async def where(ctx: Context[Any, Any, Request]) -> str:
        await asked.watched.wait()
        await ctx.info("about to be sent")
        await anyio.sleep_forever()
        return ""

    app = mcp.streamable_http_app()
    async with mcp.session_manager.run():
        # Before a sign of life is due on the stream, at which it would end as well.
        await soon(asked.run(app), PROMISED)
    assert asked.leaves.is_set() and not any(message.get("more_body") is False for message in asked.sent)


@pytest.mark.parametrize("kind", ["GET", "listen"])
async def test_streams_that_stay_open_end_with_the_manager(kind: str) -> None:
    mcp: FastMCP[Any] = FastMCP("app")
    app = mcp.streamable_http_app()
    opening = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
    async with anyio.create_task_group() as tasks:
        async with mcp.session_manager.run():
            if kind == "GET":
                hello = Asked("POST", {"id": 0, "method": "initialize", "params": opening})
                await soon(hello.run(app))
                session = dict(hello.sent[0]["headers"])[b"mcp-session-id"].decode()
                asked = Asked("GET", None, **{"mcp-session-id": session, "mcp-protocol-version": "2025-11-25"})
            else:
                params = {"_meta": MODERN, "notifications": {"toolsListChanged": True}}
                head = {"mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen"}
                asked = Asked("POST", {"id": 1, "method": "subscriptions/listen", "params": params}, **head)
            tasks.start_soon(asked.run, app)
            await soon(asked.answered.wait())
        await soon(asked.over.wait())
        assert asked.sent[0]["status"] == 200 and asked.sent[-1]["more_body"] is False


async def answer_of(mcp: FastMCP[Any], asked: Asked) -> Any:
    app = mcp.streamable_http_app()
    async with mcp.session_manager.run():
        await soon(asked.run(app))
    assert asked.sent[0]["status"] == 200, asked.sent
    return json.loads(asked.sent[-1]["body"])["result"]["content"][0]["text"]


@pytest.mark.parametrize("client", [(None, 0), ["127.0.0.1", 5], None], ids=["no host", "list", "none"])
async def test_pairs_may_be_any_iterables_of_two(client: Any) -> None:
    asked = Asked("POST", CALL)
    first, *others = asked.scope["headers"]
    # As Mangum makes them, with one that a middleware has added.
    asked.scope |= {"headers": [first, *([name, value] for name, value in others)], "client": client}
    assert await answer_of(server(), asked) == "EndpointApp /mcp {}"


async def test_a_handler_may_read_the_body_of_its_request() -> None:
    async def where(ctx: Context[Any, Any, Request]) -> str:
        request = ctx.request_context.request
        assert request is not None
        body = await request.body()
        parts = [part async for part in request.stream()]
        return f"{(await request.json())['method']} {json.loads(body) == CALL} {b''.join(parts) == body}"

    assert await answer_of(with_tool(where), Asked("POST", CALL)) == "tools/call True True"
