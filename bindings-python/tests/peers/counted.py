"""Programs that count what they hold: `counted.py server [stdio | streamable-http PORT]`
and `counted.py client CALLS WARM_UP [URL]`.

What is counted: memory, file descriptors, threads but the pool for plain functions,
asyncio tasks, and what the engine and its driver keep of calls, sessions and contexts.
"""

import asyncio
import gc
import json
import logging
import os
import sys
import threading
from pathlib import Path
from typing import Any

from mcpbolt import Client, StdioServerParameters
from mcpbolt._engine.driver import Driver
from mcpbolt.server.fastmcp import Context, FastMCP

server: FastMCP[Any] = FastMCP("counted", port=int(sys.argv[3]) if sys.argv[2] == "streamable-http" else 8000)
IN_FLIGHT = 64


def counts() -> dict[str, int]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    pool = [thread for thread in threading.enumerate() if thread.name.startswith("mcpbolt-worker")]
    found = {
        "memory": pages * os.sysconf("SC_PAGE_SIZE"),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": len(os.listdir("/proc/self/task")) - len(pool),
        "tasks": len(asyncio.all_tasks()),
    }
    # A listener's driver is in no table.
    for driver in [thing for thing in gc.get_objects() if isinstance(thing, Driver)]:
        # The call that counts is one of them.
        found["calls"] = driver.inbox.open_calls()
        for name in ("tasks", "hosts", "contexts", "exchanges", "_waiting", "_hearers", "_done", "_background"):
            found[f"driver's {name.strip('_')}"] = len(getattr(driver, name))
        for host in {*driver.hosts.values(), driver.default} - {None}:
            for name in ("_sessions", "live", "outgoing"):
                held = getattr(host, name, ())
                found[f"host's {name.strip('_')}"] = found.get(f"host's {name.strip('_')}", 0) + len(held)
    return found


@server.tool()
async def echo(text: str, ctx: Context[Any, Any, Any]) -> str:
    await ctx.report_progress(1, 1)
    return text


@server.tool()
def plain(text: str) -> str:
    return text


@server.tool()
async def fail(text: str) -> str:
    raise ValueError(text)


@server.tool(structured_output=False)
async def count() -> str:
    return json.dumps(counts())


async def load(client: Client, calls: int) -> None:
    left = calls

    async def heard(*_: Any) -> None:
        return None

    async def worker() -> None:
        nonlocal left
        while left > 0:
            left -= 1
            text = f"call {left}"
            name = ("echo", "plain", "echo", "fail")[left % 4]
            result = await client.call_tool(name, {"text": text}, progress_callback=heard)
            said = result.content[0].text  # type: ignore[union-attr]
            assert said.endswith(text), said

    await asyncio.gather(*(worker() for _ in range(IN_FLIGHT)))


async def be_client(calls: int, warm_up: int, url: str) -> None:
    target = url or StdioServerParameters(
        command=sys.executable, args=[__file__, "server", "stdio"], env={"PYTHONPATH": os.environ["PYTHONPATH"]}
    )
    async with Client(target, mode="legacy") as client:
        await load(client, warm_up)
        before = counts()
        await load(client, calls)
        print(json.dumps([before, counts()]), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "client":
        asyncio.run(be_client(int(sys.argv[2]), int(sys.argv[3]), "".join(sys.argv[4:])))
    else:
        # Its caller waits for the line that says it listens.
        logging.getLogger("mcp.server.fastmcp.server").setLevel("INFO")
        logging.basicConfig(level="ERROR")
        server.run(sys.argv[2])  # type: ignore[arg-type]
