"""The server on the official package that clients on either are tried on.

`peer.py` over stdio, `peer.py --http PORT`.
"""

import sys
from typing import Literal

from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel, Field

server = MCPServer("peer", version="1.2.3", instructions="Ask for what you need.")


class Person(BaseModel):
    name: str
    age: int = Field(ge=0)
    friends: list[str] = []


@server.tool(title="Echo", annotations=ToolAnnotations(read_only_hint=True))
def echo(text: str, times: int = 1) -> str:
    """Says it again."""
    return text * times


@server.tool()
def older(person: Person, by: Literal[1, 2] = 1) -> Person:
    """Lets time pass."""
    return person.model_copy(update={"age": person.age + by})


@server.tool()
def fail() -> str:
    """Always."""
    raise ToolError("no luck")


@server.tool()
def picture() -> Image:
    """A picture of one byte."""
    return Image(data=b"\x00", format="png")


@server.tool()
async def slow(ctx: Context) -> list[str]:
    """Says how far it is."""
    await ctx.report_progress(1, 2, "half")
    return ["one", "two"]


@server.resource("note://one", mime_type="text/plain")
def note() -> str:
    """A note."""
    return "kept"


@server.resource("note://bytes", mime_type="application/octet-stream")
def some_bytes() -> bytes:
    """Bytes."""
    return b"\x00\x01"


@server.resource("note://{name}/page")
def page(name: str) -> str:
    """A page of any note."""
    return f"page of {name}"


@server.prompt()
def greet(name: str) -> str:
    """A greeting."""
    return f"Greet {name}"


if sys.argv[1:2] == ["--http"]:
    server.run("streamable-http", port=int(sys.argv[2]))
else:
    server.run()
