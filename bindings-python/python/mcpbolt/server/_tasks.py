"""Making a task of a call that is running.

Owns: asking the engine for it. Must not know: which calls become tasks by themselves.
"""

from __future__ import annotations

from typing import Any

from .._engine.context import request_ctx
from ..shared.exceptions import from_failure


async def begin() -> str:
    """Make a task of the request that is being answered; see `Context.begin_task`."""
    live: Any = request_ctx.get()
    driver = live.host.driver
    item = await driver.answer(driver.inbox.begin_task(live.call))
    if item.failure is not None:
        raise from_failure(item.failure)
    task: str = item.result["taskId"]
    return task
