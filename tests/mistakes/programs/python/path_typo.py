import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("sever.py") as client:
        print(await client.list_tools())


asyncio.run(main())
