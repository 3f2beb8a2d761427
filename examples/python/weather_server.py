"""A server for the weather of the United States, as their weather service tells it.

Shows: the shortest way to a useful server. Functions become tools by their signatures and
docstrings. `--service` (or WEATHER_SERVICE) names another service of the same shape, such
as weather_service.py, which needs no network.

    python examples/python/weather_server.py
    python examples/python/weather_server.py --http 127.0.0.1:3000 --service http://127.0.0.1:3001
"""

import os
from typing import Any

import httpx
from common import serve, server_arguments
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.types import ToolAnnotations

HEADERS = {"User-Agent": "mcpbolt-weather/1.0", "Accept": "application/geo+json"}
READS = ToolAnnotations(readOnlyHint=True, openWorldHint=True)
# How many periods of a forecast are told.
PERIODS = 5

service = os.environ.get("WEATHER_SERVICE", "https://api.weather.gov")
mcp = FastMCP("mcpbolt-weather", legacy_sse=True)


async def fetch(url: str) -> dict[str, Any] | None:
    """What the service answers; nothing if it cannot be reached or refuses."""
    async with httpx.AsyncClient(follow_redirects=True) as client:
        try:
            response = await client.get(url, headers=HEADERS, timeout=30.0)
            response.raise_for_status()
            return response.json()
        except (httpx.HTTPError, ValueError):
            return None


def described(alert: dict[str, Any]) -> str:
    """One alert in words."""
    about = alert["properties"]
    return "\n".join(
        (
            f"Event: {about.get('event') or 'unknown'}",
            f"Area: {about.get('areaDesc') or 'unknown'}",
            f"Severity: {about.get('severity') or 'unknown'}",
            f"What to do: {about.get('instruction') or 'nothing is said'}",
        )
    )


@mcp.tool(annotations=READS)
async def get_alerts(state: str) -> str:
    """Weather alerts of a state of the United States.

    Args:
        state: Two letters, for example CA or NY
    """
    found = await fetch(f"{service}/alerts/active/area/{state.upper()}")
    if found is None or "features" not in found:
        return "The alerts cannot be fetched."
    return "\n---\n".join(map(described, found["features"])) or "There are no alerts in this state."


@mcp.tool(annotations=READS)
async def get_forecast(latitude: float, longitude: float) -> str:
    """The forecast of a place in the United States.

    Args:
        latitude: Degrees north
        longitude: Degrees east; negative in the west
    """
    # First which office forecasts this place, then its forecast.
    point = await fetch(f"{service}/points/{latitude},{longitude}")
    if point is None:
        return "There is no forecast for this place."
    forecast = await fetch(point["properties"]["forecast"])
    if forecast is None:
        return "The forecast cannot be fetched."
    return "\n---\n".join(
        f"{period['name']}: {period['temperature']}°{period['temperatureUnit']}, "
        f"wind {period['windSpeed']} {period['windDirection']}. {period['detailedForecast']}"
        for period in forecast["properties"]["periods"][:PERIODS]
    )


if __name__ == "__main__":
    parser = server_arguments(__doc__)
    parser.add_argument("--service", default=service, metavar="URL", help="address of the weather service")
    arguments = parser.parse_args()
    service = arguments.service.rstrip("/")
    serve(mcp, arguments.http)
