"""A low-level server with prompts: a table of them, and their messages by name."""

import asyncio

import mcpbolt.types as types
from mcpbolt.server import Server
from mcpbolt.server.stdio import stdio_server

LETTERS = {
    "thank-you": types.Prompt(
        name="thank-you",
        description="A letter of thanks",
        arguments=[types.PromptArgument(name="gift", description="What was given", required=True)],
    ),
    "invitation": types.Prompt(
        name="invitation",
        description="A letter that invites",
        arguments=[
            types.PromptArgument(name="occasion", description="To what", required=True),
            types.PromptArgument(name="place", description="Where", required=False),
        ],
    ),
}

app = Server("letters")


@app.list_prompts()
async def list_prompts() -> list[types.Prompt]:
    return list(LETTERS.values())


@app.get_prompt()
async def get_prompt(name: str, arguments: dict[str, str] | None = None) -> types.GetPromptResult:
    if name not in LETTERS:
        raise ValueError(f"no letter of this kind: {name}")

    if name == "thank-you":
        gift = arguments.get("gift") if arguments else ""
        return types.GetPromptResult(
            messages=[
                types.PromptMessage(
                    role="user", content=types.TextContent(type="text", text=f"Write a short letter of thanks for:\n\n{gift}")
                )
            ]
        )

    if name == "invitation":
        occasion = arguments.get("occasion") if arguments else ""
        place = arguments.get("place", "our house") if arguments else "our house"
        return types.GetPromptResult(
            messages=[
                types.PromptMessage(
                    role="user", content=types.TextContent(type="text", text=f"Invite my friends to {place}:\n\n{occasion}")
                )
            ]
        )

    raise ValueError("a letter without words")


async def main():
    async with stdio_server() as streams:
        await app.run(streams[0], streams[1], app.create_initialization_options())


if __name__ == "__main__":
    asyncio.run(main())
