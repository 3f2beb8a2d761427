"""A tool that asks the person before it does what cannot be undone."""

from datetime import date
from typing import Annotated

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.types import ToolAnnotations
from pydantic import AfterValidator, BaseModel, Field

mcp = FastMCP("restaurant")
FREE = {"12:00": 2, "19:00": 6}
SEATS = ["inside", "garden"]


def known(seat: str) -> str:
    """Clients draw `enum` as a list of choices. What comes back is checked here."""
    if seat not in SEATS:
        raise ValueError(f"one of {SEATS}")
    return seat


class Details(BaseModel):
    """The form that the client draws. Each field becomes one input."""

    guests: Annotated[int, Field(title="Guests", ge=1, le=8)] = 2
    seat: Annotated[str, Field(title="Where", json_schema_extra={"enum": SEATS}), AfterValidator(known)] = "inside"
    name: Annotated[str, Field(title="Name", min_length=1, max_length=60)]


class Confirm(BaseModel):
    sure: Annotated[bool, Field(title="Yes, book it")] = False


@mcp.tool(annotations=ToolAnnotations(destructiveHint=False, openWorldHint=False))
async def book_table(day: date, time: str, ctx: Context) -> str:
    """Books a table. The guest is asked for the details and has to confirm them."""
    seats = FREE.get(time)
    if seats is None:
        return f"There are tables at {' and '.join(FREE)}."
    asked = await ctx.elicit(f"A table on {day:%d %B} at {time}:", Details)
    if asked.action != "accept":
        return "Nothing was booked."
    if asked.data.guests > seats:
        return f"At {time} there are only {seats} seats. Nothing was booked."
    sure = await ctx.elicit(f"{asked.data.guests} guests, {asked.data.seat}, {day:%d %B} at {time}?", Confirm)
    if sure.action != "accept" or not sure.data.sure:
        return "Nothing was booked."
    FREE[time] -= asked.data.guests
    return f"Booked for {asked.data.name}."


if __name__ == "__main__":
    mcp.run()
