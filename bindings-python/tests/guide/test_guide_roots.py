"""Chapter roots."""

from __future__ import annotations

import asyncio

import pytest

# [guide]
from typing import Any

from mcpbolt import Client, types
from pydantic import FileUrl


async def list_roots(context: Any) -> types.ListRootsResult:
    # Asked each time: say what is open now.
    return types.ListRootsResult(roots=[types.Root(uri=FileUrl("file:///srv/project"), name="The project")])


def editor(server: Any) -> Client:
    return Client(server, list_roots_callback=list_roots)
# [end]

# [guide]
from pathlib import Path  # noqa: E402
from urllib.parse import unquote, urlsplit  # noqa: E402

from mcpbolt.server.fastmcp import Context, FastMCP  # noqa: E402

mcp = FastMCP("files")


@mcp.tool()
async def is_inside(path: str, ctx: Context) -> bool:
    """Whether a path lies in one of the client's roots."""
    found = await ctx.session.list_roots()
    folders = [urlsplit(str(root.uri)) for root in found.roots]
    places = [Path(unquote(folder.path)).resolve() for folder in folders if folder.scheme == "file"]
    return any(Path(path).resolve().is_relative_to(place) for place in places)
# [end]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_server_checks_its_paths_against_the_roots(mode: str) -> None:
    async def main() -> None:
        client = editor(mcp)
        client.mode = mode
        async with client:
            for path, inside in [("/srv/project/a.txt", True), ("/srv/project/../b.txt", False)]:
                answer = await client.call_tool("is_inside", {"path": path})
                assert answer.structuredContent == {"result": inside}

    asyncio.run(asyncio.wait_for(main(), 60))
