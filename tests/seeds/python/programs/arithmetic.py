"""A low-level server with tools; one of them says itself what went wrong."""

import asyncio

import mcpbolt.types as types
from mcpbolt.server import Server
from mcpbolt.server.stdio import stdio_server

NUMBERS = {
    "type": "object",
    "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
    "required": ["x", "y"],
}

app = Server("arithmetic")


@app.list_tools()
async def list_tools() -> list[types.Tool]:
    return [
        types.Tool(name="multiply", description="The product of two numbers", inputSchema=NUMBERS),
        types.Tool(name="divide", description="Their quotient", inputSchema=NUMBERS),
    ]


@app.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent | types.ImageContent | types.EmbeddedResource]:
    if name == "multiply":
        x = arguments["x"]
        y = arguments["y"]
        return [types.TextContent(type="text", text=str(x * y))]
    if name == "divide":
        try:
            quotient = arguments["x"] / arguments["y"]
            return types.CallToolResult(content=[types.TextContent(type="text", text=f"They make {quotient}")])
        except ZeroDivisionError as error:
            return types.CallToolResult(isError=True, content=[types.TextContent(type="text", text=f"Cannot: {error}")])
    raise ValueError(f"unknown operation {name}")


async def main():
    async with stdio_server() as streams:
        await app.run(streams[0], streams[1], app.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
