"""A low-level server with handlers by keyword, for either package: `handler_surface.py mcp | mcpbolt`."""

import asyncio
import importlib
import sys
from typing import Any

PACKAGE = sys.argv[1]
servers = importlib.import_module(f"{PACKAGE}.server")
stdio = importlib.import_module(f"{PACKAGE}.server.stdio")
types = importlib.import_module(f"{PACKAGE}.types")
MCPError = importlib.import_module(f"{PACKAGE}.shared.exceptions").MCPError


async def list_tools(ctx: Any, params: Any) -> Any:
    cursor = params.cursor if params else None
    tools = [types.Tool(name=f"echo {cursor}", input_schema={"type": "object"})]
    return types.ListToolsResult(tools=tools, next_cursor=None if cursor else "more")


async def call_tool(ctx: Any, params: Any) -> Any:
    if params.name == "refuse":
        raise MCPError(code=-7, message="not you", data=[1])
    words = f"{params.name} {params.arguments} {ctx.protocol_version} {ctx.method} {ctx.lifespan_context}"
    text = types.TextContent(type="text", text=words)
    return types.CallToolResult(content=[text], structured_content={"said": words}, is_error=params.name == "bad")


async def read_resource(ctx: Any, params: Any) -> Any:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, text="t", mime_type="a/b")])


async def get_prompt(ctx: Any, params: Any) -> Any:
    message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=str(params.arguments)))
    return types.GetPromptResult(description="d", messages=[message])


class TwiceParams(types.RequestParams):
    number: int = 1


async def twice(ctx: Any, params: Any) -> Any:
    return {"twice": params.number * 2}


async def watch(ctx: Any, call_next: Any) -> Any:
    if ctx.method == "tools/call" and ctx.params["name"] == "stopped":
        raise MCPError(code=-8, message="stopped before")
    return await call_next(ctx)


server = servers.Server(
    "handlers",
    version="5",
    on_list_tools=list_tools,
    on_call_tool=call_tool,
    on_read_resource=read_resource,
    on_get_prompt=get_prompt,
)
server.add_request_handler("example/twice", TwiceParams, twice)
server.middleware.append(watch)


async def main() -> None:
    async with stdio.stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
