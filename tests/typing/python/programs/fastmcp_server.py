"""A high-level server as its author types it: decorated functions stay what they were."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from typing_extensions import assert_type

from mcpbolt.server.fastmcp import Audio, Context, FastMCP, Icon, Image
from mcpbolt.server.fastmcp.prompts.base import AssistantMessage, Message, UserMessage
from mcpbolt.server.lowlevel.helper_types import ReadResourceContents
from mcpbolt.server.session import ServerSession
from mcpbolt.server.transport_security import TransportSecuritySettings
from mcpbolt.types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    ContentBlock,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
    Tool,
    ToolAnnotations,
)


@dataclass
class Shop:
    stock: dict[str, int]


@asynccontextmanager
async def opened(_: FastMCP[Shop]) -> AsyncGenerator[Shop, None]:
    yield Shop({"tea": 3})


mcp = FastMCP(
    "shop",
    instructions="Sells tea.",
    icons=[Icon(src="https://example.com/tea.png")],
    lifespan=opened,
    transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=True),
    json_response=True,
)
assert_type(mcp, FastMCP[Shop])
bare = FastMCP()
assert_type(bare.name, str)
mcp.settings.port = 9000


class Order(BaseModel):
    what: str
    count: Annotated[int, Field(ge=1)] = 1


class Confirmation(BaseModel):
    sure: bool


@mcp.tool()
def add(a: int, b: int) -> int:
    return a + b


assert_type(add(1, 2), int)
assert_type(add(b=1, a=2), int)


@mcp.tool(name="order", annotations=ToolAnnotations(readOnlyHint=False), structured_output=True)
async def place_order(order: Order, ctx: Context[ServerSession, Shop]) -> list[Order]:
    assert_type(ctx.request_context.lifespan_context, Shop)
    assert_type(ctx.session, ServerSession)
    assert_type(ctx.request_id, str)
    await ctx.info(f"{ctx.request_context.lifespan_context.stock}")
    await ctx.report_progress(1, 2, "half")
    asked = await ctx.elicit("Really?", Confirmation)
    if asked.action == "accept":
        assert_type(asked.data, Confirmation)
        return [order] if asked.data.sure else []
    return []


@mcp.tool("picture")
def picture(kind: Literal["tea", "pot"], ctx: Context) -> Image | Audio:
    assert_type(ctx.fastmcp, FastMCP[Any])
    return Image(data=b"", format="png") if kind == "tea" else Audio(data=b"", format="wav")


async def use(context: Context[ServerSession, Shop, Request]) -> None:
    assert_type(await place_order(Order(what="tea"), context), list[Order])
    assert_type(context.request_context.request, Request | None)
    for contents in await context.read_resource("stock://tea"):
        assert_type(contents, ReadResourceContents)
    assert_type(await mcp.list_tools(), list[Tool])
    assert_type(await mcp.call_tool("add", {"a": 1}), Sequence[ContentBlock] | dict[str, Any])


@mcp.tool()
def raw(ctx: Context[Any, Any, Any] | None = None) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text="raw")], structuredContent={"a": 1})


@mcp.resource("stock://{what}", mime_type="application/json", title="What is there")
def stock(what: str) -> str:
    return what


assert_type(stock("tea"), str)


@mcp.prompt(title="Praise")
def praise(what: str = "tea") -> list[Message]:
    return [UserMessage(f"Praise {what}."), AssistantMessage("Certainly.")]


assert_type(praise(), list[Message])


@mcp.completion()
async def complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    context: CompletionContext | None,
) -> Completion | None:
    return Completion(values=[argument.value], hasMore=False)


@mcp.custom_route("/health", methods=["GET"])
async def health(request: Request) -> Response:
    return JSONResponse({"path": request.url.path})


class Registry:
    """Methods are tools too."""

    def find(self, name: str) -> str:
        return name


mcp.add_tool(Registry().find, name="find")
assert_type(mcp.streamable_http_app(), Starlette)
assert_type(mcp.get_context(), Context[Any, Shop, Any])

if __name__ == "__main__":
    mcp.run(transport="streamable-http")
