"""The official client, 2.3."""

import asyncio

from load import arguments, run
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client


async def main() -> None:
    given = arguments()
    target = given.url or stdio_client(StdioServerParameters(command=given.command[0], args=given.command[1:]))
    async with Client(target, mode="2026-07-28" if given.modern else "legacy") as client:
        await run(given, lambda text: client.call_tool("echo", {"text": text}))


asyncio.run(main())
