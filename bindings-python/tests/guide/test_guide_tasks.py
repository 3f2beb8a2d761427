"""Chapter tasks."""

from __future__ import annotations

import asyncio

# [guide]
from mcpbolt.server.fastmcp import Context, FastMCP

mcp = FastMCP("reports")  # stores="file:tasks.redb" keeps tasks when the process ends


@mcp.tool(task="optional")
async def report(year: int) -> str:
    """Writes the report of a year."""
    await asyncio.sleep(0)  # takes long
    return f"The report of {year}."


@mcp.tool()
async def summary(years: list[int], ctx: Context) -> str:
    """Sums years up."""
    if len(years) > 3:
        await ctx.begin_task()
    return f"{len(years)} years."
# [end]

# [guide]
from mcpbolt import Client  # noqa: E402
from mcpbolt.client.tasks import Task, Tasks, start_tool, task, watch  # noqa: E402


async def read(server: object) -> str:
    async with Client(server, extensions=[Tasks()]) as client:
        # Goes on until the task is over; what it asks goes to the callbacks.
        result = await client.call_tool("report", {"year": 2025})
        print(result.content[0].text)

        # Or hold the task.
        started = await start_tool(client, "report", {"year": 2026})
        assert isinstance(started, Task)
        async with watch(client, [started.id]) as steps:
            state = await started.get()
            while not state.is_over:
                state = await anext(steps)
        result = await task(client, started.id).wait()
        return result.content[0].text
# [end]


def test_a_call_becomes_a_task_that_is_waited_for_or_held(capsys) -> None:
    async def main() -> None:
        assert await asyncio.wait_for(read(mcp), 30) == "The report of 2026."
        async with Client(mcp, extensions=[Tasks()]) as client:
            long = await start_tool(client, "summary", {"years": [1, 2, 3, 4]})
            assert isinstance(long, Task)
            assert (await asyncio.wait_for(long.wait(), 30)).content[0].text == "4 years."
            assert (await client.call_tool("summary", {"years": [1]})).content[0].text == "1 years."

    asyncio.run(main())
    assert capsys.readouterr().out == "The report of 2025.\n"
