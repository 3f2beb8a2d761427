"""The client of Microsoft's Agent Framework: on a connection of its own over HTTP in the newest
era, otherwise on one that it is given.
"""

from argparse import Namespace
from contextlib import AsyncExitStack
from typing import Any

from agent_framework import MCPStdioTool, MCPStreamableHTTPTool
from mcp import Client, StdioServerParameters

from shown import outcome, plain, show

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("echo", {"text": "grüße", "times": 2}),
    ("echo", {}),
    ("older", {"person": {"name": "Ada", "age": 36}}),
    ("older", {"person": {"name": "Ada", "age": -1}}),
    ("fail", {}),
    ("picture", {}),
    ("slow", {}),
    ("none", {}),
)


def tool(options: Namespace, given: Client | None) -> Any:
    if given is not None:
        return MCPStdioTool("peer", mcp_client=given)
    return MCPStreamableHTTPTool("peer", options.url)


async def main(options: Namespace) -> dict[str, Any]:
    async with AsyncExitStack() as stack:
        given = None
        if options.era == "legacy" or not options.url:
            where = options.url or StdioServerParameters(command=options.target[0], args=options.target[1:])
            given = await stack.enter_async_context(Client(where, mode=options.era))
        peer = await stack.enter_async_context(tool(options, given))
        seen: dict[str, Any] = {
            "functions": [[each.name, each.description, each.parameters()] for each in peer.functions],
            "prompt": await outcome(peer.get_prompt("greet", name="Ada")),
            "no prompt": await outcome(peer.get_prompt("none")),
        }
        for name, arguments in CALLS:
            seen[f"{name} {arguments}"] = await outcome(peer.call_tool(name, **arguments))
        for each in peer.functions:
            if each.name == "echo":
                seen["invoked"] = plain(await each.invoke(arguments={"text": "a"}))
        return seen


show(main)
