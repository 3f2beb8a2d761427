"""The official Python SDK, 2.x line, as a client of an everything-server, in either era."""

import asyncio
import sys
from typing import Any

from mcp import Client, StdioServerParameters, types

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
    server = args.url or StdioServerParameters(command=args.target[0], args=args.target[1:])
    callbacks = {"sampling_callback": sample, "elicitation_callback": elicit}
    async with Client(server, mode=args.era, **callbacks) as client:

        async def ping() -> None:
            await client.send_ping()

        table = checks.table(
            client,
            client.read_resource,
            types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments"),
            ping if client.protocol_version < "2026" else None,
        )
        transport = "http" if args.url else "stdio"
        return await checks.run("python-2.3.0", transport, client.protocol_version, table)


sys.exit(asyncio.run(main()))
