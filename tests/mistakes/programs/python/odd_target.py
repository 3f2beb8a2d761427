import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client({"cmd": "python server.py"}) as client:
        print(await client.list_tools())


asyncio.run(main())
