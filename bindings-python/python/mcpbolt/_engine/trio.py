"""The driver on trio: the same inbox, with tasks in a nursery and events in place of futures.

Owns: the differences from asyncio. Each `Server.run` has a driver of its own here, since
nothing may outlive the nursery that it was started in.
"""

from __future__ import annotations

import contextvars
import logging
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable
from contextlib import asynccontextmanager
from typing import Any, cast

import trio

from .._mcpbolt import Inbox
from . import forks
from .driver import Driver

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http_manager")

STOP_SECONDS = 10


class _Future:
    """The part of a future that a driver needs."""

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
        """Do nothing: tasks that wait are cancelled with their nursery."""

    async def _wait(self) -> Any:
        await self._event.wait()
        if self._error is not None:
            raise self._error
        return self._value

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._wait().__await__()


class Task:
    """A coroutine in a nursery that can be cancelled by itself."""

    def __init__(self) -> None:
        self.scope = trio.CancelScope()
        self.over = trio.Event()

    def done(self) -> bool:
        """Whether the task has ended."""
        return self.over.is_set()

    def cancel(self) -> None:
        """Cancel the task."""
        self.scope.cancel()

    async def run(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run the coroutine until it ends or is cancelled."""
        try:
            with self.scope:
                await work
        finally:
            self.over.set()


class _Loop:
    """The part of a loop that a driver needs."""

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
    """A driver with tasks of trio."""

    def __init__(self, nursery: trio.Nursery) -> None:  # pyright: ignore[reportMissingSuperCall]
        self.loop = cast("Any", _Loop(nursery))
        self.inbox = Inbox()
        self.pid = forks.process
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
        self._hearers = {}
        self._later = deque()
        self._done = []
        self._draining = False
        self._flushing = False
        self._parking = False
        self._last_cause = 0

    async def listen(self) -> None:
        """Take items as they arrive, until cancelled."""
        while True:
            await trio.lowlevel.wait_readable(self.inbox.fileno())
            self._drain()

    def spawn(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> Any:
        """Start a task in a context of its own."""
        task = Task()
        context.run(self._nursery.start_soon, task.run, work)
        return task

    def background(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> None:
        """Start a task that nothing waits for."""
        self.spawn(work, context)

    async def writable(self, target: int) -> None:
        """Wait until more can be sent to a call or a connection."""
        future = self._waiting.setdefault(target, _Future())
        await future

    def event(self) -> Any:
        """Make an event of trio."""
        return trio.Event()

    async def stop(self, tasks: list[Any]) -> None:
        """Cancel tasks and wait for their end."""
        for task in tasks:
            task.cancel()
        with trio.move_on_after(STOP_SECONDS, shield=True):
            for task in tasks:
                await task.over.wait()

    async def first_of(self, *works: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run coroutines until the first one ends; the others are cancelled."""
        async with trio.open_nursery() as nursery:

            async def run(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
                await work()
                nursery.cancel_scope.cancel()

            for work in works:
                nursery.start_soon(run, work)

    def close(self) -> None:
        """Close the inbox, and end everything that waits for it."""
        if self.inherited():
            return
        self.flush()
        if self.workers is not None:
            self.workers.close()
        self.inbox.close()


# Tasks outside all nurseries, for code that ends before they do


def running_token() -> object:
    """An object that identifies the running `trio.run`.

    Raises:
        RuntimeError: Neither trio nor an asyncio loop is running.
    """
    return trio.lowlevel.current_trio_token()


def new_event() -> Any:
    """Make an event of trio."""
    return trio.Event()


def start_alone(work: Coroutine[Any, Any, None], context: contextvars.Context) -> Task:
    """Start a task that is cancelled at the end of `trio.run` if it still runs then."""
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
    """Wait until tasks have ended, or for that many seconds."""
    with trio.move_on_after(float("inf") if seconds is None else seconds):
        for task in tasks:
            await task.over.wait()


@asynccontextmanager
async def driving() -> AsyncGenerator[Driver, None]:
    """A driver while the context is open."""
    async with trio.open_nursery() as nursery:
        driver = TrioDriver(nursery)
        nursery.start_soon(driver.listen)
        try:
            yield driver
        finally:
            driver.close()
            nursery.cancel_scope.cancel()
