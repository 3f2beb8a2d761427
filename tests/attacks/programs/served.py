"""The server that is attacked, in Python.

    python served.py stdio | http PORT | asgi PORT | lowlevel

`ATTACKED` holds what it is told: `limits` by their names in docs/reference/limits.md,
`trusted_proxies`, `sessions`.
"""

import asyncio
import json
import os
import sys
import time
from typing import Any

from mcpbolt.server import Server
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.stdio import stdio_server
from mcpbolt.types import InputRequest, InputRequiredResult, TextContent, Tool

TOLD: dict[str, Any] = json.loads(os.environ.get("ATTACKED", "{}"))
OPTIONS: dict[str, Any] = TOLD.get("limits", {})
counts = {"now": 0, "most": 0, "confirmed": 0}


def server(port: int) -> FastMCP[Any]:
    mcp: FastMCP[Any] = FastMCP(
        "attacked", port=port, stateless_http=TOLD.get("sessions") == "none", legacy_sse=True, options=OPTIONS
    )
    mcp.settings.trusted_proxies = TOLD.get("trusted_proxies", [])
    for tool in (echo, big, hold, counted, confirm, surrogate, forked):
        mcp.add_tool(tool)
    mcp.add_tool(nan, structured_output=True)
    return mcp


async def echo(text: str) -> str:
    return text


async def big(size: int) -> str:
    return "x" * size


async def hold(seconds: float) -> str:
    """Works on, whoever leaves."""
    counts["now"] += 1
    counts["most"] = max(counts["most"], counts["now"])
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            await asyncio.sleep(left)
        except asyncio.CancelledError:
            pass
    counts["now"] -= 1
    return "held"


async def counted() -> str:
    return json.dumps(counts)


async def confirm(ctx: Context) -> str | InputRequiredResult:
    """Does something once it was confirmed."""
    if ctx.input_responses:
        counts["confirmed"] += 1
        return "done"
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}}
    question = InputRequest(method="elicitation/create", params={"message": "Pay?", "requestedSchema": schema})
    return InputRequiredResult(inputRequests={"pay": question}, requestState="asked")


async def nan() -> dict[str, float]:
    return {"value": float("nan")}


async def surrogate() -> str:
    raise ValueError("not text: \ud800")


async def forked() -> str:
    """Its child leaves as programs do."""
    child = os.fork()
    if child == 0:
        sys.exit(0)
    os.waitpid(child, 0)
    return "parent"


def lowlevel() -> None:
    """A server whose schemas somebody else wrote."""
    low: Server[Any, Any] = Server("attacked", options=OPTIONS)
    text = {"type": "object", "properties": {"text": {"type": "string"}}}
    bomb = {"type": "object", "properties": {"text": {"type": "string", "pattern": TOLD.get("pattern", "")}}}
    elsewhere = {"type": "object", "properties": {"text": {"$ref": TOLD.get("ref", "#")}}}

    @low.list_tools()
    async def tools() -> list[Tool]:
        rows = {"echo": text, "bomb": bomb, "elsewhere": elsewhere}
        return [Tool(name=name, description=name, inputSchema=schema) for name, schema in rows.items()]

    @low.call_tool()
    async def call(name: str, arguments: dict[str, Any]) -> list[TextContent]:
        return [TextContent(type="text", text=str(arguments.get("text")))]

    async def run() -> None:
        async with stdio_server() as (read, write):
            await low.run(read, write, low.create_initialization_options())

    asyncio.run(run())


def main() -> None:
    how, *rest = sys.argv[1:]
    if how == "lowlevel":
        lowlevel()
        return
    mcp = server(int(rest[0]) if rest else 0)
    if how == "asgi":
        import uvicorn
        from starlette.applications import Starlette
        from starlette.routing import Mount

        # What the application serves at /sse and /messages, and the newer endpoint before it.
        newer = mcp.streamable_http_app()
        app = Starlette(routes=[*newer.routes, Mount("/", app=mcp.sse_app())], lifespan=newer.router.lifespan_context)
        uvicorn.run(app, port=mcp.settings.port, log_level="critical")
    else:
        mcp.run("stdio" if how == "stdio" else "streamable-http")


if __name__ == "__main__":
    main()
