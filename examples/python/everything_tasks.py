"""A server with the extensions of 2026-07-28, tasks before all: what the conformance suites call.

Shows: tools that become tasks, questions while they run, a tool that decides by itself, and tasks
that outlast the process, in a file; and beside them the skills of a folder. Written against the 2.x
API.

    python examples/python/everything_tasks.py --http 127.0.0.1:3000
    python examples/python/everything_tasks.py --http 127.0.0.1:3000 --stores file:tasks.redb
"""

import asyncio
from pathlib import Path
from typing import Any

from common import server_arguments
from mcpbolt import MCPError
from mcpbolt.server import MCPServer
from mcpbolt.server.mcpserver import Context
from mcpbolt.server.mcpserver.exceptions import ToolError
from mcpbolt.types import ElicitResult, InputRequest, InputRequiredResult
from mcpbolt.v2.server.skills import SkillFolder
from pydantic import BaseModel, Field

INTERNAL_ERROR = -32603
SKILLS = Path(__file__).parent.parent / "skills"


def form(message: str) -> InputRequest:
    """A question for a name."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    return InputRequest(method="elicitation/create", params={"message": message, "requestedSchema": schema})


def name_in(ctx: Context, key: str) -> str | None:
    """The name in an answer; `None` if there is no answer yet."""
    answer: Any = (ctx.input_responses or {}).get(key)
    if not isinstance(answer, ElicitResult):
        return None
    return str((answer.content or {}).get("name", "nobody"))


def greet(name: str) -> str:
    """Greets at once."""
    return f"Hello, {name}!"


async def slow_compute(seconds: float = 0, label: str = "") -> str:
    """Computes for a while."""
    await asyncio.sleep(seconds)
    return f"Computed {label} in {seconds} s."


def failing_job() -> str:
    """A task whose tool fails."""
    raise ToolError("The job failed.")


def protocol_error_job() -> str:
    """A task that ends with a JSON-RPC error."""
    raise MCPError(INTERNAL_ERROR, "The job broke.")


class Confirmation(BaseModel):
    confirm: bool = Field(title="Delete it")


async def confirm_delete(filename: str, ctx: Context) -> str:
    """Asks before it deletes, and waits inside the function."""
    answer = await ctx.elicit(f"Delete {filename}?", Confirmation)
    yes = answer.action == "accept" and answer.data.confirm
    return f"Deleted {filename}." if yes else "Nothing was deleted."


def multi_input(ctx: Context) -> str | InputRequiredResult:
    """Asks two things at once, and runs again with the answers."""
    name, color = name_in(ctx, "name"), name_in(ctx, "color")
    if name is None or color is None:
        questions = {"name": form("What is your name?"), "color": form("What is the name of your favourite colour?")}
        return InputRequiredResult(inputRequests=questions)
    return f"{name} likes {color}."


async def test_tool_with_task(ctx: Context) -> str | InputRequiredResult:
    """Asks first, and goes on as a task."""
    name = name_in(ctx, "user_name")
    if name is None:
        # Nothing is a task before the client has answered.
        return InputRequiredResult(inputRequests={"user_name": form("What is your name?")})
    await ctx.begin_task()
    return f"Hello, {name}, from a task."


def server(stores: str | None = None) -> MCPServer:
    """The server; `stores` says where it keeps tasks."""
    skills = SkillFolder(SKILLS, ttl_ms=60_000, cache_scope="public")
    mcp = MCPServer("mcpbolt-tasks", stores=stores, options={"tasks.poll_interval": 0.1}, extensions=[skills])
    mcp.add_tool(greet)
    mcp.add_tool(slow_compute, task="optional")
    for required in (failing_job, protocol_error_job, confirm_delete, multi_input):
        mcp.add_tool(required, task="required")
    mcp.add_tool(test_tool_with_task)
    return mcp


if __name__ == "__main__":
    parser = server_arguments(__doc__)
    parser.add_argument("--stores", help='where tasks are kept: "memory", or "file:" and a path; default: in memory')
    arguments = parser.parse_args()
    mcp = server(arguments.stores)
    if arguments.http is None:
        mcp.run("stdio")
    else:
        host, _, port = arguments.http.rpartition(":")
        mcp.run("streamable-http", host=host.strip("[]"), port=int(port))
