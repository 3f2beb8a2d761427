"""A stand-in for the weather service of the United States: a fixed table, no network.

Not an MCP program. weather_server.py asks it when told to.

    python examples/python/weather_service.py --http 127.0.0.1:3001
"""

import argparse

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

# State: event, area, severity, what to do.
ALERTS = {"CA": [("Heat Advisory", "Sacramento Valley", "Moderate", "Drink water.")], "NY": []}
# The day, degrees Fahrenheit, wind, from where, in words.
DAYS = (
    ("Today", 71, "5 mph", "NW", "Sunny, with a few clouds."),
    ("Tonight", 54, "2 mph", "N", "Clear."),
    ("Tomorrow", 68, "10 mph", "W", "A chance of rain."),
)


async def alerts(request: Request) -> JSONResponse:
    rows = ALERTS.get(request.path_params["state"])
    if rows is None:
        return JSONResponse({"title": "Not Found"}, 404)
    names = ("event", "areaDesc", "severity", "instruction")
    return JSONResponse({"features": [{"properties": dict(zip(names, row))} for row in rows]})


async def point(request: Request) -> JSONResponse:
    return JSONResponse({"properties": {"forecast": str(request.url_for("forecast"))}})


async def forecast(_: Request) -> JSONResponse:
    names = ("name", "temperature", "windSpeed", "windDirection", "detailedForecast")
    periods = [{**dict(zip(names, day)), "temperatureUnit": "F"} for day in DAYS]
    return JSONResponse({"properties": {"periods": periods}})


app = Starlette(
    routes=[
        Route("/alerts/active/area/{state}", alerts),
        Route("/points/{place}", point),
        Route("/forecast", forecast, name="forecast"),
    ]
)

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--http", default="127.0.0.1:3001", metavar="HOST:PORT")
    host, _, port = parser.parse_args().http.rpartition(":")
    uvicorn.run(app, host=host, port=int(port))
