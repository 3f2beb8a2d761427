"""A low-level server whose resource is read by URI."""

import asyncio

import mcpbolt.types as types
from mcpbolt.server import Server
from mcpbolt.server.stdio import stdio_server
from pydantic import AnyUrl

JOURNAL = "file:///var/journal.txt"

app = Server("journal")


async def read_journal() -> str:
    await asyncio.sleep(0)
    return "08:00 woke up\n08:05 fell asleep again\n"


@app.list_resources()
async def list_resources() -> list[types.Resource]:
    return [types.Resource(uri=JOURNAL, name="Journal of today", mimeType="text/plain")]


@app.read_resource()
async def read_resource(uri: AnyUrl) -> str:
    if str(uri) == JOURNAL:
        return await read_journal()
    raise ValueError("no such entry")


async def main():
    async with stdio_server() as streams:
        await app.run(streams[0], streams[1], app.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
