"""Ten thousand resources, page by page: the server makes a page when it is asked for."""

import asyncio
from collections.abc import AsyncIterator

from mcpbolt import Client, types
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.stdio import stdio_server
from mcpbolt.shared.exceptions import McpError

TOTAL = 10_000
PAGE = 500

server = Server("archive")


def entry(number: int) -> types.Resource:
    return types.Resource(uri=types.AnyUrl(f"archive:///{number}"), name=f"letter-{number}", mimeType="text/plain")


@server.list_resources()
async def list_resources(request: types.ListResourcesRequest) -> types.ListResourcesResult:
    """The cursor is ours: where the next page begins. It comes back from a client, so it is checked."""
    cursor = request.params.cursor if request.params else None
    if cursor is not None and not (cursor.isdecimal() and int(cursor) < TOTAL):
        raise McpError(types.ErrorData(code=types.INVALID_PARAMS, message=f"no such cursor: {cursor}"))
    first = int(cursor or 0)
    last = min(first + PAGE, TOTAL)
    return types.ListResourcesResult(
        resources=[entry(number) for number in range(first, last)],
        nextCursor=str(last) if last < TOTAL else None,
    )


@server.read_resource()
async def read_resource(uri: types.AnyUrl) -> str:
    return f"This is {uri}."


async def all_resources(client: Client) -> AsyncIterator[types.Resource]:
    """What a client does: ask until there is no cursor, and keep nothing that is not needed."""
    cursor: str | None = None
    while True:
        page = await client.list_resources(cursor=cursor)
        for resource in page.resources:
            yield resource
        cursor = page.nextCursor
        if cursor is None:
            return


async def main() -> None:
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
