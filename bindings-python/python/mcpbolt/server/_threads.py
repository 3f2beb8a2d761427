"""Running blocking functions from the loop: on a thread, in a copy of the context."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .._engine import face, forks
from .._engine.workers import MAX_THREADS

T = TypeVar("T")

_running: set[asyncio.Task[None]] = set()
_pool: ThreadPoolExecutor | None = None
_pid = 0


async def in_thread(function: Callable[[], T]) -> T:
    """Run a blocking function on a thread and return its result."""
    if face.current.uses_anyio_threads:
        return await _in_anyio_thread(function)
    context = contextvars.copy_context()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        from anyio.to_thread import run_sync

        return await run_sync(context.run, function)
    return await loop.run_in_executor(_threads(), context.run, function)


async def _in_anyio_thread(function: Callable[[], T]) -> T:
    """Run it where `anyio.from_thread` reaches the loop. If the task is cancelled, the function
    can learn of it from `check_cancelled`, and the task waits for its end.
    """
    from anyio import CancelScope
    from anyio.to_thread import run_sync

    scope = CancelScope()
    results: list[T] = []

    async def work() -> None:
        with scope:
            results.append(await run_sync(function))

    try:
        task = asyncio.get_running_loop().create_task(work())
    except RuntimeError:
        return await run_sync(function)
    try:
        _running.add(task)
        task.add_done_callback(_running.discard)
        await asyncio.shield(task)
    except asyncio.CancelledError:
        scope.cancel()
        await asyncio.wait([task])
        if not task.cancelled():
            # Nobody asks any more what it failed with, and the loop need not complain of that.
            task.exception()
        raise
    return results[0]


async def settled() -> None:
    """Wait for functions that still run on threads of anyio, although their calls are over."""
    if _running:
        await asyncio.wait(list(_running))


def _threads() -> ThreadPoolExecutor:
    global _pool, _pid
    if _pool is None or _pid != forks.process:
        _pool, _pid = ThreadPoolExecutor(MAX_THREADS, "mcpbolt-function"), forks.process
    return _pool
