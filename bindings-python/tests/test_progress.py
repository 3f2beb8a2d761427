"""Reports of progress that functions make, with values that are not plain numbers and text."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import anyio
import pytest
from aliased import compat
from bounds import START
from eras import ERAS, with_client
from mcpbolt import Client
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.mcpserver import Context as ModernContext
from mcpbolt.v2.server import MCPServer as MCPServerOf2
from mcpbolt.v2.server.mcpserver import Context as ContextOf2
from peer import official, soon, text


class Scalar:
    """A number of another library, as those of numpy are."""

    def __init__(self, value: float) -> None:
        self.value = value

    def __float__(self) -> float:
        return float(self.value)


# What functions report, and what clients hear of it.
REPORTS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "plain": ((1, 2, "half"), (1.0, 2.0, "half")),
    "scalar": ((Scalar(1), Scalar(4)), (1.0, 4.0, None)),
    "decimal": ((Decimal("0.5"), Decimal(1)), (0.5, 1.0, None)),
    "fraction": ((Fraction(1, 2),), (0.5, None, None)),
    "truth": ((True,), (1.0, None, None)),
    "words": (("1", "2"), (1.0, 2.0, None)),
}
REFUSED: dict[str, tuple[Any, ...]] = {
    "nothing": (None,),
    "number as message": (1, 2, 5),
    "object": (object(),),
}


def reporting(server: Any, context: Any) -> Any:
    """A server with a tool that makes one of the reports."""

    async def report(ctx: Any, which: str) -> str:
        given = REFUSED[which] if which in REFUSED else REPORTS[which][0]
        try:
            await ctx.report_progress(*given)
        except ValueError as error:
            return str(error).splitlines()[0]
        return "reported"

    report.__annotations__["ctx"] = context
    server.tool()(report)
    return server


SERVERS = pytest.mark.parametrize(
    ("kind", "context"),
    [(FastMCP, Context), (MCPServer, ModernContext), (MCPServerOf2, ContextOf2)],
    ids=["1", "2", "v2"],
)


@ERAS
@SERVERS
def test_a_report_has_the_numbers_that_pydantic_makes_of_its_values(kind: Any, context: Any, mode: str) -> None:
    async def test(client: Client) -> None:
        for which, (_, expected) in REPORTS.items():
            heard, there = list[Any](), anyio.Event()

            async def hear(*report: Any, heard: list[Any] = heard, there: anyio.Event = there) -> None:
                heard.append(report)
                there.set()

            result = await soon(client.call_tool("report", {"which": which}, progress_callback=hear))
            assert text(result) == "reported"
            await soon(there.wait())
            assert heard == [expected], which
            assert [type(part) for part in heard[0]] == [type(part) for part in expected]

    with_client(mode, reporting(kind("reports"), context), test)


@ERAS
@SERVERS
def test_a_report_that_cannot_be_one_is_refused_where_it_is_made(kind: Any, context: Any, mode: str) -> None:
    async def hear(*report: Any) -> None:
        raise AssertionError(report)

    async def test(client: Client) -> None:
        for which in REFUSED:
            result = await soon(client.call_tool("report", {"which": which}, progress_callback=hear))
            assert text(result) == "1 validation error for ProgressNotificationParams", which

    with_client(mode, reporting(kind("reports"), context), test)


# Prints what a client hears of the reports, and what the function learns of those that are none.
PROGRAM = """
import anyio, json
from decimal import Decimal
from fractions import Fraction
from mcp.server.fastmcp import Context, FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connected

class Scalar:
    def __float__(self):
        return 3.5

VALUES = [
    (Scalar(),), (Decimal("0.5"), Decimal(1)), (Fraction(1, 2),), (True,), ("1", "2"), (None,), (1, 2, 5), (object(),)
]
server = FastMCP("reports")

@server.tool()
async def report(ctx: Context, which: int) -> str:
    await ctx.report_progress(*VALUES[which])
    # Of the reports of a call this one is the last.
    await ctx.report_progress(100)
    return "reported"

async def main():
    said = []
    async with connected(server) as client:
        for which in range(len(VALUES)):
            heard, last = [], anyio.Event()
            async def hear(*report):
                heard.append(report)
                if report[0] == 100:
                    last.set()
            result = await client.call_tool("report", {"which": which}, progress_callback=hear)
            if not result.isError:
                with anyio.fail_after(20):
                    await last.wait()
            said.append([heard, result.isError, result.content[0].text.splitlines()[0]])
    print(json.dumps(said))

anyio.run(main)
"""


def test_under_the_official_name_reports_are_what_they_are_there() -> None:
    official()
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=START)
    expected = json.loads(done.stdout)
    assert [failed for _, failed, _ in expected] == [False] * 5 + [True] * 3
    assert json.loads(compat(PROGRAM)) == expected
