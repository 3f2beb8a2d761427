"""The application that `streamable_http_app` gives: what programs add to it works as in any of Starlette's."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import httpx
import pytest
from peer import soon
from starlette.applications import Starlette
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.lowlevel import Server

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


def server() -> FastMCP[Any]:
    mcp: FastMCP[Any] = FastMCP("app", stateless_http=True, json_response=True)

    @mcp.tool()
    async def where(ctx: Context[Any, Any, Request]) -> str:
        request = ctx.request_context.request
        assert request is not None
        return f"{type(request.app).__name__} {request.url.path} {dict(request.path_params)}"

    return mcp


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
