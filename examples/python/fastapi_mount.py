"""A FastAPI application with an MCP server in it.

Shows: mounting without a lifespan of the application's own, and who asks: a middleware of
the application sets a context variable, a tool reads that of its own request.

    python examples/python/fastapi_mount.py --http 127.0.0.1:3000
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar

import uvicorn
from common import server_arguments
from fastapi import FastAPI, Request, Response
from mcpbolt.server.fastmcp import FastMCP

visitor: ContextVar[str] = ContextVar("visitor", default="nobody")
visits: dict[str, int] = {}

# The endpoint is /mcp as everywhere: the mount is at the root, after the other routes.
mcp = FastMCP("mcpbolt-fastapi", legacy_sse=True)


@mcp.tool()
def who_am_i() -> str:
    """Says who the application thinks you are."""
    visits[visitor.get()] = visits.get(visitor.get(), 0) + 1
    return f"You are {visitor.get()}."


app = FastAPI(title="An application with tools")


@app.middleware("http")
async def remember(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    """Whom the request says it is from. A real application proves it."""
    token = visitor.set(request.headers.get("x-visitor", "nobody"))
    try:
        return await call_next(request)
    finally:
        visitor.reset(token)


@app.get("/visits")
def counted() -> dict[str, int]:
    """How often each visitor asked who they are."""
    return visits


app.mount("/", mcp.streamable_http_app())

if __name__ == "__main__":
    host, _, port = (server_arguments(__doc__).parse_args().http or "127.0.0.1:3000").rpartition(":")
    uvicorn.run(app, host=host, port=int(port))
