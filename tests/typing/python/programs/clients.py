"""Clients: what each call gives back."""

from datetime import timedelta
from typing import Any

import httpx
from typing_extensions import assert_type

from mcpbolt import (
    Client,
    ClientSession,
    ClientSessionGroup,
    Host,
    HostTool,
    McpError,
    MCPError,
    StdioServerParameters,
    SyncClient,
    stdio_client,
    types,
)
from mcpbolt.client.sse import sse_client
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.client.streamable_http import streamablehttp_client  # pyright: ignore[reportDeprecated]
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared.context import RequestContext
from mcpbolt.shared.exceptions import UrlElicitationRequiredError
from mcpbolt.shared.memory import create_connected_server_and_client_session
from mcpbolt.shared.session import RequestResponder


async def on_progress(progress: float, total: float | None, message: str | None) -> None:
    print(progress, total, message)


async def sample(
    context: RequestContext[ClientSession, Any], params: types.CreateMessageRequestParams
) -> types.CreateMessageResult | types.ErrorData:
    words = types.TextContent(type="text", text=str(params.maxTokens))
    return types.CreateMessageResult(role="assistant", content=words, model="none")


async def ask(
    context: RequestContext[ClientSession, Any], params: types.ElicitRequestParams
) -> types.ElicitResult | types.ErrorData:
    if isinstance(params, types.ElicitRequestURLParams):
        return types.ElicitResult(action="decline")
    return types.ElicitResult(action="accept", content={"sure": True})


async def list_roots(context: RequestContext[ClientSession, Any]) -> types.ListRootsResult | types.ErrorData:
    return types.ListRootsResult(roots=[])


async def on_log(params: types.LoggingMessageNotificationParams) -> None:
    print(params.level, params.data)


async def on_message(
    message: RequestResponder[types.ServerRequest, types.ClientResult] | types.ServerNotification | Exception,
) -> None:
    if isinstance(message, types.ServerNotification):
        print(message.root)


async def over_stdio() -> None:
    parameters = StdioServerParameters(command="python", args=["server.py"], env={"A": "b"})
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(
            read,
            write,
            read_timeout_seconds=timedelta(seconds=5),
            sampling_callback=sample,
            elicitation_callback=ask,
            list_roots_callback=list_roots,
            logging_callback=on_log,
            message_handler=on_message,
            client_info=types.Implementation(name="client", version="1"),
        ) as session:
            await verbs(session)


async def verbs(session: ClientSession) -> None:
    assert_type(await session.initialize(), types.InitializeResult)
    assert_type(session.get_server_capabilities(), types.ServerCapabilities | None)
    assert_type(await session.list_tools(), types.ListToolsResult)
    assert_type(await session.list_tools(params=types.PaginatedRequestParams(cursor="a")), types.ListToolsResult)
    result = await session.call_tool("add", {"a": 1}, progress_callback=on_progress, meta={"own": 1})
    assert_type(result, types.CallToolResult)
    assert_type(result.isError, bool)
    # Any JSON since 2026-07-28.
    assert_type(result.structuredContent, Any)
    for block in result.content:
        if isinstance(block, types.TextContent):
            assert_type(block.text, str)
    assert_type(await session.list_resources(), types.ListResourcesResult)
    assert_type(await session.list_resource_templates(), types.ListResourceTemplatesResult)
    assert_type(await session.list_prompts(), types.ListPromptsResult)
    assert_type(await session.get_prompt("a", {"b": "c"}), types.GetPromptResult)
    reference = types.PromptReference(type="ref/prompt", name="a")
    assert_type(await session.complete(reference, {"name": "b", "value": "c"}), types.CompleteResult)
    assert_type(await session.send_ping(), types.EmptyResult)
    request = types.ClientRequest(types.PingRequest())
    assert_type(await session.send_request(request, types.EmptyResult), types.EmptyResult)


async def over_http() -> None:
    async with httpx.AsyncClient() as http:
        async with streamable_http_client("http://127.0.0.1/mcp", http_client=http) as (read, write, session_id):
            assert_type(session_id(), str | None)
            async with ClientSession(read, write) as session:
                await session.initialize()
    async with streamablehttp_client("http://127.0.0.1/mcp", {"a": "b"}) as (read, write, _):  # pyright: ignore[reportDeprecated]
        assert_type(await ClientSession(read, write).send_ping(), types.EmptyResult)
    async with sse_client("http://127.0.0.1/sse", timeout=1) as (read, write):
        assert_type(await ClientSession(read, write).send_ping(), types.EmptyResult)


async def one_object() -> None:
    async with Client("http://127.0.0.1/mcp", elicitation_callback=ask) as client:
        assert_type(client, Client)
        assert_type(await client.list_tools(), types.ListToolsResult)
        assert_type(await client.call_tool("add", {"a": 1}), types.CallToolResult)
        assert_type(client.instructions, str | None)
    async with create_connected_server_and_client_session(FastMCP("a")) as session:
        assert_type(session, ClientSession)
    async with ClientSessionGroup() as group:
        assert_type(group.tools, dict[str, types.Tool])


def prepare(client: Client, server: str) -> None:
    client.elicitation_callback = ask


async def many_servers(config: dict[str, Any]) -> None:
    async with Host.from_file("mcp.json", prepare=prepare, mode="legacy", sampling_callback=sample) as host:
        assert_type(host, Host)
        assert_type(host.failures, dict[str, Exception])
        assert_type(host.sessions, dict[str, ClientSession])
        assert_type(host.tools, list[HostTool])
        assert_type(host.find("add"), HostTool | None)
        assert_type(await host.call_tool("add", {"a": 1}, progress_callback=on_progress), types.CallToolResult)
        assert_type(await host.add("one", {"command": "python", "args": ["server.py"]}), ClientSession)
        assert_type(await host.add("two", FastMCP("two")), ClientSession)
        assert_type(await host.add_config(config), dict[str, Exception])
        await host.remove("two")
    Host({"mcpServers": {"web": {"url": "http://127.0.0.1/mcp", "headers": {"a": "b"}}}})
    Host(config, on_tools_changed=lambda tools: print(len(tools)), on_error=lambda error, server: print(server))


def without_a_loop() -> None:
    with SyncClient(["python", "server.py"]) as client:
        assert_type(client.call_tool("add", {"a": 1}), types.CallToolResult)
        assert_type(client.list_resources(), types.ListResourcesResult)


def failures(error: Exception) -> int:
    if isinstance(error, UrlElicitationRequiredError):
        assert_type(error.elicitations, list[types.ElicitRequestURLParams])
    if isinstance(error, (McpError, MCPError)):
        assert_type(error.error, types.ErrorData)
        return error.error.code
    return McpError(types.ErrorData(code=-32603, message="failed")).error.code
