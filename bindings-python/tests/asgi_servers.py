"""A session manager of the program's own, in an ASGI server in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from ports import free_port

from mcpbolt.server.streamable_http_manager import StreamableHTTPSessionManager


@asynccontextmanager
async def serving(server: Any, **options: Any) -> AsyncGenerator[str, None]:
    port = free_port()
    manager = StreamableHTTPSessionManager(server, **options)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await manager.handle_request(scope, receive, send)

    config = uvicorn.Config(app, port=port, log_level="critical", lifespan="off")
    listener = uvicorn.Server(config)
    async with manager.run():
        running = asyncio.ensure_future(listener.serve())
        try:
            while not listener.started:
                await asyncio.sleep(0)
            yield f"http://127.0.0.1:{port}/mcp"
        finally:
            listener.should_exit = True
            await running
