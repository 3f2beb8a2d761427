"""Threads for functions that block. Owns: how many there are, and their life. Must not know:
what they run; a `Host` does.

One thread takes work and runs it. As long as functions return quickly it stays the only one,
because threads that compete for the interpreter cost more than the functions. If a function
has not returned after a moment, another thread takes over, and the first one rests when it is
done.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

from .items import as_request

if TYPE_CHECKING:
    from .driver import Driver
    from .items import RequestItem, Row
    from .registry import Host

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")

MAX_THREADS = 40
# How long a function may run before another thread takes over.
MOMENT_SECONDS = 0.001
# How many results are returned in one batch. The batch is smaller if no call waits or a
# function blocks.
MAX_KEPT = 64
# After how many moments without work the watching thread sleeps.
QUIET_MOMENTS = 50
# After how many seconds without work a thread ends, unless it is the last one.
IDLE_SECONDS = 30.0


class _Worker:
    """The state of one thread."""

    __slots__ = ("called", "count", "done", "lock", "running")

    def __init__(self) -> None:
        self.running = False
        self.count = 0
        self.called = threading.Event()
        # Results that were not returned to the engine yet.
        self.done: list[Row] = []
        self.lock = threading.Lock()

    def add(self, row: Row) -> int:
        """Add a result; returns how many there are."""
        with self.lock:
            self.done.append(row)
            return len(self.done)

    def take(self) -> list[Row]:
        """Remove and return the results."""
        with self.lock:
            rows, self.done = self.done, []
            return rows


class Workers:
    """The worker threads of one inbox."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._lock = threading.Lock()
        self._threads = 0
        self._resting: list[_Worker] = []
        self._taker: _Worker | None = None
        self._closed = False
        self._asleep = True
        self._work = threading.Event()

    def ensure(self) -> None:
        """Start the first thread. Further calls do nothing."""
        with self._lock:
            if self._taker is None:
                self._start()
                threading.Thread(target=self._watch, name="mcpbolt-watch", daemon=True).start()

    def close(self) -> None:
        """Make waiting threads end at once, and busy ones when they are done."""
        self._closed = True
        self._work.set()
        with self._lock:
            for worker in self._resting:
                worker.called.set()

    def _start(self) -> None:
        self._threads += 1
        worker = self._taker = _Worker()
        name = f"mcpbolt-worker-{self._threads}"
        threading.Thread(target=self._run, args=(worker,), name=name, daemon=True).start()

    def _run(self, worker: _Worker) -> None:
        try:
            self._work_on(worker)
        finally:
            self._hand_back(worker)
            self._replace_dead(worker)

    def _work_on(self, worker: _Worker) -> None:
        """Take work and run it while this thread is needed."""
        driver = self._driver
        take_sync = driver.inbox.take_sync
        while not self._closed:
            if self._taker is not worker:
                self._hand_back(worker)
                if not self._rest(worker):
                    return
            taken = take_sync(0.0 if worker.done else IDLE_SECONDS)
            if taken is None:
                self._hand_back(worker)
                continue
            worker.count += 1
            worker.running = True
            if self._asleep:
                self._work.set()
            item = as_request(taken)
            host = driver.host_of(item.connection)
            if host is not None and worker.add(self._row(host, item)) >= MAX_KEPT:
                self._hand_back(worker)
            worker.running = False

    @staticmethod
    def _row(host: Host, item: RequestItem) -> Row:
        try:
            return host.run_sync(item)
        except BaseException:
            # Not of the function: whoever calls must not wait for ever, and the others have no part.
            logger.exception("A call could not be run")
            return (item.call, None, "internal", -32603, "the call could not be run", None)

    def _replace_dead(self, worker: _Worker) -> None:
        """Have another thread take work if this one ends in spite of being the one that does."""
        with self._lock:
            if self._taker is worker and not self._closed:
                self._threads -= 1
                self._start()

    def _hand_back(self, worker: _Worker) -> None:
        rows = worker.take()
        if rows:
            self._driver.inbox.complete_many(rows)

    def _rest(self, worker: _Worker) -> bool:
        """Wait until this thread has to take work; `False` if it is not needed any more."""
        with self._lock:
            worker.called.clear()
            self._resting.append(worker)
        worker.called.wait(IDLE_SECONDS)
        with self._lock:
            if worker in self._resting:
                self._resting.remove(worker)
            if self._taker is worker and not self._closed:
                return True
            self._threads -= 1
            return False

    def _watch(self) -> None:
        """Make another thread take work while a function blocks."""
        while not self._closed:
            self._work.wait()
            self._work.clear()
            self._asleep = False
            quiet = 0
            while quiet < QUIET_MOMENTS and not self._closed:
                quiet = 0 if self._look() else quiet + 1
            self._asleep = True
            if self._taker is not None and self._taker.running:
                # Work began between the last check and the line above.
                self._work.set()

    def _look(self) -> bool:
        """Watch the thread that takes work for a moment; returns whether there was work."""
        taker = self._taker
        if taker is None:
            return False
        count = taker.count
        time.sleep(MOMENT_SECONDS)
        stuck = taker.running and taker.count == count
        if stuck:
            self._hand_back(taker)
            if taker is self._taker:
                self._replace()
        return taker.running or taker.count != count

    def _replace(self) -> None:
        with self._lock:
            if self._resting:
                self._taker = self._resting.pop()
                self._taker.called.set()
            elif self._threads < MAX_THREADS and not self._closed:
                self._start()
