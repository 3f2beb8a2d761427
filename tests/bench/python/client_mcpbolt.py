"""Our client, as its users would write it."""

import asyncio

from load import arguments, run

from mcpbolt import Client, StdioServerParameters


async def main() -> None:
    given = arguments()
    target = given.url or StdioServerParameters(command=given.command[0], args=given.command[1:])
    async with Client(target, mode="2026-07-28" if given.modern else "legacy") as client:
        await run(given, lambda text: client.call_tool("echo", {"text": text}))


asyncio.run(main())
