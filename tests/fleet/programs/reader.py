"""Our client of Python, 1.x: `reader.py URL`, then a line for each read."""

import asyncio
import sys

from mcpbolt import ClientSession
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.types import TextResourceContents
from pydantic import AnyUrl


async def main(url: str) -> None:
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        while line := await asyncio.to_thread(sys.stdin.readline):
            result = await session.read_resource(AnyUrl(f"fleet://look/{line.strip()}"))
            said = result.contents[0]
            print(said.text if isinstance(said, TextResourceContents) else said, flush=True)


asyncio.run(main(sys.argv[1]))
