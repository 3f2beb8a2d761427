"""Mistakes that both checkers must find: each marked line, and no other."""

from typing import Any

from mcpbolt import Client, ClientSession, Host, StdioServerParameters, types
from mcpbolt.server import Server
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.session import ServerSession

mcp = FastMCP("mistakes")
server: Server[dict[str, str], Any] = Server("mistakes")


@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b


add("1", 2)  # wrong
add(1)  # wrong
text: str = add(1, 2)  # wrong


@mcp.tool(structured_output="yes")  # wrong
def structured() -> int:
    return 1


@mcp.resource("a://b")
async def resource(name: str) -> str:
    return name


@mcp.prompt()
def prompt(topic: str) -> str:
    return topic


prompt(topic=1)  # wrong


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [types.Tool(name=1, inputSchema={})]  # wrong


async def use(ctx: Context[ServerSession, dict[str, str]], bad: Context[str]) -> None:  # wrong
    number: int = ctx.request_context.lifespan_context  # wrong
    print(number, bad)
    words: int = await resource("a")  # wrong
    print(words)
    await ctx.report_progress("half")  # wrong
    await ctx.log("loud", "hello")  # wrong


async def ask(session: ClientSession, client: Client) -> None:
    await session.call_tool("add", ["a"])  # wrong
    result = await session.call_tool("add", {"a": 1})
    print(result.is_eror)  # wrong
    listed: list[types.Tool] = await client.list_tools()  # wrong
    print(listed)
    first = (await session.list_tools()).tools[0]
    count: int = first.name  # wrong
    print(count)


async def sample(context: Any, params: str) -> str:
    return params


def make(read: Any, write: Any) -> ClientSession:
    return ClientSession(read, write, sampling_callback=sample)  # wrong


StdioServerParameters(args=["server.py"])  # wrong
Host(mode=1)  # wrong
Host(modes="auto")  # wrong
mcp.run(transport="pigeon")  # wrong
mcp.settings.port = "eighty"  # wrong
types.CallToolResult(content="text")  # wrong
level: types.LoggingLevel = "loud"  # wrong
context: Context[ServerSession, None, None, None]  # wrong
