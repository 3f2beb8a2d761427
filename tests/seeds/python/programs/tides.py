"""A high-level server that asks a web service twice, for one tool, and once for the other."""

import os
from typing import Any

import httpx
from mcpbolt.server.fastmcp import FastMCP

mcp = FastMCP("tides")

TIDES_API = os.environ.get("TIDES_API", "https://tides.example")
AGENT = "tides-app/1.0"


async def ask_service(url: str) -> dict[str, Any] | None:
    """What the service answers, if it does."""
    headers = {"User-Agent": AGENT, "Accept": "application/json"}
    async with httpx.AsyncClient() as client:
        try:
            response = await client.get(url, headers=headers, timeout=30.0)
            response.raise_for_status()
            return response.json()
        except Exception:
            return None


def warning_text(warning: dict) -> str:
    """A warning in words."""
    about = warning["properties"]
    return f"""
{about.get("event", "Something")} at {about.get("areaDesc", "the coast")}
How bad: {about.get("severity", "nobody knows")}
"""


@mcp.tool()
async def get_warnings(coast: str) -> str:
    """Warnings for a coast.

    Args:
        coast: Its two letters
    """
    url = f"{TIDES_API}/warnings/{coast}"
    data = await ask_service(url)
    if not data or "features" not in data:
        return "No warnings could be had."
    if not data["features"]:
        return "No warnings for this coast."
    warnings = [warning_text(feature) for feature in data["features"]]
    return "\n---\n".join(warnings)


@mcp.tool()
async def get_tides(latitude: float, longitude: float) -> str:
    """The tides of a place.

    Args:
        latitude: Degrees north
        longitude: Degrees east
    """
    place = await ask_service(f"{TIDES_API}/places/{latitude},{longitude}")
    if not place:
        return "This place has no tides."
    tides = await ask_service(place["properties"]["tides"])
    if not tides:
        return "The tides could not be had."
    rows = []
    for tide in tides["properties"]["periods"][:5]:
        rows.append(f"""
{tide["name"]}: {tide["height"]} {tide["unit"]}
""")
    return "\n---\n".join(rows)


if __name__ == "__main__":
    mcp.run(transport="stdio")
