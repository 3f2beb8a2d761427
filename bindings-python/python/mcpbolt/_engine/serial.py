"""A program's callbacks, run one after the other in the order of their causes.

Owns: that order, how many may wait, and that an answer waits for callbacks of what came before it.
Must not know: what the callbacks do.
"""

from __future__ import annotations

import contextvars
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from anyio import Event

    from .driver import Driver

logger: logging.Logger = logging.getLogger("client")

# How many seconds an answer waits for a slow callback.
ORDER_SECONDS = 1.0
# How many callbacks wait for a slow one; of more, the oldest are dropped.
MAX_WAITING = 10_000

_inside: contextvars.ContextVar[Serial | None] = contextvars.ContextVar("mcpbolt_callback", default=None)


class Serial:
    """A queue of callbacks, with one task that runs them while there are any."""

    def __init__(self, driver: Driver, context: contextvars.Context) -> None:
        self._driver = driver
        self._context = context.copy()
        self._context.run(_inside.set, self)
        self._waiting: deque[Callable[[], Awaitable[None]] | Event] = deque()
        self._running = False
        self._dropped = 0

    def put(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run this after everything that was put before it."""
        if len(self._waiting) >= MAX_WAITING:
            self._drop()
        self._waiting.append(work)
        if not self._running:
            self._running = True
            self._driver.background(self._run(), self._context.copy())

    def _drop(self) -> None:
        """Drop the oldest callback. What only waits for its turn, such as an answer, stays."""
        found = next((at for at, work in enumerate(self._waiting) if callable(work)), None)
        if found is None:
            return
        del self._waiting[found]
        self._dropped += 1
        if self._dropped == 1:
            logger.warning("A callback is too slow: %d wait for it, and the oldest are dropped", MAX_WAITING)

    async def _run(self) -> None:
        try:
            while self._waiting:
                work = self._waiting.popleft()
                if not callable(work):
                    work.set()
                    continue
                try:
                    await work()
                except Exception:
                    logger.exception("Uncaught exception in a callback")
        finally:
            self._running = False
            if self._dropped:
                logger.warning("%d callbacks were dropped behind a slow one", self._dropped)
                self._dropped = 0
            while self._waiting:
                left = self._waiting.popleft()
                if not callable(left):
                    left.set()

    async def settled(self) -> None:
        """Wait for all callbacks put until now, for `ORDER_SECONDS` at most.

        A callback that itself sends the server a request does not wait for its own end.
        """
        if not self._running or _inside.get() is not None:
            return
        from anyio import Event, move_on_after

        done = Event()
        self._waiting.append(done)
        with move_on_after(ORDER_SECONDS):
            await done.wait()
