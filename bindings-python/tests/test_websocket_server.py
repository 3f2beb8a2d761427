"""Servers behind a WebSocket, with our own client and the official one."""

from __future__ import annotations

import asyncio
import gc
import importlib
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from bounds import LIMIT, WHOLE

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.transport_security import TransportSecuritySettings
from mcpbolt.server.websocket import websocket_server
from mcpbolt.types import ElicitResult

uvicorn = pytest.importorskip("uvicorn")
websockets = pytest.importorskip("websockets.asyncio.client", reason="websockets is not installed")
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def server_of() -> FastMCP:
    from pydantic import BaseModel

    class Name(BaseModel):
        name: str

    server = FastMCP("over a socket")

    @server.tool()
    def add(a: int) -> int:
        return a + 1

    @server.tool()
    async def ask(ctx: Context) -> str:
        host = ctx.request_context.request.headers["x-name"]
        answer: Any = await ctx.elicit("who?", Name)
        return f"{host} {answer.data.name}"

    return server


class App:
    """An ASGI application that serves one server to each socket."""

    def __init__(self, security: TransportSecuritySettings | None = None) -> None:
        self.server = server_of()._mcp_server
        self.security = security
        self.open = 0
        self.refused: list[str] = []
        self.changed = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "websocket":
            return
        try:
            async with websocket_server(scope, receive, send, self.security) as streams:
                self.open += 1
                await self.server.run(*streams, self.server.create_initialization_options())
        except ValueError as error:
            self.refused.append(str(error))
        finally:
            self.open -= 1
            self.changed.set()


@asynccontextmanager
async def served(app: App) -> AsyncGenerator[str, None]:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        config = uvicorn.Config(app, log_level="error", ws="websockets-sansio", lifespan="off")
        server = uvicorn.Server(config)
        task = asyncio.ensure_future(server.serve(sockets=[listening]))
        try:
            yield f"ws://127.0.0.1:{listening.getsockname()[1]}/"
        finally:
            server.should_exit = True
            await asyncio.wait_for(task, LIMIT)


async def answer(_: Any, params: Any) -> Any:
    return ElicitResult(action="accept", content={"name": "Ada"})


@pytest.mark.parametrize("package", ["mcpbolt", "mcp"])
def test_a_client_calls_and_is_asked_over_a_socket(package: str) -> None:
    if package == "mcp":
        pytest.importorskip("mcp.client.websocket")
    clients = importlib.import_module(f"{package}.client.websocket")
    sessions = importlib.import_module(f"{package}.client.session")
    types = importlib.import_module(f"{package}.types")

    async def elicit(_: Any, params: Any) -> Any:
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def test() -> None:
        app = App()
        async with served(app) as url:
            async with clients.websocket_client(url) as streams:
                async with sessions.ClientSession(*streams, elicitation_callback=elicit) as session:
                    found = await session.initialize()
                    assert found.serverInfo.name == "over a socket"
                    results = await asyncio.gather(*(session.call_tool("add", {"a": n}) for n in range(20)))
                    assert [result.structuredContent for result in results] == [{"result": n + 1} for n in range(20)]
                    assert app.open == 1
            await asyncio.wait_for(app.changed.wait(), LIMIT)
            assert app.open == 0

    asyncio.run(asyncio.wait_for(test(), WHOLE))
    # The official client leaves ends of its streams to the collector: here, where it is known.
    gc.collect()


def test_the_request_is_the_handshake_and_faults_do_not_end_it() -> None:
    async def test() -> None:
        import json

        async with served(App()) as url:
            async with websockets.connect(url, subprotocols=["mcp"], additional_headers={"x-name": "here"}) as raw:
                assert raw.subprotocol == "mcp"

                async def ask(number: int, method: str, **params: Any) -> Any:
                    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                    await raw.send(json.dumps(message))
                    return json.loads(await asyncio.wait_for(raw.recv(), LIMIT))

                info = {"name": "t", "version": "1"}
                await ask(1, "initialize", protocolVersion="2025-11-25", capabilities={"elicitation": {}}, clientInfo=info)
                await raw.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
                await raw.send("this is no message")
                question = await ask(2, "tools/call", name="ask", arguments={})
                assert question["method"] == "elicitation/create"
                reply = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {"name": "Ada"}}}
                await raw.send(json.dumps(reply))
                said = json.loads(await asyncio.wait_for(raw.recv(), LIMIT))
                assert said["result"]["content"][0]["text"] == "here Ada"

    asyncio.run(asyncio.wait_for(test(), WHOLE))


def test_a_foreign_origin_is_turned_away() -> None:
    async def test() -> None:
        app = App(TransportSecuritySettings(allowed_hosts=["127.0.0.1:*"], allowed_origins=["http://127.0.0.1:*"]))
        async with served(app) as url:
            with pytest.raises(Exception, match="403"):
                async with websockets.connect(url, origin="http://evil.example"):
                    pass
            assert app.refused == ["Request validation failed"]

    asyncio.run(asyncio.wait_for(test(), WHOLE))
