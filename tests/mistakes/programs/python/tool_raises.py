import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("server.py") as client:
        result = await client.call_tool("divide", {"a": 1, "b": 0})
        print(result.content[0].text)


asyncio.run(main())
