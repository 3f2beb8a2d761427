"""A server on the official package, 2.x: `official_modern.py stdio | streamable-http [PORT]`."""

import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult

server = MCPServer("modern", instructions="be modern")


@server.tool()
def echo(text: str) -> str:
    """Say it again."""
    return text


@server.tool()
async def ask(ctx: Context) -> str | InputRequiredResult:
    answers = ctx.input_responses
    if not answers:
        schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
        params = ElicitRequestFormParams(message="Who are you?", requested_schema=schema)
        return InputRequiredResult(input_requests={"who": ElicitRequest(params=params)}, request_state="s")
    answer = answers["who"]
    return f"{answer.action}:{(answer.content or {}).get('name', '')}"


@server.tool()
async def count(to: int, ctx: Context) -> int:
    for step in range(to):
        await ctx.report_progress(step + 1, to, f"step {step + 1}")
    return to


@server.resource("note://today")
def today() -> str:
    return "a note"


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", port=int(sys.argv[2]))
