import asyncio

from mcpbolt import Client


async def main() -> None:
    async with Client("server.py") as client:
        result = await client.get_prompt("gret", {"name": "Ada"})
        print(result.messages[0].content.text)


asyncio.run(main())
