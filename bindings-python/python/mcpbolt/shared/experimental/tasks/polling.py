"""Polling a task until it is over."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING

from anyio import sleep

from .helpers import is_terminal

if TYPE_CHECKING:
    from ....types import GetTaskResult


async def poll_until_terminal(
    get_task: Callable[[str], Awaitable[GetTaskResult]], task_id: str, default_interval_ms: int = 500
) -> AsyncGenerator[GetTaskResult, None]:
    """Yield the state of a task at its poll interval, the last time when it is over.

    Args:
        get_task: Returns the state of a task.
        task_id: The id of the task.
        default_interval_ms: How many milliseconds to wait where the task does not say. Default:
            500.
    """
    while True:
        task = await get_task(task_id)
        yield task
        if is_terminal(task.status):
            return
        await sleep((default_interval_ms if task.pollInterval is None else task.pollInterval) / 1000)
