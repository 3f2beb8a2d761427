"""One program in the names of 2.x, for either package: `modern_surface.py mcp | mcpbolt`."""

import importlib
import sys
from typing import Annotated, Any

from pydantic import BaseModel, Field

PACKAGE = sys.argv[1]
servers = importlib.import_module(f"{PACKAGE}.server")
high = importlib.import_module(f"{PACKAGE}.server.mcpserver")
failures = importlib.import_module(f"{PACKAGE}.server.mcpserver.exceptions")
types = importlib.import_module(f"{PACKAGE}.types")
MCPError = importlib.import_module(f"{PACKAGE}.shared.exceptions").MCPError
Context = high.Context


class Name(BaseModel):
    name: str


class Place(BaseModel):
    city: str
    degrees: float = Field(description="in Celsius")


server = servers.MCPServer("surface", title="Surface", description="d", instructions="i", version="4", log_level="CRITICAL")


@server.tool()
def add(a: int, b: Annotated[int, Field(description="more")] = 2) -> int:
    """Adds."""
    return a + b


@server.tool(title="Weather", structured_output=True)
async def weather(city: str) -> Place:
    return Place(city=city, degrees=20.5)


@server.tool()
def refuse() -> None:
    raise MCPError(code=-5, message="no", data={"why": 1})


@server.tool()
def sorry() -> str:
    raise failures.ToolError("try later")


@server.tool()
async def crash() -> str:
    raise KeyError("a secret")


@server.tool()
async def look(ctx: Context) -> list[Any]:
    return [ctx.protocol_version, ctx.input_responses, ctx.request_state, ctx.headers, ctx.request_context.method]


def who(title: str) -> high.Elicit[Name]:
    return high.Elicit(f"Who is {title}?", Name)


@server.tool()
async def resolved(title: str, name: Annotated[Name, high.Resolve(who)]) -> str:
    return f"{title} {name.name}"


@server.tool()
async def asking(ctx: Context) -> str | types.InputRequiredResult:
    answers = ctx.input_responses
    if answers:
        return f"{answers['who'].action} {answers['who'].content} {ctx.request_state}"
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    params = types.ElicitRequestFormParams(message="Who?", requested_schema=schema)
    return types.InputRequiredResult(
        input_requests={"who": types.ElicitRequest(params=params)}, request_state="kept"
    )


@server.resource("note://one", title="One")
def one() -> str:
    return "1"


@server.resource("note://bad")
def bad() -> str:
    raise KeyError("a secret")


@server.resource("note://gone/{name}")
def gone(name: str) -> str:
    if name == "busy":
        raise failures.ResourceError("come back later")
    return name


@server.prompt(title="Greeting")
def greet(name: str) -> str:
    """Greets."""
    return f"Hello {name}"


@server.completion()
async def complete(ref: Any, argument: Any, context: Any) -> Any:
    return types.Completion(values=[f"{argument.value}!"], total=1)


if __name__ == "__main__":
    server.run("stdio")
