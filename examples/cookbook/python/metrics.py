"""Counts calls and how long they take, writes an audit, and shows the figures over HTTP."""

import logging
import os
from collections import Counter
from threading import Lock
from typing import Any

from mcpbolt.server.fastmcp import FastMCP
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

# To standard error, which is the default: on stdio standard output belongs to the protocol.
logging.basicConfig(level=os.environ.get("LOG_LEVEL", "INFO"), format="%(levelname)s %(name)s %(message)s")
log = logging.getLogger("reports")

BUCKETS = (0.01, 0.1, 1.0, 10.0)  # seconds
calls: Counter[tuple[str, str]] = Counter()
times: Counter[float] = Counter()
lock = Lock()


def audit(record: dict[str, Any]) -> None:
    """Called once for each request: who, what, how it ended, how long it took. Never the arguments."""
    if "lost" in record:
        log.warning("%d records of the audit were lost", record["lost"])
        return
    name = record.get("name") or record["method"]
    seconds = record["duration"] / 1_000_000
    with lock:
        calls[name, record["outcome"]] += 1
        times.update(bucket for bucket in BUCKETS if seconds <= bucket)
    log.info("%s %s in %.3f s", name, record["outcome"], seconds)


mcp = FastMCP("reports", audit=audit, health="/healthz", metrics="/engine")


@mcp.tool()
def revenue(year: int) -> float:
    """Revenue of a year."""
    if year < 2000:
        raise ValueError("There are no books from before 2000.")
    return 1e6 + year


@mcp.custom_route("/metrics", methods=["GET"])
async def metrics(_: Request) -> Response:
    """The figures of each tool in the text format that Prometheus reads."""
    with lock:
        lines = [f'calls_total{{name="{name}",outcome="{how}"}} {n}' for (name, how), n in sorted(calls.items())]
        lines += [f'call_seconds_bucket{{le="{bucket}"}} {times[bucket]}' for bucket in BUCKETS]
    return PlainTextResponse("\n".join([*lines, ""]))


if __name__ == "__main__":
    mcp.run(transport="streamable-http")
