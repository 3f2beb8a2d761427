import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("server.py", read_timeout_seconds=1) as client:
        print(await client.call_tool("wait", {}))


asyncio.run(main())
