"""The official Python client 2.x: `py2.py URL`, then a line for each call."""

import asyncio
import sys

from mcp import Client
from mcp.types import TextContent


async def main(url: str) -> None:
    async with Client(url) as client:
        while line := await asyncio.to_thread(sys.stdin.readline):
            result = await client.call_tool("echo", {"text": line.rstrip("\n")})
            said = result.content[0]
            print(said.text if isinstance(said, TextContent) else said, flush=True)


asyncio.run(main(sys.argv[1]))
