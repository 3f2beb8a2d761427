"""The client that begins each trace, in Python: `client.py URL REVISION`. Prints the trace's id."""

import asyncio
import sys

import export
from opentelemetry import trace

from mcpbolt import Client

export.turn_on()
url, revision = sys.argv[1:]
modern = revision >= "2026"


async def main() -> None:
    async with Client(url, mode=revision if modern else "legacy") as client:
        with trace.get_tracer("program").start_as_current_span("program") as span:
            good = await client.call_tool("relay", {"modern": modern, "fails": False})
            bad = await client.call_tool("relay", {"modern": modern, "fails": True})
        if good.isError or not bad.isError:
            raise SystemExit(f"{good} and {bad}")
        print(f"{span.get_span_context().trace_id:032x}")


# What is recorded is exported when the program ends.
asyncio.run(main())
