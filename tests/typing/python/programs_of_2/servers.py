"""Servers as authors of 2.x type them: decorated functions stay what they were."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from mcp.server import MCPServer, NotificationOptions, Server, ServerRequestContext
from mcp.server.mcpserver import Context, Image
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, ToolAnnotations
from pydantic import BaseModel, Field
from starlette.applications import Starlette
from typing_extensions import assert_type

import mcp_types as types


@dataclass
class Shop:
    stock: dict[str, int]


@asynccontextmanager
async def opened(_: Any) -> AsyncGenerator[Shop, None]:
    yield Shop({"tea": 3})


server = MCPServer("shop", version="1.0.0", instructions="Sells tea.", lifespan=opened)
assert_type(server.version, str)


class Order(BaseModel):
    what: str
    count: Annotated[int, Field(ge=1)] = 1


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    return a + b


assert_type(add(1, 2), int)


@server.tool(name="order", structured_output=True)
async def place_order(order: Order, ctx: Context) -> list[Order]:
    await ctx.report_progress(1, 2, "half")
    assert_type(ctx.request_id, str)
    if not order.what:
        raise ToolError("nothing was ordered")
    return [order]


@server.tool()
def picture(kind: Literal["tea", "pot"]) -> Image:
    return Image(data=b"", format="png" if kind == "tea" else "jpeg")


@server.resource("stock://{what}", mime_type="application/json")
def stock(what: str) -> str:
    return what


assert_type(stock("tea"), str)


@server.prompt(title="Praise")
def praise(what: str = "tea") -> str:
    return f"Praise {what}."


assert_type(server.streamable_http_app(json_response=True), Starlette)


async def list_tools(
    ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    assert_type(ctx.protocol_version, str)
    tool = types.Tool(name="a", input_schema={"type": "object"}, annotations=types.ToolAnnotations(read_only_hint=True))
    assert_type(tool.input_schema, dict[str, Any])
    return types.ListToolsResult(tools=[tool], next_cursor=None if params is None else params.cursor)


async def call_tool(ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> types.CallToolResult:
    if params.name != "a":
        raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
    assert_type(params.arguments, dict[str, Any] | None)
    return types.CallToolResult(content=[types.TextContent(text="b")], structured_content={"b": 1}, is_error=False)


low = Server[Any]("desk", version="2", on_list_tools=list_tools, on_call_tool=call_tool)


async def serve() -> None:
    async with stdio_server() as (reading, writing):
        await low.run(reading, writing, low.create_initialization_options(NotificationOptions(tools_changed=True)))
