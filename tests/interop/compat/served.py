"""A server on mcpbolt under the official package's name: stdio, HTTP, or an ASGI app.

`served.py`, `served.py --http PORT`, or `served:app` for a server of applications.
"""

import os
import sys

import mcpbolt.compat

mcpbolt.compat.install()

from mcp.server.fastmcp import FastMCP  # noqa: E402

mcp = FastMCP("served", stateless_http=True)


@mcp.tool()
def echo(text: str) -> str:
    """Says it again."""
    return text


@mcp.tool()
def total(numbers: list[int]) -> int:
    """Adds up."""
    return sum(numbers)


@mcp.tool()
def fail() -> str:
    """Always."""
    raise ValueError("no luck")


@mcp.tool()
async def process() -> int:
    """The number of the process that answers."""
    return os.getpid()


@mcp.resource("note://one")
def note() -> str:
    """A note."""
    return "kept"


@mcp.prompt()
def greet(name: str) -> str:
    """A greeting."""
    return f"Greet {name}"


app = mcp.streamable_http_app()

if __name__ == "__main__":
    if sys.argv[1:2] == ["--http"]:
        mcp.settings.port = int(sys.argv[2])
        mcp.run("streamable-http")
    else:
        mcp.run()
