"""A client that uses whatever a server offers: what the conformance suites drive.

Shows: connecting in either era, lists, calls, reading, prompts, answering the server's
questions. Which of it is done, and with what, the suites say by environment variables
(MCP_CONFORMANCE_SCENARIO, _CONTEXT, _PROTOCOL_VERSION); without them it looks at
everything and prints what it found.

    python examples/python/everything_client.py http://127.0.0.1:3000/mcp
    python examples/python/everything_client.py -- python examples/python/weather_server.py
"""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx
from common import client_arguments, fill_in, target, text_of
from everything_sign_in import provider
from mcpbolt import Client, McpError
from mcpbolt.client.skills import SkillsClient, SkillVerificationError
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.types import (
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestFormParams,
    ElicitRequestParams,
    ElicitResult,
    Implementation,
    ListRootsResult,
    Root,
    TextContent,
)
from pydantic import FileUrl


async def elicit(context: Any, params: ElicitRequestParams) -> ElicitResult:
    """Agree to everything; a form is filled in by its defaults."""
    content = fill_in(params.requestedSchema) if isinstance(params, ElicitRequestFormParams) else None
    return ElicitResult(action="accept", content=content)


async def sample(context: Any, params: CreateMessageRequestParams) -> CreateMessageResult:
    """Have a model that repeats."""
    heard = text_of(params.messages[-1].content_as_list) if params.messages else ""
    said = TextContent(type="text", text=f"You said: {heard}")
    return CreateMessageResult(role="assistant", model="scripted", stopReason="endTurn", content=said)


async def roots(context: Any) -> ListRootsResult:
    """Have one root."""
    return ListRootsResult(roots=[Root(uri=FileUrl("file:///example"), name="example")])


async def pages(ask: Callable[..., Awaitable[Any]], member: str) -> AsyncIterator[Any]:
    """Everything in a list, page by page."""
    cursor: str | None = None
    while True:
        page = await ask(cursor=cursor)
        for item in getattr(page, member):
            yield item
        cursor = page.nextCursor
        if cursor is None:
            return


def some_arguments(schema: dict[str, Any]) -> dict[str, Any]:
    """A value for each argument that a tool declares."""
    values: dict[str, Any] = {"integer": 1, "number": 1, "boolean": True, "array": [], "object": {}}
    properties: dict[str, dict[str, Any]] = schema.get("properties", {})
    return {name: values.get(str(each.get("type")), "test") for name, each in properties.items()}


async def tour(client: Client) -> None:
    """Look at everything and print it."""
    name = client.server_info.name if client.server_info else "a server without a name"
    print(f"connected to {name}, revision {client.protocol_version}")
    if client.instructions:
        print(f"  {client.instructions}")
    can = client.server_capabilities
    if can.tools:
        async for tool in pages(client.list_tools, "tools"):
            print(f"tool      {tool.title or tool.name}: {tool.description or '-'}")
    if can.resources:
        async for resource in pages(client.list_resources, "resources"):
            read = await client.read_resource(resource.uri)
            print(f"resource  {resource.uri} ({len(read.contents)} parts)")
        async for template in pages(client.list_resource_templates, "resourceTemplates"):
            print(f"template  {template.uriTemplate}")
    if can.prompts:
        async for prompt in pages(client.list_prompts, "prompts"):
            print(f"prompt    {prompt.name}: {prompt.description or '-'}")


async def play(client: Client, scenario: str, context: dict[str, Any]) -> None:
    """Do what a scenario of the suites wants to see."""
    if scenario.startswith("sep-2640-"):
        return await use_skills(client, scenario)
    tools = [tool async for tool in pages(client.list_tools, "tools")]
    match scenario:
        case "tools_call":
            await client.call_tool("add_numbers", {"a": 5, "b": 3})
        case "elicitation-sep1034-client-defaults":
            await client.call_tool("test_client_elicitation_defaults", {})
        case "sse-retry":
            await client.call_tool("test_reconnection", {})
        case name if name.startswith("auth/"):
            await client.call_tool("test-tool", {})
        case "sep-2322-client-request-state" | "http-invalid-tool-headers":
            for tool in tools:
                await client.call_tool(tool.name, some_arguments(tool.inputSchema))
        case "http-standard-headers":
            for tool in tools:
                await client.call_tool(tool.name, some_arguments(tool.inputSchema))
            async for resource in pages(client.list_resources, "resources"):
                await client.read_resource(resource.uri)
            async for prompt in pages(client.list_prompts, "prompts"):
                await client.get_prompt(prompt.name)
        case "http-custom-headers":
            for call in context.get("toolCalls", []):
                await client.call_tool(call["name"], call.get("arguments"))
        case "json-schema-2020-12-preservation":
            focal = next(tool for tool in tools if tool.name == "json_schema_2020_12_tool")
            await client.call_tool("json_schema_echo", {"schema": focal.inputSchema})
        case _:
            # Connecting and listing is all that the others look at.
            pass


async def use_skills(client: Client, scenario: str) -> None:
    """List the skills and, where the scenario is about verification, load the first; one that is
    not what its entry says is left alone.
    """
    skills = SkillsClient(client, "suite")
    listing = await skills.list()
    if "verify" not in scenario:
        return
    skill = listing.skills[0]
    try:
        loaded = await skills.load(skill, skills.approve(skill))
        for file in skill["resources"]:
            await loaded.read(file["uri"])
    except SkillVerificationError as error:
        print(f"not loaded: {error}", file=sys.stderr)


async def main(server: Any) -> None:
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO")
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    if scenario is None or not scenario.startswith("auth/"):
        return await use(server, scenario, context)
    async with httpx.AsyncClient(auth=provider(server, scenario, context), timeout=30, trust_env=False) as http:
        await use(streamable_http_client(server, http_client=http), scenario, context)


async def use(server: Any, scenario: str | None, context: dict[str, Any]) -> None:
    """Connect, and do what is wanted."""
    # The mocks of the suites speak one era: a suite that does not say which, the legacy one.
    modern = scenario is None or os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "") >= "2026"
    client = Client(
        server,
        mode="auto" if modern else "legacy",
        client_info=Implementation(name="mcpbolt-everything-client", version="1.0.0"),
        elicitation_callback=elicit,
        sampling_callback=sample,
        list_roots_callback=roots,
    )
    async with client:
        await (tour(client) if scenario is None else play(client, scenario, context))


if __name__ == "__main__":
    try:
        asyncio.run(main(target(client_arguments(__doc__).parse_args().server)))
    except (McpError, OSError) as error:
        sys.exit(f"failed: {error}")
