"""The driver on trio: the same inbox, tasks in a nursery, events instead of futures.

Owns: what differs from asyncio. Each `Server.run` has a driver of its own here: nothing
may live longer than the nursery it was started in.
"""

from __future__ import annotations

import contextvars
import logging
import os
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable
from contextlib import asynccontextmanager
from typing import Any, cast

import trio

from ._loop import Driver
from ._mcpbolt import Inbox

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http_manager")

STOP_SECONDS = 10


class _Future:
    """As much of a future as a driver needs."""

    def __init__(self) -> None:
        self._event = trio.Event()
        self._value: Any = None
        self._error: BaseException | None = None

    def done(self) -> bool:
        return self._event.is_set()

    def set_result(self, value: Any) -> None:
        self._value = value
        self._event.set()

    def set_exception(self, error: BaseException) -> None:
        self._error = error
        self._event.set()

    def cancel(self) -> None:
        """Nothing waits any more: tasks that did are cancelled with their nursery."""

    async def _wait(self) -> Any:
        await self._event.wait()
        if self._error is not None:
            raise self._error
        return self._value

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._wait().__await__()


class Task:
    """A coroutine in a nursery, cancelled alone."""

    def __init__(self) -> None:
        self.scope = trio.CancelScope()
        self.over = trio.Event()

    def done(self) -> bool:
        """Whether it is over."""
        return self.over.is_set()

    def cancel(self) -> None:
        """End it where it waits."""
        self.scope.cancel()

    async def run(self, work: Coroutine[Any, Any, Any]) -> None:
        """Until it is over, or cancelled."""
        try:
            with self.scope:
                await work
        finally:
            self.over.set()


class _Loop:
    """As much of a loop as a driver needs."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._token = trio.lowlevel.current_trio_token()
        self._nursery = nursery

    def call_soon(self, call: Callable[..., Any], *arguments: Any) -> None:
        self._token.run_sync_soon(call, *arguments)

    call_soon_threadsafe = call_soon

    def create_future(self) -> _Future:
        return _Future()

    def call_later(self, seconds: float, call: Callable[[], None]) -> Task:
        async def wait() -> None:
            await trio.sleep(seconds)
            call()

        task = Task()
        self._nursery.start_soon(task.run, wait())
        return task

    def is_closed(self) -> bool:
        return False


class TrioDriver(Driver):
    """A driver whose tasks are trio's."""

    def __init__(self, nursery: trio.Nursery) -> None:  # pyright: ignore[reportMissingSuperCall]
        self.loop = cast("Any", _Loop(nursery))
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
        task = Task()
        context.run(self._nursery.start_soon, task.run, work)
        return task

    def background(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> None:
        """A task that nothing awaits."""
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


# Tasks beside all nurseries: who starts them is over before they are


def running_token() -> object:
    """What stands for the run of trio that is going on.

    Raises:
        RuntimeError: Neither trio nor a loop of asyncio is running.
    """
    return trio.lowlevel.current_trio_token()


def new_event() -> Any:
    """Something to wait for."""
    return trio.Event()


def start_alone(work: Coroutine[Any, Any, None], context: contextvars.Context) -> Task:
    """A task that ends with the run of trio, if it does not end before."""
    task = Task()

    async def run() -> None:
        # An exception here would end the whole program.
        try:
            await task.run(work)
        except Exception:
            logger.exception("A task beside the requests failed")

    trio.lowlevel.spawn_system_task(run, context=context)
    return task


async def ended(tasks: Iterable[Any], seconds: float | None) -> None:
    """Until tasks are over, or that long."""
    with trio.move_on_after(float("inf") if seconds is None else seconds):
        for task in tasks:
            await task.over.wait()


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
