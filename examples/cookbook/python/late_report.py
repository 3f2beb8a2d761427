"""A report that takes long: ordered now, written while nobody is connected, collected later.

    python late_report.py serve
    python late_report.py order 2025       # prints a receipt, and leaves
    python late_report.py collect RECEIPT  # hours later, or after a restart
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcpbolt import Client, McpError
from mcpbolt.client.tasks import Task, Tasks, start_tool, task
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.types import TextContent
from pydantic import BaseModel

URL = os.environ.get("REPORTS_URL", "http://127.0.0.1:8000/mcp")
WEEK = 7 * 24 * 3600.0  # seconds


class Report(BaseModel):
    year: int
    orders: int
    cents: dict[str, int]
    """Revenue by customer."""


def read(month: Path) -> list[tuple[str, int]]:
    """Customer and cents of each order of a month: a file with one JSON object a line."""
    orders = map(json.loads, month.read_text("utf-8").splitlines())
    return [(order["customer"], order["cents"]) for order in orders]


def reports(folder: Path, store: str = "reports.redb") -> FastMCP:
    """The server of a folder of orders. What it has finished is in the file `store`, for a week."""
    mcp = FastMCP("reports", stores=f"file:{store}", options={"tasks.ttl": WEEK})

    # Clients without tasks can call it too, and wait.
    @mcp.tool(task="optional")
    async def yearly_report(year: int) -> Report:
        """Sums up the orders of a year by customer. Takes a while."""
        months = sorted(folder.glob(f"{year:04d}-*.jsonl"))
        if not months:
            raise ToolError(f"There are no orders of {year}.")
        report = Report(year=year, orders=0, cents={})
        for month in months:
            # On a thread, so that others are served meanwhile. A cancelled task ends here.
            for customer, cents in await asyncio.to_thread(read, month):
                report.orders += 1
                report.cents[customer] = report.cents.get(customer, 0) + cents
        return report

    return mcp


async def order(server: Any, year: int) -> str:
    """Starts a report and leaves. Whoever has the receipt can collect it: keep it secret."""
    async with Client(server, extensions=[Tasks()]) as client:
        started = await start_tool(client, "yearly_report", {"year": year})
    if not isinstance(started, Task):
        raise SystemExit("This server does not write reports while nobody waits.")
    return started.id


async def collect(server: Any, receipt: str) -> str:
    """The report, or why there is none yet."""
    async with Client(server, extensions=[Tasks()]) as client:
        ordered = task(client, receipt)
        try:
            state = await ordered.get()
            if not state.is_over:
                return f"It is being written since {state.created_at}. Come back later."
            result = await ordered.wait()
        except McpError as error:
            # Unknown or too old, cancelled, or the server ended while it was writing.
            return f"Please order it again: {error}"
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["order", year]:
            print(asyncio.run(order(URL, int(year))))
        case ["collect", receipt]:
            print(asyncio.run(collect(URL, receipt)))
        case _:
            reports(Path(os.environ.get("REPORTS_ORDERS", "orders"))).run(transport="streamable-http")
