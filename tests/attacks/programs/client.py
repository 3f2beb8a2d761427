"""The client that is attacked, in Python: `client.py URL`, or `client.py -- COMMAND ARGS`.

Calls what `ATTACKED` says, all at once, and prints how each call ended.
"""

import asyncio
import json
import os
import sys
import time
from typing import Any

from mcpbolt import Client, StdioServerParameters

TOLD: dict[str, Any] = json.loads(os.environ.get("ATTACKED", "{}"))
BEAT = 0.02
stalled = 0.0


async def beat() -> None:
    """Notes the longest time that the loop did nothing else."""
    global stalled
    while True:
        before = time.monotonic()
        await asyncio.sleep(BEAT)
        stalled = max(stalled, time.monotonic() - before - BEAT)


async def call(client: Client, tool: str) -> dict[str, Any]:
    started, error = time.monotonic(), None
    try:
        await client.call_tool(tool, {"text": "x" * TOLD.get("bytes", 0)})
    except Exception as failed:
        error = f"{type(failed).__name__}: {failed}"[:120]
    return {"tool": tool, "error": error, "seconds": time.monotonic() - started}


async def main() -> None:
    first, *rest = sys.argv[1:]
    target: Any = StdioServerParameters(command=rest[0], args=rest[1:]) if first == "--" else first
    async with Client(target) as client:
        await client.list_tools()
        beating = asyncio.create_task(beat())
        calls = await asyncio.gather(*(call(client, tool) for tool in TOLD["calls"]))
        beating.cancel()
        print(json.dumps({"calls": calls, "stalled": round(stalled * 1000)}), flush=True)


asyncio.run(main())
