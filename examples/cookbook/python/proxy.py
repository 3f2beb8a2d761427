"""Another server, with some of its tools left out and others renamed.

    python proxy.py https://example.com/mcp
    python proxy.py "python server.py"
"""

import asyncio
import sys
from typing import Any

from mcpbolt import Client, types
from mcpbolt.server.lowlevel import Server
from mcpbolt.server.stdio import stdio_server

PREFIX = "upstream_"
HIDDEN = {"delete_everything"}


def proxy(upstream: Client) -> Server[Any, Any]:
    """A server whose tools are those of a connected client."""
    server: Server[Any, Any] = Server("proxy")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        found, cursor = [], None
        while True:
            page = await upstream.list_tools(cursor=cursor)
            found += page.tools
            cursor = page.nextCursor
            if cursor is None:
                break
        return [
            tool.model_copy(update={"name": PREFIX + tool.name}) for tool in found if tool.name not in HIDDEN
        ]

    # The server behind checks what it is given; checking it twice would cost two lists of tools.
    @server.call_tool(validate_input=False)
    async def call_tool(name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        inner = name.removeprefix(PREFIX)
        if inner == name or inner in HIDDEN:
            words = types.TextContent(type="text", text=f"There is no tool {name}.")
            return types.CallToolResult(content=[words], isError=True)
        context = server.request_context
        token = context.meta.progressToken if context.meta else None

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            if token is not None:
                await context.session.send_progress_notification(
                    token, progress, total, message, related_request_id=str(context.request_id)
                )

        # Whoever cancels the call here cancels it there: the task ends, and the client tells its server.
        return await upstream.call_tool(inner, arguments, progress_callback=on_progress)

    return server


async def main(target: str) -> None:
    async with Client(target) as upstream, stdio_server() as (reading, writing):
        server = proxy(upstream)
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
