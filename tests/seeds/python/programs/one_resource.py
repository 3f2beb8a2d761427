"""The smallest low-level server: one handler, over the standard streams."""

import asyncio

import mcpbolt.types as types
from mcpbolt.server import Server
from mcpbolt.server.stdio import stdio_server

app = Server("one-resource")


@app.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri="sample://greeting", name="Greeting")]


async def main():
    async with stdio_server() as streams:
        await app.run(streams[0], streams[1], app.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
