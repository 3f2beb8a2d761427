"""The official client, 1.30; it speaks the legacy era alone."""

import asyncio

from load import arguments, run
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


async def main() -> None:
    given = arguments()
    if given.url:
        way = streamable_http_client(given.url)
    else:
        way = stdio_client(StdioServerParameters(command=given.command[0], args=given.command[1:]))
    async with way as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        await run(given, lambda text: session.call_tool("echo", {"text": text}))


asyncio.run(main())
