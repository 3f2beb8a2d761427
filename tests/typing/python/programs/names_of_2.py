"""The names of 2.x: a server whose parameters are asked for, and handlers given by keyword."""

from typing import Annotated, Any

from pydantic import BaseModel
from typing_extensions import assert_type

from mcpbolt import Client, MCPServer, types
from mcpbolt.server import Server, ServerRequestContext
from mcpbolt.server.mcpserver import Context, Elicit, ElicitationResult, Resolve

server = MCPServer("desk", title="Desk", version="2")
assert_type(server.version, str)


class Guest(BaseModel):
    name: str


def who(title: str) -> Elicit[Guest]:
    return Elicit(f"Who is {title}?", Guest)


@server.tool()
async def greet(
    title: str,
    guest: Annotated[Guest, Resolve(who)],
    again: Annotated[ElicitationResult[Guest], Resolve(who)],
    ctx: Context,
) -> str:
    assert_type(guest.name, str)
    assert_type(ctx.protocol_version, str | None)
    assert_type(ctx.client_capabilities, types.ClientCapabilities | None)
    if again.action == "accept":
        assert_type(again.data, Guest)
    return f"{title} {guest.name}"


async def list_tools(
    ctx: ServerRequestContext[Any, Any], params: types.PaginatedRequestParams | None
) -> types.ListToolsResult:
    assert_type(ctx.protocol_version, str)
    return types.ListToolsResult(tools=[])


async def call_tool(ctx: ServerRequestContext[Any, Any], params: types.CallToolRequestParams) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=params.name)])


handlers: Server[Any, Any] = Server("desk", version="2", on_list_tools=list_tools, on_call_tool=call_tool)


async def use() -> None:
    async with Client(server, mode="2026-07-28") as client:
        assert_type(client.protocol_version, str)
        assert_type(await client.call_tool("greet", {"title": "Mx"}), types.CallToolResult)
