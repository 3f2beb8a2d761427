"""A job that takes long: it says how far it is, and stops at once when it is cancelled."""

import asyncio

from mcpbolt.server.fastmcp import Context, FastMCP
from pydantic import BaseModel

mcp = FastMCP("warehouse")
# What is rented for a job and has to be given back, however the job ends.
rented: set[str] = set()


class Report(BaseModel):
    counted: int
    missing: list[str]


async def count(shelf: str) -> int:
    """Stands in for the real work, which takes its time somewhere else."""
    await asyncio.sleep(0)
    return len(shelf)


@mcp.tool()
async def stocktaking(shelves: list[str], ctx: Context) -> Report:
    """Counts what is on the shelves, one after the other."""
    robot = f"robot of {ctx.request_id}"
    rented.add(robot)
    try:
        counted, missing = 0, []
        for done, shelf in enumerate(shelves, 1):
            # A cancelled call is a cancelled task: it ends at the next `await`.
            found = await count(shelf)
            counted += found
            if found == 0:
                missing.append(shelf)
            await ctx.report_progress(done, len(shelves), f"shelf {shelf}")
        return Report(counted=counted, missing=missing)
    finally:
        rented.discard(robot)


if __name__ == "__main__":
    mcp.run()
