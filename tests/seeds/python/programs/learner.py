"""A low-level server whose tools become more, and that says so."""

import asyncio

import mcpbolt.types as types
from mcpbolt.server import NotificationOptions, Server
from mcpbolt.server.stdio import stdio_server

app = Server("learner")
known = ["learn"]


@app.list_tools()
async def list_tools() -> list[types.Tool]:
    return [types.Tool(name=name, inputSchema={"type": "object"}) for name in known]


@app.call_tool()
async def call_tool(name: str, arguments: dict) -> list[types.TextContent]:
    if name == "learn":
        known.append("recite")
        await app.request_context.session.send_tool_list_changed()
        return [types.TextContent(type="text", text="I know more now")]
    if name == "recite":
        return [types.TextContent(type="text", text="Here is what I know")]
    raise ValueError(f"not learned yet: {name}")


async def main():
    async with stdio_server() as streams:
        told = NotificationOptions(tools_changed=True)
        await app.run(streams[0], streams[1], app.create_initialization_options(told))


if __name__ == "__main__":
    asyncio.run(main())
