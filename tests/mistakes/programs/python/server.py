"""The server that works. What goes wrong, its clients do."""

import asyncio

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.types import SamplingMessage, TextContent

mcp = FastMCP("shop")


@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b


@mcp.tool()
def divide(a: int, b: int) -> float:
    return a / b


class Basket:
    pass


@mcp.tool()
def basket() -> dict:
    return {"basket": Basket()}


@mcp.tool()
async def wait() -> str:
    await asyncio.Event().wait()
    return "never"


@mcp.tool()
async def summarize(text: str, ctx: Context) -> str:
    question = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    answer = await ctx.session.create_message([question], max_tokens=10)
    return str(answer.content)


async def price() -> int:
    return 3


@mcp.tool()
async def forgotten() -> str:
    return price()


@mcp.resource("note://milk")
def milk() -> str:
    return "buy milk"


@mcp.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


if __name__ == "__main__":
    mcp.run()
