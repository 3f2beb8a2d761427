"""The loop in which client contestants make their calls, and what they print.

The same loop and report as the Rust contestants': so many workers, each one call at a
time, every reply compared, latencies and processor time counted after a warm-up.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

_MORE = ' jumps over the "lazy" dog\n'

Call = Callable[[str], Awaitable[Any]]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--warm-up", type=int, default=2000)
    parser.add_argument("--text", type=int, default=0, help="characters each text has at least")
    parser.add_argument("--modern", action="store_true")
    parser.add_argument("--url", default="")
    parser.add_argument("command", nargs="*")
    return parser.parse_args()


async def run(given: argparse.Namespace, call: Call) -> None:
    """Make calls with `call`, which gives back a result; print the report."""
    more = _MORE * (given.text // len(_MORE))
    await _load(given.in_flight, given.warm_up, None, more, call)
    cpu, started = time.process_time(), time.perf_counter()
    latencies = await _load(given.in_flight, None, started + given.seconds, more, call)
    seconds = time.perf_counter() - started
    cpu = time.process_time() - cpu
    latencies.sort()

    def at(share: float) -> float:
        return latencies[int((len(latencies) - 1) * share)] * 1e6

    memory = _memory()
    report = {"calls": len(latencies), "seconds": seconds, "p50": at(0.5), "p99": at(0.99), "cpu": cpu, "memory": memory}
    print(json.dumps(report), flush=True)


def _memory() -> int:
    # What `getrusage` says outlives `exec`: it would be at least what started us once had.
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


async def _load(in_flight: int, calls: "int | None", end: "float | None", more: str, call: Call) -> list[float]:
    latencies: list[float] = []
    last = 0
    clock = time.perf_counter

    async def worker() -> None:
        nonlocal last
        while True:
            last += 1
            sent = clock()
            if (calls is not None and last > calls) or (end is not None and sent >= end):
                return
            text = f"call {last} says: the quick brown fox{more}"
            result = await call(text)
            came = result.content[0].text
            if came != text:
                raise SystemExit(f"sent {text!r}, got {came!r}")
            latencies.append(clock() - sent)

    await asyncio.gather(*(worker() for _ in range(in_flight)))
    return latencies
