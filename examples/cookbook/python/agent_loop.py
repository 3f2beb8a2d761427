"""An agent: a model asks for tools until it has its answer.

    python agent_loop.py server.py "How warm is it in Oslo?"

`scripted` stands in for a model, so that the loop can be read and tested without one. A
function that asks a real model has the same signature.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from mcpbolt import Client
from mcpbolt.types import TextContent, Tool

MAX_TURNS = 8


@dataclass
class Wish:
    """What the model wants done."""

    tool: str
    arguments: dict[str, Any]


@dataclass
class Turn:
    """What the model says: words, and perhaps tools that it wants called first."""

    text: str = ""
    wishes: list[Wish] = field(default_factory=list)


Message = dict[str, Any]
Model = Callable[[list[Message], list[Tool]], Awaitable[Turn]]
Approve = Callable[[Tool, dict[str, Any]], Awaitable[bool]]


async def scripted(messages: list[Message], tools: list[Tool]) -> Turn:
    """A model that calls the first tool once and repeats what it said."""
    if messages[-1]["role"] == "tool":
        return Turn(text=f"It says: {messages[-1]['content']}")
    wanted = tools[0].inputSchema.get("required", [])
    return Turn(wishes=[Wish(tools[0].name, {name: messages[-1]["content"] for name in wanted})])


async def only_reading(tool: Tool, _: dict[str, Any]) -> bool:
    """Lets tools run that say they change nothing. Ask a person about the others."""
    return bool(tool.annotations and tool.annotations.readOnlyHint)


async def run(client: Client, model: Model, question: str, approve: Approve = only_reading) -> str:
    """The loop: ask the model, call what it wants, show it what came back."""
    tools = (await client.list_tools()).tools
    by_name = {tool.name: tool for tool in tools}
    messages: list[Message] = [{"role": "user", "content": question}]
    for _ in range(MAX_TURNS):
        turn = await model(messages, tools)
        if not turn.wishes:
            return turn.text
        messages.append({"role": "assistant", "content": turn.text, "wishes": turn.wishes})
        answers = await asyncio.gather(*(call(client, by_name.get(wish.tool), wish, approve) for wish in turn.wishes))
        messages += [{"role": "tool", "content": answer} for answer in answers]
    return "I stopped after too many steps."


async def call(client: Client, tool: Tool | None, wish: Wish, approve: Approve) -> str:
    """One wish. Whatever goes wrong is told to the model, which may think again."""
    if tool is None:
        return f"There is no tool {wish.tool}."
    if not await approve(tool, wish.arguments):
        return "The user does not want this tool to be called."
    result = await client.call_tool(tool.name, wish.arguments)
    words = "\n".join(part.text for part in result.content if isinstance(part, TextContent))
    return f"It failed: {words}" if result.isError else words


async def main(server: str, question: str) -> None:
    async with Client(server) as client:
        print(await run(client, scripted, question))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
