"""A node of a fleet, in Python: `node.py NAME PORT STORES`."""

import asyncio
import os
import sys

from mcpbolt.server.fastmcp import Context, FastMCP

name, port, stores = sys.argv[1:]
mcp = FastMCP("fleet", port=int(port), stores=stores)
# A line for each run of `echo`, which is there also when the node is killed.
runs = os.open(os.environ["FLEET_RUNS"], os.O_APPEND | os.O_CREAT | os.O_WRONLY)


@mcp.tool(structured_output=False)
def echo(text: str) -> str:
    """Says it again, and who says it"""
    os.write(runs, f"{text}\n".encode())
    return f"{name}:{text}"


@mcp.tool(structured_output=False)
async def count(to: int, pause_ms: int, ctx: Context) -> str:
    """Counts slowly"""
    for step in range(1, to + 1):
        await asyncio.sleep(pause_ms / 1000)
        await ctx.report_progress(step, to)
    return f"counted to {to}"


mcp.run("streamable-http")
