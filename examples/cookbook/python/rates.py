"""Exchange rates of an API that is slow and sometimes down: asked seldom, again when it fails, never twice at once."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated

import httpx
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.types import ToolAnnotations
from pydantic import BaseModel, Field

Currency = Annotated[str, Field(pattern="^[A-Z]{3}$", description="Code of a currency, such as EUR")]
FRESH, STALE = 600.0, 24 * 3600.0  # seconds: for how long it is good, and better than nothing
PAUSES, PATIENCE = (0.3, 1.0, 3.0), 10.0  # seconds: between tries, and of one try
AGAIN = {429, 500, 502, 503, 504}


class Unreachable(Exception):
    """The API did not answer, however often it was asked."""


class Table(BaseModel):
    """What the API says of one currency."""

    date: str
    rates: dict[str, float]


@dataclass
class Rates:
    """What is known, and what is being asked."""

    http: httpx.AsyncClient
    known: dict[str, tuple[float, Table]] = field(default_factory=dict)
    asking: dict[str, asyncio.Task[Table]] = field(default_factory=dict)

    async def of(self, base: str) -> tuple[Table, bool]:
        """The table of a currency, and whether it is a stale one."""
        at, table = self.known.get(base, (float("-inf"), None))
        age = time.monotonic() - at
        if table and age < FRESH:
            return table, False
        if base not in self.asking:
            self.asking[base] = asyncio.create_task(self.ask(base))
        try:
            # Others may wait for the same answer: a call that is cancelled leaves it running.
            return await asyncio.shield(self.asking[base]), False
        except Unreachable:
            if table and age < STALE:
                return table, True
            raise ToolError("The exchange rates cannot be had now. Try again in some minutes.") from None

    async def ask(self, base: str) -> Table:
        """Asks the API until it answers. Only because a GET changes nothing it may be asked again."""
        try:
            for pause in (*PAUSES, None):
                try:
                    asked = self.http.get("/latest", params={"base": base})
                    answer = await asyncio.wait_for(asked, PATIENCE)
                    if answer.status_code == 404:
                        raise ToolError(f"There is no currency {base}.")
                    if answer.status_code not in AGAIN:
                        table = Table.model_validate(answer.raise_for_status().json())
                        self.known[base] = time.monotonic(), table
                        return table
                except (httpx.TransportError, asyncio.TimeoutError):
                    pass
                if pause is not None:
                    # Not all at the same moment, when the API comes back.
                    await asyncio.sleep(pause * random.uniform(0.5, 1.5))
            raise Unreachable
        finally:
            del self.asking[base]


@asynccontextmanager
async def lifespan(_: FastMCP) -> AsyncIterator[Rates]:
    base = os.environ.get("RATES_URL", "https://api.frankfurter.dev/v1")
    async with httpx.AsyncClient(base_url=base, timeout=PATIENCE) as http:
        rates = Rates(http)
        try:
            yield rates
        finally:
            for task in rates.asking.values():
                task.cancel()


mcp = FastMCP("exchange", lifespan=lifespan)


class Conversion(BaseModel):
    amount: float
    date: str
    stale: bool = Field(description="The API is down; this is what it said before.")


@mcp.tool(annotations=ToolAnnotations(readOnlyHint=True))
async def convert(amount: float, source: Currency, target: Currency, ctx: Context) -> Conversion:
    """Converts an amount from one currency to another, by the rates of the European Central Bank."""
    rates: Rates = ctx.request_context.lifespan_context
    table, stale = await rates.of(source)
    if target not in table.rates:
        raise ToolError(f"There is no rate from {source} to {target}.")
    return Conversion(amount=round(amount * table.rates[target], 2), date=table.date, stale=stale)


if __name__ == "__main__":
    mcp.run()
