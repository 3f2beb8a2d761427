"""The driver on trio: the same inbox, tasks in a nursery, events instead of futures.

Owns: what differs from asyncio. Each `Server.run` has a driver of its own here: nothing
may live longer than the nursery it was started in.
"""

from __future__ import annotations

import contextvars
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager
from typing import Any, cast

import trio

from ._loop import Driver
from ._mcpbolt import Inbox

STOP_SECONDS = 10


class _Future:
    """As much of a future as a driver needs."""

    def __init__(self) -> None:
        self._event = trio.Event()
        self._value: Any = None

    def done(self) -> bool:
        return self._event.is_set()

    def set_result(self, value: Any) -> None:
        self._value = value
        self._event.set()

    def cancel(self) -> None:
        """Nobody waits any more: those who did are cancelled with their nursery."""

    async def _wait(self) -> Any:
        await self._event.wait()
        return self._value

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._wait().__await__()


class _Task:
    """A coroutine in a nursery, cancelled alone."""

    def __init__(self) -> None:
        self.scope = trio.CancelScope()
        self.over = trio.Event()

    def done(self) -> bool:
        return self.over.is_set()

    def cancel(self) -> None:
        self.scope.cancel()

    async def run(self, work: Coroutine[Any, Any, Any]) -> None:
        try:
            with self.scope:
                await work
        finally:
            self.over.set()


class _Loop:
    """As much of a loop as a driver needs."""

    def __init__(self) -> None:
        self._token = trio.lowlevel.current_trio_token()

    def call_soon(self, call: Callable[..., Any], *arguments: Any) -> None:
        self._token.run_sync_soon(call, *arguments)

    call_soon_threadsafe = call_soon

    def create_future(self) -> _Future:
        return _Future()

    def is_closed(self) -> bool:
        return False


class TrioDriver(Driver):
    """A driver whose tasks are trio's."""

    def __init__(self, nursery: trio.Nursery) -> None:  # pyright: ignore[reportMissingSuperCall]
        self.loop = cast("Any", _Loop())
        self.inbox = Inbox()
        self.pid = os.getpid()
        self.hosts = {}
        self.default = None
        self.tasks = {}
        self.services = {}
        self.contexts = {}
        self.exchanges = {}
        self.pages = None
        self.workers = None
        self.known = threading.Condition()
        self._nursery = nursery
        self._background: Any = set()
        self._waiting: Any = {}
        self._progress = {}
        self._later = deque()
        self._done = []
        self._draining = False
        self._flushing = False
        self._parking = False
        self._last_origin = 0

    async def listen(self) -> None:
        """Take items as they come, until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self.inbox.fileno())
            self._drain()

    def spawn(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> Any:
        """A task in a context of its own."""
        task = _Task()
        context.run(self._nursery.start_soon, task.run, work)
        return task

    def background(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> None:
        """A task nobody waits for."""
        self.spawn(work, context)

    async def writable(self, target: int) -> None:
        """Until more can be sent to a call or a connection."""
        future = self._waiting.setdefault(target, _Future())
        await future

    def event(self) -> Any:
        """Something to wait for."""
        return trio.Event()

    async def stop(self, tasks: list[Any]) -> None:
        """Cancel tasks and wait until they are over."""
        for task in tasks:
            task.cancel()
        with trio.move_on_after(STOP_SECONDS, shield=True):
            for task in tasks:
                await task.over.wait()

    async def first_of(self, *works: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Until the first of some coroutines is over; the others are cancelled."""
        async with trio.open_nursery() as nursery:

            async def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
                await work()
                nursery.cancel_scope.cancel()

            for work in works:
                nursery.start_soon(run, work)

    def close(self) -> None:
        """End the inbox and whatever waits on it."""
        self.flush()
        if self.workers is not None:
            self.workers.close()
        self.inbox.close()


@asynccontextmanager
async def driving() -> AsyncGenerator[Driver, None]:
    """A driver for as long as it is needed."""
    async with trio.open_nursery() as nursery:
        driver = TrioDriver(nursery)
        nursery.start_soon(driver.listen)
        try:
            yield driver
        finally:
            driver.close()
            nursery.cancel_scope.cancel()
