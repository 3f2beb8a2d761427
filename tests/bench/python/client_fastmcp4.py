"""fastmcp's client, 4."""

import asyncio

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from load import arguments, run


async def main() -> None:
    given = arguments()
    target = given.url or StdioTransport(given.command[0], given.command[1:])
    async with Client(target, mode="2026-07-28" if given.modern else "legacy") as client:
        await run(given, lambda text: client.call_tool("echo", {"text": text}))


asyncio.run(main())
