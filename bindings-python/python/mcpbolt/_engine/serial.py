"""A program's callbacks, run one after the other in the order of their causes.

Owns: that order, and that an answer waits for callbacks of what came before it. Must not know:
what the callbacks do.
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

_inside: contextvars.ContextVar[Serial | None] = contextvars.ContextVar("mcpbolt_callback", default=None)


class Serial:
    """A queue of callbacks, with one task that runs them while there are any."""

    def __init__(self, driver: Driver, context: contextvars.Context) -> None:
        self._driver = driver
        self._context = context.copy()
        self._context.run(_inside.set, self)
        self._waiting: deque[Callable[[], Awaitable[None]] | Event] = deque()
        self._running = False

    def put(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run this after everything that was put before it."""
        self._waiting.append(work)
        if not self._running:
            self._running = True
            self._driver.background(self._run(), self._context.copy())

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
