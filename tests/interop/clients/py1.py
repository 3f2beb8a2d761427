"""The official Python SDK, 1.x line, as a client of an everything-server."""

import asyncio
import sys
from contextlib import AsyncExitStack
from typing import Any

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from pydantic import AnyUrl

import checks


async def elicit(context: Any, params: Any) -> types.ElicitResult:
    checks.asked["elicitation"] += 1
    return types.ElicitResult(action="accept", content=checks.FORM)


async def sample(context: Any, params: Any) -> types.CreateMessageResult:
    checks.asked["sampling"] += 1
    text = types.TextContent(type="text", text="scripted answer")
    return types.CreateMessageResult(role="assistant", model="scripted", content=text)


async def main() -> int:
    args = checks.arguments()
    async with AsyncExitStack() as stack:
        if args.url:
            streams = await stack.enter_async_context(streamable_http_client(args.url))
        else:
            server = StdioServerParameters(command=args.target[0], args=args.target[1:])
            streams = await stack.enter_async_context(stdio_client(server))
        client = await stack.enter_async_context(
            ClientSession(streams[0], streams[1], sampling_callback=sample, elicitation_callback=elicit)
        )
        opened = await client.initialize()

        async def ping() -> None:
            await client.send_ping()

        table = checks.table(
            client,
            lambda uri: client.read_resource(AnyUrl(uri)),
            types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments"),
            ping,
        )
        transport = "http" if args.url else "stdio"
        return await checks.run("python-1.30.0", transport, opened.protocolVersion, table)


sys.exit(asyncio.run(main()))
