"""A tool that answers with a picture, drawn without a library."""

import struct
import zlib
from typing import Annotated

from mcpbolt.server.fastmcp import FastMCP, Image
from pydantic import Field

mcp = FastMCP("charts")
HEIGHT, BAR, GAP = 120, 24, 8
PAPER, INK = b"\xff\xff\xff", b"\x3b\x6e\xa5"


def png(rows: list[bytes], width: int) -> bytes:
    """Rows of RGB as a PNG."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"".join(b"\x00" + row for row in rows))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


@mcp.tool(structured_output=False)
def bar_chart(
    values: Annotated[list[Annotated[float, Field(ge=0)]], Field(min_length=1, max_length=40)],
) -> list[str | Image]:
    """Draws a bar for each value."""
    most = max(values) or 1
    tops = [HEIGHT - round(value / most * (HEIGHT - GAP)) for value in values]
    rows = []
    for y in range(HEIGHT):
        bars = (INK * BAR if y >= top else PAPER * BAR for top in tops)
        rows.append(PAPER * GAP + b"".join(bar + PAPER * GAP for bar in bars))
    # Words for models and clients that cannot see, the picture for the others.
    words = f"{len(values)} bars; the highest is {most:g}."
    return [words, Image(data=png(rows, GAP + len(values) * (BAR + GAP)), format="png")]


if __name__ == "__main__":
    mcp.run()
