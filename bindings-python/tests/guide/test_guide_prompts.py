"""Chapter prompts."""

from __future__ import annotations

import asyncio

# [guide]
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.prompts.base import Message, UserMessage
from mcpbolt.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

mcp = FastMCP("notes")
TONES = ["clear", "formal", "friendly", "short"]


@mcp.prompt()
def improve_note(text: str, tone: str = "clear") -> list[Message]:
    """Asks for a better wording of a note."""
    return [UserMessage(f"Rewrite this note in a {tone} tone. Keep every fact."), UserMessage(text)]


@mcp.completion()
async def complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    context: CompletionContext | None,
) -> Completion | None:
    if argument.name != "tone":
        return None
    return Completion(values=[tone for tone in TONES if tone.startswith(argument.value.lower())])
# [end]

# [guide]
from mcpbolt import ClientSession  # noqa: E402


async def pick(session: ClientSession) -> list[str]:
    asked = PromptReference(type="ref/prompt", name="improve_note")
    offered = await session.complete(asked, {"name": "tone", "value": "f"})
    print(offered.completion.values)
    filled = await session.get_prompt("improve_note", {"text": "buy milk", "tone": "formal"})
    return [f"{message.role}: {message.content.text}" for message in filled.messages]
# [end]


def test_a_prompt_is_completed_and_filled_in(capsys) -> None:
    from mcpbolt import Client

    async def main() -> None:
        async with Client(mcp) as client:
            said = await pick(client.session)
            assert said == [
                "user: Rewrite this note in a formal tone. Keep every fact.",
                "user: buy milk",
            ]
            arguments = (await client.list_prompts()).prompts[0].arguments
            assert [(a.name, a.required) for a in arguments] == [("text", True), ("tone", False)]

    asyncio.run(asyncio.wait_for(main(), 60))
    assert capsys.readouterr().out == "['formal', 'friendly']\n"
