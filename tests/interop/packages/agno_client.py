"""Agno's toolkit on a session of the official package."""

from argparse import Namespace
from contextlib import AsyncExitStack
from typing import Any

from agno.tools.mcp import MCPTools
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from shown import outcome, plain, show

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("echo", {"text": "grüße", "times": 2}),
    ("echo", {}),
    ("older", {"person": {"name": "Ada", "age": 36}}),
    ("older", {"person": {"name": "Ada", "age": -1}}),
    ("fail", {}),
    ("picture", {}),
    ("slow", {}),
)


def opened(options: Namespace) -> Any:
    if options.url:
        return streamable_http_client(options.url)
    return stdio_client(StdioServerParameters(command=options.target[0], args=options.target[1:]))


async def main(options: Namespace) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        reading, writing = await stack.enter_async_context(opened(options))
        session = await stack.enter_async_context(ClientSession(reading, writing))
        # It opens the session itself, as a legacy one.
        toolkit = await stack.enter_async_context(MCPTools(session=session))
        seen: dict[str, Any] = {"revision": session.protocol_version, "server": plain(session.server_info)}
        for name, function in toolkit.functions.items():
            seen[f"function {name}"] = [function.description, function.parameters]
        for name, arguments in CALLS:
            seen[f"{name} {arguments}"] = await outcome(toolkit.functions[name].entrypoint(**arguments))
        return seen


show(main)
