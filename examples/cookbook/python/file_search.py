"""Searches the text files of one folder, and opens none outside of it."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from mcpbolt.server.fastmcp import Context
from mcpbolt.server.mcpserver import MCPServer
from mcpbolt.shared.path_security import safe_join
from mcpbolt.types import ToolAnnotations
from pydantic import BaseModel, Field

MAX_HITS = 50
MAX_BYTES = 1 << 20

mcp = MCPServer("files")
folder = Path(".")


class Hit(BaseModel):
    path: str
    line: int
    text: str


class Found(BaseModel):
    hits: list[Hit]
    searched: int
    cut_off: bool


def files(pattern: str) -> Iterator[Path]:
    """Files of the folder that are no links and not too large to read."""
    for path in sorted(folder.rglob(pattern)):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= MAX_BYTES:
            yield path


def hits_in(path: Path, text: str) -> list[Hit]:
    lines = path.read_text("utf-8", errors="replace").splitlines()
    name = path.relative_to(folder).as_posix()
    return [Hit(path=name, line=n, text=line.strip()[:200]) for n, line in enumerate(lines, 1) if text in line.lower()]


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False))
async def search(
    text: Annotated[str, Field(min_length=2, description="What to look for; upper and lower case are the same.")],
    ctx: Context,
    glob: Annotated[str, Field(pattern=r"^[\w*?.\[\]-]+$", description="Which names, for example *.md")] = "*",
) -> Found:
    """Finds lines that hold a text. Read a whole file as the resource file:///PATH."""
    hits: list[Hit] = []
    paths = list(files(glob))
    for done, path in enumerate(paths, 1):
        # On a thread, so that a slow disk delays nobody; a cancelled call ends here.
        hits += await asyncio.to_thread(hits_in, path, text.lower())
        await ctx.report_progress(done, len(paths))
        if len(hits) > MAX_HITS:
            return Found(hits=hits[:MAX_HITS], searched=done, cut_off=True)
    return Found(hits=hits, searched=len(paths), cut_off=False)


@mcp.resource("file:///{+path}", mime_type="text/plain")
def read(path: str) -> str:
    """A file of the folder."""
    return safe_join(folder, path).read_text("utf-8", errors="replace")


if __name__ == "__main__":
    folder = Path(sys.argv[1]).resolve()
    mcp.run()
