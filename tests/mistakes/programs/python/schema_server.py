import asyncio

from mcpbolt.server.lowlevel import Server
from mcpbolt.server.stdio import stdio_server
from mcpbolt.types import TextContent, Tool

server = Server("shop")


@server.list_tools()
async def tools() -> list[Tool]:
    return [Tool(name="add", inputSchema={"type": "object", "properties": {"a": {"type": "int"}}})]


@server.call_tool()
async def call(name: str, arguments: dict) -> list:
    return [TextContent(type="text", text=str(arguments["a"]))]


async def main() -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


asyncio.run(main())
