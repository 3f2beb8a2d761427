"""Servers over HTTP as programs, and a client that shows what they answer."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from bounds import LIMIT
from ports import free_port
from wire import MODERN

SERVER = textwrap.dedent(
    '''
    import asyncio, contextvars, sys
    from mcpbolt.server.fastmcp import Context, FastMCP

    port = int(sys.argv[1])
    mcp = FastMCP("http", port=port, stateless_http="stateless" in sys.argv, json_response="json" in sys.argv)
    user = contextvars.ContextVar("user", default="nobody")
    lives = []

    @mcp.tool()
    def add(a: int, b: int = 1) -> int:
        return a + b

    @mcp.tool()
    async def who(ctx: Context) -> str:
        await asyncio.sleep(0)
        return f"{user.get()} {ctx.request_context.request.headers.get('x-who')}"

    @mcp.tool()
    def sync_who() -> str:
        return user.get()

    @mcp.tool()
    async def hang() -> str:
        print("hanging", file=sys.stderr, flush=True)
        try:
            await asyncio.Event().wait()
        finally:
            print("let go", file=sys.stderr, flush=True)
        return ""

    @mcp.tool()
    async def ask(ctx: Context) -> str:
        from pydantic import BaseModel

        class Form(BaseModel):
            name: str

        await ctx.info("asking")
        answer = await ctx.elicit("Who?", Form)
        return f"{answer.action} {answer.data.name}"

    @mcp.custom_route("/hello/{name}", methods=["GET", "POST"])
    async def hello(request):
        from starlette.responses import PlainTextResponse

        body = (await request.body()).decode()
        return PlainTextResponse(f"hello {request.path_params['name']} {request.query_params.get('q')} {body}")

    class Users:
        """Sets a variable per request."""

        def __init__(self, app):
            self.app = app

        async def __call__(self, scope, receive, send):
            if scope["type"] == "http":
                user.set(dict(scope["headers"]).get(b"x-who", b"none").decode())
            await self.app(scope, receive, send)
    '''
)
ENGINE = SERVER + 'mcp.run("streamable-http")\n'
UVICORN = '\nimport uvicorn\nuvicorn.run({app}, port=port, log_level="critical")\n'
ASGI = SERVER + UVICORN.format(app="Users(mcp.streamable_http_app())")
MOUNTED = SERVER + textwrap.dedent(
    """
    from starlette.applications import Starlette
    from starlette.routing import Mount
    # No lifespan of the mounted app runs here.
    app = Users(Starlette(routes=[Mount("/in", app=mcp.streamable_http_app())]))
    """
) + UVICORN.format(app="app")
SSE = SERVER + UVICORN.format(app="Users(mcp.sse_app())")

WAYS = pytest.mark.parametrize("program, path", [(ENGINE, "/mcp"), (ASGI, "/mcp"), (MOUNTED, "/in/mcp")],
                               ids=["engine", "asgi", "mounted"])
ACCEPT = {"accept": "application/json, text/event-stream"}


@contextmanager
def serving(program: str, *arguments: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(port), *arguments], stderr=subprocess.PIPE, env=dict(os.environ)
    )
    try:
        end = time.monotonic() + 2 * LIMIT
        while True:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                assert time.monotonic() < end, "the server does not listen"
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(0.02)
        yield f"http://127.0.0.1:{port}", process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(LIMIT)
        assert process.stderr
        process.stderr.close()


def messages(response: httpx.Response) -> list[dict[str, Any]]:
    if response.headers["content-type"].startswith("application/json"):
        return [response.json()]
    rows = [line[5:].strip() for line in response.text.splitlines() if line.startswith("data:")]
    return [json.loads(row) for row in rows if row]


class Client:
    def __init__(self, url: str) -> None:
        self.http = httpx.Client(timeout=LIMIT, headers=ACCEPT)
        self.url = url
        self._last = 0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def post(self, message: dict[str, Any], **headers: str) -> httpx.Response:
        return self.http.post(self.url, json={"jsonrpc": "2.0", **message}, headers=headers)

    def ask(self, method: str, params: Any = None, **headers: str) -> dict[str, Any]:
        self._last += 1
        response = self.post({"id": self._last, "method": method, "params": params or {}}, **headers)
        assert response.status_code == 200, response.text
        answer = messages(response)[-1]
        assert answer["id"] == self._last
        return answer

    def open(self, **capabilities: Any) -> str | None:
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": "t", "version": "1"},
        }
        response = self.post({"id": 0, "method": "initialize", "params": params})
        assert messages(response)[0]["result"]["serverInfo"]["name"] == "http"
        session = response.headers.get("mcp-session-id")
        self.http.headers["mcp-protocol-version"] = "2025-11-25"
        if session:
            self.http.headers["mcp-session-id"] = session
        assert self.post({"method": "notifications/initialized"}).status_code == 202
        return session

    def call(self, name: str, headers: dict[str, str] | None = None, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": name, "arguments": arguments}, **(headers or {}))["result"]

    def modern(self, name: str, **more: Any) -> dict[str, Any]:
        params = {"name": name, "arguments": {}, "_meta": MODERN, **more}
        headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name}
        return self.ask("tools/call", params, **headers)["result"]
