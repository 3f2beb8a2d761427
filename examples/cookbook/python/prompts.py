"""Prompts whose arguments complete while a person types, the second by what the first says."""

from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.prompts.base import AssistantMessage, Message, UserMessage
from mcpbolt.types import (
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)

mcp = FastMCP("translations")
STYLES = {
    "German": ["formal (Sie)", "friendly (du)"],
    "Japanese": ["keigo", "plain", "teineigo"],
    "Spanish": ["formal (usted)", "friendly (tú)"],
}
MOST = 100


@mcp.prompt(title="Translate a letter")
def translate(language: str, style: str, text: str) -> list[Message]:
    """Asks for a translation, and shows how it should sound."""
    return [
        UserMessage(f"Translate into {language}. The style is {style}."),
        AssistantMessage("Please give me the letter. I answer with the translation alone."),
        UserMessage(text),
    ]


@mcp.completion()
async def complete(
    ref: PromptReference | ResourceTemplateReference,
    argument: CompletionArgument,
    context: CompletionContext | None,
) -> Completion | None:
    if not isinstance(ref, PromptReference) or ref.name != "translate":
        return None
    if argument.name == "language":
        offered = list(STYLES)
    elif argument.name == "style":
        # What was filled in before comes along, so only fitting styles are offered.
        language = (context and context.arguments or {}).get("language", "")
        offered = STYLES.get(language, [])
    else:
        return None
    found = [each for each in offered if each.lower().startswith(argument.value.lower())]
    return Completion(values=found[:MOST], total=len(found), hasMore=len(found) > MOST)


if __name__ == "__main__":
    mcp.run()
