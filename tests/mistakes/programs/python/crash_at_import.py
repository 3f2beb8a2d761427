import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("crashing_server.py") as client:
        result = await client.call_tool("add", {"a": 1, "b": 2})
        print(result.content[0].text)


asyncio.run(main())
