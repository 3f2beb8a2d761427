"""A low-level server: bare, with one and with two type arguments, as the official class has."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from pydantic import AnyUrl
from starlette.requests import Request
from typing_extensions import assert_type

import mcpbolt.types as types
from mcpbolt.server import NotificationOptions, Server
from mcpbolt.server.lowlevel.helper_types import ReadResourceContents
from mcpbolt.server.models import InitializationOptions
from mcpbolt.server.session import ServerSession
from mcpbolt.server.stdio import stdio_server
from mcpbolt.server.streamable_http_manager import StreamableHTTPSessionManager
from mcpbolt.shared.context import RequestContext

Store = dict[str, str]


@asynccontextmanager  # pyright: ignore[reportDeprecated]  the return type as most programs write it
async def opened(_: Server[Store, Request]) -> AsyncIterator[Store]:
    yield {}


bare: Server = Server("bare")  # type: ignore[type-arg, unused-ignore]
half: Server[Store] = Server("half", lifespan=opened)
server: Server[Store, Request] = Server("notes", "1.0", "Keeps notes.", lifespan=opened)


@server.list_tools()
async def tools() -> list[types.Tool]:
    return [types.Tool(name="note", inputSchema={"type": "object"}, outputSchema=None)]


@server.call_tool(validate_input=False)
async def call(name: str, arguments: dict[str, Any]) -> Iterable[types.ContentBlock]:
    context = server.request_context
    assert_type(context, RequestContext[ServerSession, Store, Request])
    assert_type(context.lifespan_context, Store)
    if context.meta is not None and context.meta.progressToken is not None:
        await context.session.send_progress_notification(context.meta.progressToken, 0.5, total=1.0)
    await context.session.send_log_message(level="info", data="called", related_request_id=context.request_id)
    return [types.TextContent(type="text", text=name), types.EmbeddedResource(type="resource", resource=contents())]


def contents() -> types.TextResourceContents:
    return types.TextResourceContents(uri=AnyUrl("note://a"), text="a", mimeType="text/plain")


@server.list_resources()
async def resources() -> list[types.Resource]:
    return [types.Resource(uri=AnyUrl("note://a"), name="a")]


@server.read_resource()
async def read(uri: AnyUrl) -> Iterable[ReadResourceContents]:
    return [ReadResourceContents(content=str(uri), mime_type="text/plain")]


@server.list_prompts()
async def prompts() -> list[types.Prompt]:
    return [types.Prompt(name="sum", arguments=[types.PromptArgument(name="style", required=True)])]


@server.get_prompt()
async def prompt(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
    words = types.TextContent(type="text", text=name)
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=words)])


@server.set_logging_level()
async def set_level(level: types.LoggingLevel) -> None:
    print(level)


async def typed() -> None:
    assert_type(await tools(), list[types.Tool])
    assert_type(await read(AnyUrl("note://a")), Iterable[ReadResourceContents])
    assert_type(await prompt("sum", None), types.GetPromptResult)
    handler = server.request_handlers[types.ListToolsRequest]
    assert_type(await handler(types.ListToolsRequest()), types.ServerResult)


async def main() -> None:
    options = server.create_initialization_options(NotificationOptions(tools_changed=True), {"own": {}})
    assert_type(options, InitializationOptions)
    async with stdio_server() as (read_stream, write_stream):
        await server.run(read_stream, write_stream, options, raise_exceptions=True)


manager = StreamableHTTPSessionManager(app=server, json_response=True, stateless=True)
