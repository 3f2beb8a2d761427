"""Running blocking functions from the loop: on a thread, in a copy of the context."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from .._engine import face
from .._engine.workers import MAX_THREADS

T = TypeVar("T")

_pool: ThreadPoolExecutor | None = None
_pid = 0


async def in_thread(function: Callable[[], T]) -> T:
    """Run a blocking function on a thread and return its result."""
    if face.current.uses_anyio_threads:
        from anyio.to_thread import run_sync

        return await run_sync(function)
    context = contextvars.copy_context()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        from anyio.to_thread import run_sync

        return await run_sync(context.run, function)
    return await loop.run_in_executor(_threads(), context.run, function)


def _threads() -> ThreadPoolExecutor:
    import os

    global _pool, _pid
    if _pool is None or _pid != os.getpid():
        _pool, _pid = ThreadPoolExecutor(MAX_THREADS, "mcpbolt-function"), os.getpid()
    return _pool
