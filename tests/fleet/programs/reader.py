"""Our client of Python, 1.x: `reader.py WHAT URL`, then a line for each read (WHAT is `resource`), or for each call of a
tool of which the server says that it may run twice (`tool`)."""

import asyncio
import sys

from mcpbolt import ClientSession
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.types import TextContent, TextResourceContents
from pydantic import AnyUrl


async def ask(session: ClientSession, what: str, text: str) -> object:
    if what == "tool":
        block = (await session.call_tool("look", {"text": text})).content[0]
        return block.text if isinstance(block, TextContent) else block
    said = (await session.read_resource(AnyUrl(f"fleet://look/{text}"))).contents[0]
    return said.text if isinstance(said, TextResourceContents) else said


async def main(what: str, url: str) -> None:
    async with streamable_http_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        await session.list_tools()
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(await ask(session, what, line.strip()), flush=True)


asyncio.run(main(*sys.argv[1:]))
