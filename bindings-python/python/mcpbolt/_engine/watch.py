"""Waking loops that cannot watch a descriptor.

Owns: a thread that does it for them. Must not know: what is taken then.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from .._mcpbolt import Inbox


class Watch:
    """A thread that watches the descriptor of an inbox and has the loop take its items."""

    def __init__(self, inbox: Inbox, loop: asyncio.AbstractEventLoop, take: Callable[[], object]) -> None:
        self._inbox, self._loop, self._take = inbox, loop, take
        self._stopped = False
        self._handled = threading.Semaphore(0)
        threading.Thread(target=self._run, name="mcpbolt-wake", daemon=True).start()

    def _run(self) -> None:
        import select

        descriptor = self._inbox.fileno()
        while not self._stopped:
            ready, _, _ = select.select([descriptor], [], [], 1)
            if not ready or self._stopped:
                continue
            try:
                self._loop.call_soon_threadsafe(self._drain)
            except RuntimeError:
                return
            self._handled.acquire()

    def _drain(self) -> None:
        try:
            self._take()
        finally:
            self._handled.release()

    def stop(self) -> None:
        """Make the thread end by itself."""
        self._stopped = True
        self._handled.release()
