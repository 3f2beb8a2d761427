"""A server on this package, over stdio."""

from typing import Any

import anyio

from mcpbolt.server.fastmcp import Context, FastMCP

server: FastMCP[Any] = FastMCP("own")


@server.tool()
def add(a: int, b: int) -> int:
    return a + b


@server.tool()
async def count(to: int, ctx: Context[Any, Any, Any]) -> int:
    for step in range(to):
        await ctx.report_progress(step + 1, to)
    return to


@server.tool()
async def hang() -> None:
    await anyio.sleep_forever()


@server.tool()
async def roots(ctx: Context[Any, Any, Any]) -> str:
    return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@server.resource("note://one", name="one")
def one() -> str:
    return "1"


if __name__ == "__main__":
    server.run()
