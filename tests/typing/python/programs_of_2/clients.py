"""Clients as authors of 2.x type them: results have members in snake_case."""

from typing import Any

import mcp_types
from mcp import Client, ClientSession, MCPError, StdioServerParameters, stdio_client, types
from mcp.client import ClientRequestContext
from mcp.client.caching import CacheConfig
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import LATEST_PROTOCOL_VERSION
from typing_extensions import assert_type

assert_type(LATEST_PROTOCOL_VERSION, str)


async def answered(context: ClientRequestContext, params: types.ElicitRequestParams) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content={"name": params.message})


async def use() -> None:
    async with Client("http://localhost:8000/mcp", elicitation_callback=answered, cache=CacheConfig()) as client:
        assert_type(client.protocol_version, str)
        assert_type(client.server_info, types.Implementation | None)
        listed = await client.list_tools()
        assert_type(listed, types.ListToolsResult)
        assert_type(listed.next_cursor, str | None)
        for tool in listed.tools:
            assert_type(tool, mcp_types.Tool)
            assert_type(tool.input_schema, dict[str, Any])
            assert_type(tool.output_schema, dict[str, Any] | None)
        called = await client.call_tool("add", {"a": 1})
        assert_type(called, types.CallToolResult)
        assert_type(called.is_error, bool)
        for content in called.content:
            if isinstance(content, types.TextContent):
                assert_type(content.text, str)
            elif isinstance(content, types.ImageContent):
                assert_type(content.mime_type, str)
        read = await client.read_resource("stock://tea")
        assert_type(read, types.ReadResourceResult)
        assert_type(read.contents[0].uri, str)
        prompt = await client.get_prompt("praise", {"what": "tea"})
        assert_type(prompt.messages, list[types.PromptMessage])


async def by_hand(server: StdioServerParameters) -> str:
    async with stdio_client(server) as (reading, writing), ClientSession(reading, writing) as session:
        opened = await session.initialize()
        assert_type(opened, types.InitializeResult)
        assert_type(opened.server_info, types.Implementation)
        try:
            assert_type((await session.list_resources()).resources, list[types.Resource])
            assert_type((await session.list_resource_templates()).resource_templates, list[types.ResourceTemplate])
            result = await session.call_tool("add", {"a": 1}, read_timeout_seconds=2.5)
        except MCPError as error:
            assert_type(error.code, int)
            assert_type(error.error, types.ErrorData)
            return error.message
    return f"{opened.protocol_version}: {result.structured_content}"


async def over_http() -> None:
    async with streamable_http_client("http://localhost:8000/mcp") as (reading, writing):
        async with ClientSession(reading, writing, client_info=types.Implementation(name="a", version="1")) as session:
            await session.send_ping()
