"""Tools that come from a catalogue, which is read again while the server runs."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from string import Template

from mcpbolt.server import NotificationOptions
from mcpbolt.server.fastmcp import FastMCP

catalogue = Path("catalogue.json")
EVERY = 60.0  # seconds
offered: dict[str, str] = {}


def tool_of(template: str) -> Callable[[str], str]:
    def fill(subject: str) -> str:
        return Template(template).safe_substitute(subject=subject)

    return fill


def refresh() -> bool:
    """Reads the catalogue and makes the list of tools like it. Says whether anything changed.

    A catalogue that cannot be read changes nothing: the tools of before stay.
    """
    try:
        wanted: dict[str, str] = json.loads(catalogue.read_text("utf-8"))
    except (OSError, ValueError) as error:
        print(f"{catalogue} is left as it was: {error}", file=sys.stderr)
        return False
    changed = [name for name in offered.keys() | wanted.keys() if offered.get(name) != wanted.get(name)]
    for name in changed:
        if name in offered:
            mcp.remove_tool(name)
        if name in wanted:
            mcp.add_tool(tool_of(wanted[name]), name=name, description=f"Fills in: {wanted[name]}")
    offered.clear()
    offered.update(wanted)
    return bool(changed)


async def keep_fresh() -> None:
    while True:
        await asyncio.sleep(EVERY)
        refresh()


@asynccontextmanager
async def lifespan(_: FastMCP) -> AsyncIterator[None]:
    refresh()
    task = asyncio.create_task(keep_fresh())
    try:
        yield
    finally:
        task.cancel()


# Clients are told by themselves whenever a tool is added or removed.
mcp = FastMCP("letters", lifespan=lifespan, notification_options=NotificationOptions(tools_changed=True))

if __name__ == "__main__":
    catalogue = Path(sys.argv[1])
    mcp.run()
