import asyncio
import sys

from mcpbolt import Client


async def main() -> None:
    async with Client(sys.argv[1]) as client:
        print(await client.list_tools())


asyncio.run(main())
