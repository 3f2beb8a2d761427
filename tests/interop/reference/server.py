"""A small official server (Python SDK, 2.x line) with the inventory the clients check.

It proves the clients: `python server.py` on stdio, `python server.py PORT` over HTTP.
"""

import asyncio
import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.types import Completion, SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("reference")


class Person(BaseModel):
    username: str
    email: str


@server.tool()
def test_simple_text() -> str:
    """Text."""
    return "This is a simple text response for testing."


@server.tool()
async def test_tool_with_progress(ctx: Context) -> str:
    """Three steps."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await asyncio.sleep(0.05)
    return "done"


@server.tool()
def test_error_handling() -> str:
    """Fails."""
    raise ValueError("on purpose")


@server.tool()
async def test_elicitation(message: str, ctx: Context) -> str:
    """Asks the user."""
    answer = await ctx.elicit(message, Person)
    return f"User response: {answer.action}"


@server.tool()
async def test_sampling(prompt: str, ctx: Context) -> str:
    """Asks the model."""
    question = SamplingMessage(role="user", content=TextContent(type="text", text=prompt))
    answer = await ctx.session.create_message([question], max_tokens=100)
    return f"LLM response: {answer.content.text}"


@server.resource("test://static-text")
def static_text() -> str:
    """Text."""
    return "static"


@server.resource("test://template/{id}/data")
def template(id: str) -> str:
    """A template."""
    return f'{{"id": "{id}"}}'


@server.prompt()
def test_simple_prompt() -> str:
    """A prompt."""
    return "simple"


@server.prompt()
def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
    """A prompt with arguments."""
    return f"{arg1} and {arg2}"


@server.completion()
async def complete(ref: object, argument: object, context: object) -> Completion:
    return Completion(values=["test-one"])


if len(sys.argv) > 1:
    server.run("streamable-http", port=int(sys.argv[1]))
else:
    server.run("stdio")
