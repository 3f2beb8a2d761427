import asyncio

from mcpbolt import Client


async def main() -> None:
    client = Client("server.py")
    print(await client.call_tool("add", {"a": 1, "b": 2}))


asyncio.run(main())
