import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("server.py") as client:
        print(await client.call_tool("wait", {}, read_timeout_seconds=1))


asyncio.run(main())
