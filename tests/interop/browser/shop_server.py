"""A server whose schemas are as people write them, for the page: a shop.

Shows what forms have to show: nested objects, lists, choices, one of several shapes, what may be
left out; a page to visit, progress, a list that changes, texts that are suggested. With `--docs`
it is served over HTTP with the page beside it.
"""

import asyncio
import sys
from typing import Annotated, Literal

from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.types import Completion
from pydantic import BaseModel, Field

mcp = FastMCP("shop", instructions="Look at the catalogue before you order.")


class Customer(BaseModel):
    """Who orders."""

    name: str = Field(min_length=2, description="First and last name")
    email: str | None = Field(default=None, json_schema_extra={"format": "email"})


class Pickup(BaseModel):
    """Fetched at the counter."""

    kind: Literal["pickup"] = "pickup"
    hour: int = Field(ge=8, le=20)


class Post(BaseModel):
    """Sent by post."""

    kind: Literal["post"] = "post"
    address: str
    express: bool = False


@mcp.tool(title="Place an order")
def order(
    tea: Annotated[Literal["green", "black", "white"], Field(description="Which tea")],
    customer: Customer,
    delivery: Pickup | Post,
    grams: Annotated[int, Field(ge=50, le=1000, description="How much, in grams")] = 100,
    notes: Annotated[list[str], Field(description="What else we should know")] = [],
    gift: bool = False,
    labels: dict[str, str] | None = None,
) -> str:
    """Orders tea.

    Nothing is sent anywhere: the order is only repeated.
    """
    where = f"at {delivery.hour}" if isinstance(delivery, Pickup) else f"to {delivery.address}"
    return f"{grams} g of {tea} tea for {customer.name}, {where}, {len(notes)} notes, gift {gift}, labels {labels}"


@mcp.tool()
async def pay(ctx: Context) -> str:
    """Asks to visit a page."""
    answer = await ctx.elicit_url("Pay for your tea.", "http://127.0.0.1:9/pay?order=7", "order-7")
    return f"The person said {answer.action}."


@mcp.tool()
async def brew(ctx: Context) -> str:
    """Takes its time. Cancel it."""
    await ctx.report_progress(1, 60, "brewing")
    await asyncio.Event().wait()
    return "The tea is ready."


@mcp.tool()
async def restock(ctx: Context) -> str:
    """Adds a tool, and says that the list changed."""

    def taste() -> str:
        return "Good."

    mcp.add_tool(taste, name="taste", description="Tastes the new tea")
    await ctx.session.send_tool_list_changed()
    return "There is more to do now."


@mcp.resource("tea://catalogue", mime_type="text/markdown")
def catalogue() -> str:
    """What there is."""
    return "# Teas\n\n- green\n- black\n- white\n"


@mcp.resource("tea://{kind}/leaf")
def leaf(kind: str) -> str:
    """How the leaves of a tea look."""
    return f"The leaves of {kind} tea."


@mcp.prompt()
def recommend(mood: str, kind: str = "") -> str:
    """Asks a model for a tea."""
    return f"Recommend a {kind} tea to somebody who is {mood}."


typed_on = asyncio.Event()


@mcp.completion()
async def complete(ref: object, argument: object, context: object) -> Completion:
    """Suggests moods and kinds."""
    words = {"mood": ["merry", "moody", "sleepy"], "kind": ["green", "black", "white"]}
    typed = argument.value
    if typed:
        typed_on.set()
    elif argument.name == "mood":
        # What is asked first is answered last.
        await asyncio.wait_for(typed_on.wait(), 10)
    return Completion(values=[word for word in words.get(argument.name, []) if word.startswith(typed)])


if "--docs" in sys.argv:
    mcp.settings.docs, mcp.settings.port = True, 0
mcp.run("http" if mcp.settings.docs else "stdio")
