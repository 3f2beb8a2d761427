"""What code that asyncio or trio may run needs of the running loop.

Owns: events, and tasks that outlive the task that started them. Must not know: what they do.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from .driver import Driver

if TYPE_CHECKING:
    from .trio import Task as TrioTask

    Task = asyncio.Task[None] | TrioTask


def _asyncio_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def running() -> object:
    """An object that identifies the running loop."""
    loop = _asyncio_loop()
    if loop is not None:
        return loop
    from .trio import running_token

    return running_token()


def event() -> asyncio.Event:
    """Make an event of the running loop."""
    if _asyncio_loop() is not None:
        return asyncio.Event()
    from .trio import new_event

    found: asyncio.Event = new_event()
    return found


def start(work: Coroutine[Any, Any, None], context: contextvars.Context | None = None) -> Task:
    """Start a task that outlives the one that starts it. It runs in a copy of that task's
    context, unless another context is given.
    """
    context = context or contextvars.copy_context()
    if _asyncio_loop() is not None:
        return context.run(asyncio.ensure_future, work)
    from .trio import start_alone

    return start_alone(work, context)


async def ended(*tasks: Task, seconds: float | None = None) -> None:
    """Wait until tasks have ended, or for that many seconds."""
    if _asyncio_loop() is not None:
        await asyncio.wait([task for task in tasks if isinstance(task, asyncio.Task)], timeout=seconds)
        return
    from .trio import ended as ended_on_trio

    await ended_on_trio(tasks, seconds)


@asynccontextmanager
async def own_driver() -> AsyncGenerator[Driver, None]:
    """A driver that is not shared."""
    loop = _asyncio_loop()
    if loop is None:
        from .trio import driving

        async with driving() as driver:
            yield driver
        return
    driver = Driver(loop)
    try:
        yield driver
    finally:
        driver.close()
