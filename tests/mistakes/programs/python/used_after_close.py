import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("server.py") as client:
        pass
    print(await client.call_tool("add", {"a": 1, "b": 2}))


asyncio.run(main())
