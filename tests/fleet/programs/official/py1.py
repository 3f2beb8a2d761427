"""The official Python client 1.x: `py1.py URL`, then a line for each call."""

import asyncio
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from mcp.types import TextContent


async def main(url: str) -> None:
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        while line := await asyncio.to_thread(sys.stdin.readline):
            result = await session.call_tool("echo", {"text": line.rstrip("\n")})
            said = result.content[0]
            print(said.text if isinstance(said, TextContent) else said, flush=True)


asyncio.run(main(sys.argv[1]))
