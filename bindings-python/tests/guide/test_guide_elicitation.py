"""Chapter elicitation."""

from __future__ import annotations

import asyncio

import pytest

# [guide]
from typing import Annotated

from mcpbolt.server.fastmcp import Context, FastMCP
from pydantic import BaseModel, Field

mcp = FastMCP("hotel")


class Room(BaseModel):
    guests: Annotated[int, Field(title="Guests", ge=1, le=8)] = 2
    breakfast: bool = True


@mcp.tool()
async def book(city: str, ctx: Context) -> str:
    """Books a room."""
    answer = await ctx.elicit(f"A room in {city}:", Room)
    if answer.action != "accept":
        return "Nothing was booked."
    return f"Booked for {answer.data.guests} guests."
# [end]

# [guide]
from typing import Any  # noqa: E402

from mcpbolt import Client, types  # noqa: E402


async def on_elicitation(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
    print(params.message)
    if isinstance(params, types.ElicitRequestURLParams):
        print(f"Open {params.url} ?")  # the whole URL, then ask
        return types.ElicitResult(action="decline")
    for name, field in params.requestedSchema["properties"].items():
        print(f"  {name}: {field}")  # draw the field, read the value
    return types.ElicitResult(action="accept", content={"guests": 3, "breakfast": False})


def new_client(server: Any) -> Client:
    return Client(server, elicitation_callback=on_elicitation)
# [end]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_person_is_asked_while_a_call_runs(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    async def main() -> None:
        client = new_client(mcp)
        client.mode = mode
        async with client:
            answer = await client.call_tool("book", {"city": "Oslo"})
            assert answer.structuredContent == {"result": "Booked for 3 guests."}

    asyncio.run(asyncio.wait_for(main(), 60))
    assert capsys.readouterr().out.startswith("A room in Oslo:\n  guests: ")
