"""Tasks of an asyncio loop: starting one in a context, and ending several.

Owns: what differs between versions of Python. Must not know: what tasks are for.
"""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import Callable, Coroutine
from typing import Any, cast

_HAS_EAGER = sys.version_info >= (3, 12)
_HAS_TASK_CONTEXT = sys.version_info >= (3, 11)
# Type checkers assume Python 3.10, whose tasks take no context.
_make = cast("Callable[..., asyncio.Task[Any]]", asyncio.Task)


def spawn(
    loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], context: contextvars.Context
) -> asyncio.Task[Any]:
    """Start a task in the given context. From Python 3.12 on, its first step runs at once."""
    if not _HAS_TASK_CONTEXT:
        return context.run(loop.create_task, work)
    create: Callable[..., asyncio.Task[Any]] = loop.create_task
    if loop.get_task_factory() is not None:
        return create(work, context=context)
    if _HAS_EAGER:
        return _make(work, loop=loop, context=context, eager_start=True)
    return _make(work, loop=loop, context=context)


async def stop(tasks: list[Any]) -> None:
    """Cancel tasks and wait for their end. The calling task itself is left out."""
    current = asyncio.current_task()
    others = [task for task in tasks if task is not current]
    for task in others:
        task.cancel()
    if others:
        from anyio import CancelScope

        # A cancelled scope of anyio would cut the wait short; they would outlive what they work with.
        with CancelScope(shield=True):
            await asyncio.wait(others, timeout=10)


async def first_of(*works: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run coroutines until the first one ends; the others are cancelled."""
    tasks = [asyncio.ensure_future(work()) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
