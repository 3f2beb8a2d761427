import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client({"command": "python", "args": ["server.py"]}) as client:
        print(await client.list_tools())


asyncio.run(main())
