"""The driver on trio for clients: the same inbox, watched by a system task.

Owns: the parts of an asyncio loop that the driver needs, built on trio. Servers run in a
nursery of their own. A client's contexts can be entered and left in any task, so nothing of it
may depend on a nursery of the program. Loaded when a program on trio makes a client.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable, Coroutine, Generator
from typing import Any, cast

import trio
from trio.lowlevel import TrioToken, current_trio_token, spawn_system_task, wait_readable

from .._mcpbolt import EngineError
from .driver import Driver
from .tables import drop

logger: logging.Logger = logging.getLogger("client")


class _Future:
    """A value that arrives later, with one task waiting for it."""

    def __init__(self) -> None:
        self._event = trio.Event()
        self._value: Any = None
        self._over = False

    def done(self) -> bool:
        """Whether the value has arrived, or was cancelled."""
        return self._event.is_set()

    def set_result(self, value: Any) -> None:
        """Set the value and wake the waiting task."""
        self._value = value
        self._event.set()

    def cancel(self) -> None:
        """Cancel it: the value will not arrive."""
        self._over = True
        self._event.set()

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from self._event.wait().__await__()
        if self._over:
            raise EngineError("closed", -32000, "the connection is closed", None)
        return self._value


class _Task:
    """Work in a system task. Exceptions are logged, since trio would end the program for them."""

    def __init__(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> None:
        self._work = work
        self._scope = trio.CancelScope()
        self._callbacks: list[Callable[[Any], None]] = []
        self._done = False
        spawn_system_task(self._run, name="mcpbolt", context=context)

    async def _run(self) -> None:
        try:
            with self._scope:
                await self._work
        except Exception:
            logger.exception("Uncaught exception in a task")
        finally:
            self._done = True
            for callback in self._callbacks:
                callback(self)

    def done(self) -> bool:
        """Whether the task has ended."""
        return self._done

    def cancel(self) -> None:
        """Cancel the task."""
        self._scope.cancel()

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """Call a function when the task ends."""
        self._callbacks.append(callback)


class _Loop:
    """The part of an asyncio loop that the driver uses."""

    def __init__(self) -> None:
        self.token: TrioToken = current_trio_token()
        self._watch: trio.CancelScope | None = None

    def call_soon(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Run a function in the next turn of the loop."""
        try:
            self.token.run_sync_soon(function, *arguments)
        except trio.RunFinishedError:
            logger.debug("trio has ended")

    call_soon_threadsafe = call_soon
    create_future = staticmethod(_Future)

    def is_closed(self) -> bool:
        """Whether trio has ended."""
        try:
            self.token.run_sync_soon(int)
        except trio.RunFinishedError:
            return True
        return False

    def add_reader(self, descriptor: int, function: Callable[[], None]) -> None:
        """Call a function whenever the descriptor is readable."""
        scope = self._watch = trio.CancelScope()

        async def watch() -> None:
            with scope:
                while True:
                    await wait_readable(descriptor)
                    function()

        spawn_system_task(watch, name="mcpbolt inbox")

    def remove_reader(self, descriptor: int) -> None:
        """Stop watching the descriptor."""
        if self._watch is not None:
            self._watch.cancel()


class TrioDriver(Driver):
    """The driver of one `trio.run`."""

    @classmethod
    def acquire(cls) -> Driver:
        """Acquire the driver of the running `trio.run`. Every call needs one `release`."""
        token = current_trio_token()
        driver: Driver | None = _drivers.get(token)
        if driver is None:
            drop(_drivers, lambda _, left: left.loop.is_closed())
            driver = _drivers[token] = cls(cast("Any", _Loop()))
        driver._users = driver._users + 1
        return driver

    def release(self) -> None:
        """Release the driver; the last release closes the inbox."""
        self._users -= 1
        if self._users <= 0:
            _drivers.pop(cast("Any", self.loop).token, None)
            self.close()

    def spawn(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> Any:
        """Start a system task in a context of its own."""
        return _Task(work, context)

    async def writable(self, target: int) -> None:
        """Wait until more can be sent to a call, a connection or an HTTP exchange."""
        future = self._waiting.get(target)
        if future is None:
            future = self._waiting[target] = self.loop.create_future()
        await future


_drivers: dict[TrioToken, Driver] = {}
