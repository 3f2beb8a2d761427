"""Chapter tools."""

from __future__ import annotations

import asyncio

import pytest

# [guide]
from typing import Annotated

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.types import ToolAnnotations
from pydantic import BaseModel, Field

mcp = FastMCP("weather")


class Weather(BaseModel):
    temperature: Annotated[float, Field(description="Degrees Celsius")]
    sky: str


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True, openWorldHint=False))
async def current_weather(
    city: Annotated[str, Field(description="Name of a city, in English")], ctx: Context
) -> Weather:
    """The weather of a city, now."""
    await ctx.info(f"looking up {city}")
    if city != "Oslo":
        raise ToolError(f"There is no weather for {city}; try Oslo.")
    return Weather(temperature=6.0, sky="clear")
# [end]


# [guide]
@mcp.tool()
async def index(files: list[str], ctx: Context) -> str:
    """Indexes files."""
    for done, file in enumerate(files, start=1):
        await asyncio.sleep(0)  # index the file here; a cancelled call ends at an `await`
        await ctx.report_progress(done, len(files), file)
    return f"Indexed {len(files)} files."


@mcp.tool()
def checksum(text: str) -> int:
    """Plain functions run on threads, and may block."""
    return sum(text.encode()) % 256
# [end]


# [guide]
from mcpbolt import ClientSession  # noqa: E402


async def use_it(session: ClientSession) -> str:
    for tool in (await session.list_tools()).tools:
        print(f"{tool.name}: {tool.description}")

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        print(f"{progress} of {total}: {message}")

    answer = await session.call_tool("index", {"files": ["a.txt"]}, progress_callback=on_progress)
    if answer.isError:
        print("the tool says no")  # show it to the model
    return answer.content[0].text
# [end]


def test_a_host_lists_calls_and_hears_progress(capsys: pytest.CaptureFixture[str]) -> None:
    from mcpbolt import Client

    async def main() -> None:
        async with Client(mcp) as client:
            assert await use_it(client.session) == "Indexed 1 files."
            warm = await client.call_tool("current_weather", {"city": "Oslo"})
            assert warm.structuredContent == {"temperature": 6.0, "sky": "clear"}
            cold = await client.call_tool("current_weather", {"city": "Atlantis"})
            assert cold.isError and "try Oslo" in cold.content[0].text
            assert (await client.call_tool("checksum", {"text": "a"})).structuredContent == {"result": 97}
            tool = (await client.list_tools()).tools[0]
            assert tool.inputSchema["properties"]["city"]["description"] == "Name of a city, in English"
            assert tool.outputSchema is not None

    asyncio.run(asyncio.wait_for(main(), 60))
    assert "1.0 of 1.0: a.txt" in capsys.readouterr().out
