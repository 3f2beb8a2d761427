"""A server on the official package, 1.x: `official_server.py stdio | streamable-http | sse [PORT]`."""

import logging
import os
import sys

import anyio
from mcp.server.fastmcp import Context, FastMCP
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel

server = FastMCP("peer", instructions="be brief", log_level="ERROR")
cancelled: list[str] = []


class Sum(BaseModel):
    total: int


class Answer(BaseModel):
    name: str


@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
def add(a: int, b: int) -> Sum:
    return Sum(total=a + b)


@server.tool()
def fail() -> str:
    raise ValueError("no luck")


@server.tool()
def environment(name: str) -> str:
    return os.environ.get(name, "")


@server.tool()
def die(code: int) -> str:
    print("last words", file=sys.stderr, flush=True)
    os._exit(code)


@server.tool()
async def hang(name: str, ctx: Context) -> str:
    await ctx.info(f"hanging {name}")
    try:
        await anyio.sleep_forever()
    finally:
        cancelled.append(name)
    return "never"


@server.tool()
def cancellations() -> list[str]:
    return cancelled


@server.tool()
async def count(to: int, ctx: Context) -> int:
    for step in range(to):
        await ctx.report_progress(step + 1, to, f"step {step + 1}")
    return to


@server.tool()
async def log(text: str, ctx: Context) -> str:
    await ctx.warning(text)
    return "logged"


@server.tool()
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("Who are you?", Answer)
    return f"{answer.action}:{answer.data.name if answer.action == 'accept' else ''}"


@server.tool()
async def sample(ctx: Context) -> str:
    message = SamplingMessage(role="user", content=TextContent(type="text", text="hello"))
    result = await ctx.session.create_message([message], max_tokens=5)
    return result.content.text


@server.tool()
async def roots(ctx: Context) -> str:
    return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)


@server.tool()
async def changed(ctx: Context) -> str:
    await ctx.session.send_tool_list_changed()
    return "told"


@server.resource("note://today")
def today() -> str:
    return "a note"


@server.resource("note://{name}/text")
def note(name: str) -> str:
    return f"note {name}"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


@server.completion()
async def complete(ref, argument, context):
    from mcp.types import Completion

    return Completion(values=[argument.value + "!"])


if __name__ == "__main__":
    transport = sys.argv[1]
    if len(sys.argv) > 2:
        server.settings.port = int(sys.argv[2])
        # Its caller waits for the line that says it listens.
        logging.getLogger("uvicorn.error").setLevel("INFO")
        server.settings.log_level = "INFO"
    server.run(transport=transport)
