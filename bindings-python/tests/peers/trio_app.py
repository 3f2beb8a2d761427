"""Servers in one ASGI application, for a server of applications that runs on trio."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import anyio  # noqa: E402
import sniffio  # noqa: E402
from own_loop import make  # noqa: E402
from starlette.applications import Starlette  # noqa: E402
from starlette.routing import Mount  # noqa: E402

from mcpbolt.server.fastmcp import Context, FastMCP  # noqa: E402
from mcpbolt.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: E402

mcp = FastMCP("on trio")


@mcp.tool()
async def where(ctx: Context[Any, Any, Any]) -> str:
    await ctx.report_progress(1, 2)
    # Longer than a request goes without being watched for its client leaving.
    with anyio.move_on_after(0.1):
        await anyio.sleep_forever()
    return sniffio.current_async_library()


@mcp.tool()
def plain() -> str:
    return "plain"


own = StreamableHTTPSessionManager(make())


@asynccontextmanager
async def lifespan(_: Starlette) -> AsyncGenerator[None, None]:
    async with mcp.session_manager.run(), own.run():
        yield


routes = [
    Mount("/own", app=own.handle_request),
    Mount("/older", app=mcp.sse_app()),
    Mount("/", app=mcp.streamable_http_app()),
]
app = Starlette(routes=routes, lifespan=lifespan)
without_lifespan = Starlette(routes=routes)
