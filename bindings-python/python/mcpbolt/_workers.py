"""Threads for functions that block. Owns: how many there are, their life. Must not
know: what they run; a `Host` does.

One thread always waits for work, up to a limit, so that a function that blocks delays
nobody else's.
"""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._loop import Driver

MAX_THREADS = 40
# A thread that had nothing to do for so long ends, unless it is the last.
IDLE_SECONDS = 30.0


class Workers:
    """The worker threads of one inbox."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0
        self._pid = os.getpid()
        self._closed = False

    def ensure(self) -> None:
        """Start the first thread, once."""
        with self._lock:
            if not self._threads:
                self._add()

    def close(self) -> None:
        """Threads that wait end with their inbox; busy ones when they are done."""
        self._closed = True

    def _add(self) -> None:
        self._threads += 1
        self._idle += 1
        name = f"mcpbolt-worker-{self._threads}"
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def _run(self) -> None:
        driver, lock = self._driver, self._lock
        take_sync, complete_many = driver.inbox.take_sync, driver.inbox.complete_many
        while True:
            item = take_sync(IDLE_SECONDS)
            with lock:
                if item is None:
                    if self._closed or self._idle > 1:
                        self._threads -= 1
                        self._idle -= 1
                        return
                    continue
                self._idle -= 1
                if not self._idle and self._threads < MAX_THREADS:
                    self._add()
            host = driver.host_of(item[2])
            if host is not None:
                complete_many([host.run_sync(item)])
            with lock:
                self._idle += 1
