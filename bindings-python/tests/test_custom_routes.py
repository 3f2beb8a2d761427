"""Routes of a program beside the endpoint, which the engine's own listener hands over."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx
import pytest
from bounds import LIMIT
from peer import soon

from mcpbolt.server._listener import _scope  # pyright: ignore[reportPrivateUsage]
from mcpbolt.server.fastmcp import FastMCP


def _server(port: int) -> FastMCP:
    from starlette.responses import PlainTextResponse, StreamingResponse

    mcp = FastMCP("routes", port=port)

    @mcp.custom_route("/good", methods=["GET"])
    async def good(request: Any) -> Any:
        return PlainTextResponse("good")

    @mcp.custom_route("/fails", methods=["GET"])
    async def fails(request: Any) -> Any:
        raise ValueError("no luck")

    @mcp.custom_route("/breaks", methods=["GET"])
    async def breaks(request: Any) -> Any:
        async def parts() -> AsyncIterator[str]:
            yield "one "
            raise ValueError("no more")

        return StreamingResponse(parts())

    @mcp.custom_route("/begins", methods=["GET"])
    async def begins(request: Any) -> Any:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            raise ValueError("no body")

        return app

    @mcp.custom_route("/silent", methods=["GET"])
    async def silent(request: Any) -> Any:
        async def app(scope: Any, receive: Any, send: Any) -> None: ...

        return app

    return mcp


@asynccontextmanager
async def _running(port: int) -> AsyncIterator[httpx.AsyncClient]:
    async with anyio.create_task_group() as tasks, httpx.AsyncClient(timeout=LIMIT) as http:
        http.base_url = f"http://127.0.0.1:{port}"  # type: ignore[assignment]
        tasks.start_soon(_server(port).run_streamable_http_async)
        while True:
            try:
                await http.get("/good")
                break
            except httpx.ConnectError:
                await anyio.sleep(0)
        yield http
        tasks.cancel_scope.cancel()


ANSWERS = {
    "fails": (500, "Internal Server Error"),
    "begins": (500, "Internal Server Error"),
    "silent": (500, "Internal Server Error"),
    "breaks": (200, "one "),
    "good": (200, "good"),
}


@pytest.mark.parametrize("path", ANSWERS)
def test_a_route_that_fails_is_answered_and_logged(path: str, port: int, caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async with _running(port) as http:
            answer = await soon(http.get(f"/{path}"))
            assert (answer.status_code, answer.text) == ANSWERS[path]

    with caplog.at_level(logging.ERROR):
        anyio.run(main)
    logged = [record.getMessage() for record in caplog.records]
    assert logged == ([] if path in ("good", "silent") else ["a custom route failed"])
    assert all(record.exc_info and record.exc_info[0] is ValueError for record in caplog.records)


@pytest.mark.parametrize("peer, client", [(["127.0.0.1", 5000], ("127.0.0.1", 5000)), (None, None)])
def test_the_client_of_a_request_is_its_peer(peer: Any, client: Any) -> None:
    head = {"method": "GET", "target": "/a%20b?q=1", "headers": [["host", "here"]]}
    assert _scope({**head, "peer": peer})["client"] == client
    assert _scope(head)["client"] is None
