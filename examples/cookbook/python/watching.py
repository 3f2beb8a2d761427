"""Files that clients are told about when they change."""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared.path_security import safe_join

folder = Path(".")
EVERY = 0.5  # seconds


def stamps() -> dict[str, int]:
    """When each file of the folder was changed, in nanoseconds."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*.txt")}


async def watch() -> None:
    """Looks at the folder, and tells what is other than before. Clients that did not subscribe hear nothing."""
    before = stamps()
    while True:
        await asyncio.sleep(EVERY)
        now = await asyncio.to_thread(stamps)
        for name in now.keys() & before.keys():
            if now[name] != before[name]:
                mcp.notify_resource_updated(f"log:///{name}")
        if now.keys() != before.keys():
            mcp.notify_resources_changed()
        before = now


@asynccontextmanager
async def lifespan(_: FastMCP) -> AsyncIterator[None]:
    """The watch goes on for as long as the server serves."""
    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


mcp = FastMCP("logs", lifespan=lifespan)


@mcp.subscribe_resource()
async def subscribed(uri: object) -> None:
    """With this function there are subscriptions; the engine keeps who has which."""


@mcp.resource("log:///{name}", mime_type="text/plain")
def log(name: str) -> str:
    """The last lines of a file."""
    return "\n".join(safe_join(folder, name).read_text("utf-8").splitlines()[-100:])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    mcp.run()
