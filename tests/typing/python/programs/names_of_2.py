"""The names of 2.x: a server whose parameters are asked for, and handlers given by keyword."""

from typing import Annotated, Any

from pydantic import BaseModel
from typing_extensions import assert_type

from mcpbolt import Client, MCPServer, types
from mcpbolt.server import Server, ServerRequestContext
from mcpbolt.server.mcpserver import (
    DEFAULT_RESOURCE_SECURITY,
    Context,
    Elicit,
    ElicitationResult,
    RequestStateSecurity,
    ResourceSecurity,
    Resolve,
)
from mcpbolt.shared.path_security import safe_join
from mcpbolt.shared.uri_template import UriTemplate

server = MCPServer(
    "desk",
    title="Desk",
    version="2",
    resource_security=DEFAULT_RESOURCE_SECURITY,
    request_state_security=RequestStateSecurity(keys=["a secret of no less than 32 bytes"], ttl=60),
)
assert_type(server.version, str)


@server.resource("docs://{+path}{?lines}", security=ResourceSecurity(exempt_params={"lines"}))
def document(path: str, lines: int = 3) -> str:
    return safe_join("/srv/docs", path).read_text()[: lines * 80]


template = UriTemplate.parse("docs://{+path}")
assert_type(document("a"), str)
assert_type(template.match("docs://a/b"), dict[str, str | list[str]] | None)
assert_type(template.expand({"path": ["a", "b"]}), str)


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
        kept = client.session.discover_result
        assert_type(kept, types.DiscoverResult | None)
        assert_type(await client.call_tool("greet", {"title": "Mx"}), types.CallToolResult)
    async with Client(server, mode="2026-07-28", prior_discover=kept, log_level="info") as client:
        assert_type(client.instructions, str | None)
