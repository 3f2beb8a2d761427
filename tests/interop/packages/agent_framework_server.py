"""An agent of Microsoft's Agent Framework as a server: `… [--http PORT]`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from agent_framework import Agent, BaseChatClient, ChatResponse, Message


class Echo(BaseChatClient):
    """A model that says what it was told."""

    def _inner_get_response(self, *, messages: Any, stream: bool = False, options: Any = None, **more: Any) -> Any:
        async def answer() -> ChatResponse:
            return ChatResponse(messages=[Message("assistant", [f"again: {messages[-1].text}"])])

        return answer()


server = Agent(Echo(), name="echoing", description="Says it again.").as_mcp_server(
    server_name="on-agent-framework", version="1.0.0", instructions="Say something."
)


async def over_stdio() -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


def over_http(port: int) -> None:
    import uvicorn
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
    from starlette.applications import Starlette
    from starlette.routing import Mount

    manager = StreamableHTTPSessionManager(app=server)

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:
        async with manager.run():
            yield

    app = Starlette(routes=[Mount("/mcp", app=manager.handle_request)], lifespan=running)
    uvicorn.run(app, host="127.0.0.1", port=port)


if sys.argv[1:2] == ["--http"]:
    over_http(int(sys.argv[2]))
else:
    anyio.run(over_stdio)
