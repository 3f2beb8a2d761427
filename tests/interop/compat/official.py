"""The official client, 1.30, on a server: `official.py TOOL ARGUMENTS EXPECTED -- COMMAND…`.

Ends with 0 if the tool is listed, its answer holds the text, and an unknown tool is
refused as the official package does.
"""

import asyncio
import json
import sys
from datetime import timedelta

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

SECONDS = 20


async def main(tool: str, arguments: str, expected: str, command: list[str]) -> None:
    assert "mcpbolt" not in sys.modules, "this must be the official package"
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    limit = timedelta(seconds=SECONDS)
    async with stdio_client(parameters) as streams, ClientSession(*streams, read_timeout_seconds=limit) as session:
        opened = await session.initialize()
        assert opened.protocolVersion == "2025-11-25", opened
        listed = [found.name for found in (await session.list_tools()).tools]
        assert tool in listed, listed
        result = await session.call_tool(tool, json.loads(arguments))
        text = "".join(getattr(part, "text", "") for part in result.content)
        assert not result.isError and expected in text, text
        refused = await session.call_tool("there-is-no-such-tool", {})
        assert refused.isError, refused


tool, arguments, expected, _, *command = sys.argv[1:]
asyncio.run(asyncio.wait_for(main(tool, arguments, expected, command), SECONDS))
