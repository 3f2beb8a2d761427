"""A node of a fleet, in Python: `node.py NAME PORT STORES`."""

import asyncio
import os
import sys

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.types import ToolAnnotations

name, port, stores = sys.argv[1:]
mcp = FastMCP("fleet", port=int(port), stores=stores)
runs = os.open(os.environ["FLEET_RUNS"], os.O_APPEND | os.O_CREAT | os.O_WRONLY)


def note(what: str) -> None:
    """A line for what is run, which is there also when the node is killed."""
    os.write(runs, f"{what}\n".encode())


@mcp.tool(structured_output=False)
def echo(text: str) -> str:
    """Says it again, and who says it"""
    note(text)
    return f"{name}:{text}"


@mcp.tool(structured_output=False)
async def count(to: int, pause_ms: int, ctx: Context) -> str:
    """Counts slowly"""
    for step in range(1, to + 1):
        await asyncio.sleep(pause_ms / 1000)
        await ctx.report_progress(step, to)
    return f"counted to {to}"


@mcp.tool(structured_output=False, annotations=ToolAnnotations(readOnlyHint=True))
@mcp.resource("fleet://look/{text}")
async def look(text: str) -> str:
    """Looks at it for a while"""
    note(f"{name} looks at {text}")
    await asyncio.sleep(0.5)
    return f"{name}:{text}"


mcp.run("streamable-http")
