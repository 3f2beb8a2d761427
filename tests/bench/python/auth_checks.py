"""The loop of the programs that check tokens: an application behind a middleware, asked for each token of a file.

Owns: the command line, the figures. Must not know: how tokens are checked.
"""

import argparse
import asyncio
import json
import resource
import time
from pathlib import Path
from typing import Any

parser = argparse.ArgumentParser()
parser.add_argument("--issuer", required=True)
parser.add_argument("--resource", required=True)
parser.add_argument("--tokens", required=True, type=Path)
parser.add_argument("--again", type=float, help="go through them again and again for so many seconds")
ARGS = parser.parse_args()
TOKENS = ARGS.tokens.read_text().split()


class Handler:
    """What stands behind the middleware, and counts who comes through."""

    reached = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached += 1


def scope_of(token: str) -> dict[str, Any]:
    headers = [(b"host", b"mcp.example.com"), (b"authorization", f"Bearer {token}".encode())]
    return {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers}


async def _receive() -> Any:
    raise AssertionError("nothing is read")


async def _send(_: Any) -> None:
    """A refusal, which the handler's count shows."""


async def _measure(app: Any, handler: Handler) -> dict[str, float]:
    scopes = [scope_of(token) for token in TOKENS]
    # The keys are fetched before anything is measured, with a signature that is none.
    await app(scope_of(TOKENS[0].rpartition(".")[0] + ".AAAA"), _receive, _send)
    assert handler.reached == 0
    warm = len(scopes) if ARGS.again else len(scopes) // 10
    for scope in scopes[:warm]:
        await app(dict(scope), _receive, _send)
    rest = scopes if ARGS.again else scopes[warm:]
    cpu, started, nanos = time.process_time(), time.perf_counter(), []
    while True:
        for scope in rest:
            asked = dict(scope)
            begun = time.perf_counter_ns()
            await app(asked, _receive, _send)
            nanos.append(time.perf_counter_ns() - begun)
        if time.perf_counter() - started >= (ARGS.again or 0):
            break
    seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
    assert handler.reached == warm + len(nanos), "a token was refused"
    nanos.sort()
    return {
        "calls": len(nanos),
        "seconds": seconds,
        "p50": nanos[len(nanos) // 2] / 1e3,
        "p99": nanos[len(nanos) * 99 // 100] / 1e3,
        "cpu": cpu,
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def run(app: Any, handler: Handler) -> None:
    """Measures and prints the report."""
    print(json.dumps(asyncio.run(_measure(app, handler))))
