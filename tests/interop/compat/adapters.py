"""LangChain's adapters on mcpbolt as the client of a server: `adapters.py URL` or `… -- COMMAND…`.

Run with `python -m mcpbolt.compat`. Ends with 0 if tools, prompts and resources arrive as
LangChain's objects.
"""

import asyncio
import sys
from typing import Any

import mcp
from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools

SECONDS = 30
NOTE = "note://one"


def connection(arguments: list[str]) -> dict[str, Any]:
    if arguments[0] == "--":
        return {"transport": "stdio", "command": arguments[1], "args": arguments[2:]}
    return {"transport": "streamable_http", "url": arguments[0]}


def text(answer: Any) -> str:
    return answer if isinstance(answer, str) else "".join(part.get("text", "") for part in answer)


async def main(arguments: list[str]) -> None:
    assert mcp.__spec__.name == "mcpbolt", "the official package was found"
    client = MultiServerMCPClient({"served": connection(arguments)})
    # A session for every call.
    tools = {tool.name: tool for tool in await client.get_tools()}
    assert text(await tools["echo"].ainvoke({"text": "grüße"})) == "grüße"
    assert text(await tools["total"].ainvoke({"numbers": [1, 2, 3]})) == "6"
    # One session for many.
    async with client.session("served") as session:
        loaded = {tool.name: tool for tool in await load_mcp_tools(session)}
        answers = await asyncio.gather(*(loaded["echo"].ainvoke({"text": str(n)}) for n in range(50)))
        assert [text(answer) for answer in answers] == [str(n) for n in range(50)]
        assert "no luck" in text(await loaded["fail"].ainvoke({}))
    messages = await client.get_prompt("served", "greet", arguments={"name": "Ada"})
    assert "Ada" in str(messages[0].content), messages
    blobs = await client.get_resources("served", uris=[NOTE])
    assert blobs[0].as_string() == "kept", blobs


asyncio.run(asyncio.wait_for(main(sys.argv[1:]), SECONDS))
