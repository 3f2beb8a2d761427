import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("server.py") as client:
        result = await client.read_resource("note://mlik")
        print(result.contents[0].text)


asyncio.run(main())
