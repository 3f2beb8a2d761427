"""The driver on trio for clients: the same inbox, watched by a system task.

Owns: what the driver needs of a loop, made of trio's. Servers run in a nursery of their
own; a client's contexts are entered and left in any task, so that nothing of it may hang
in a nursery of the program's. Loads when a program that runs trio makes a client.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable, Coroutine, Generator
from typing import Any, cast

import trio
from trio.lowlevel import TrioToken, current_trio_token, spawn_system_task, wait_readable

from .._loop import Driver
from ..shared.exceptions import SessionClosed

logger: logging.Logger = logging.getLogger("client")


class _Future:
    """A value that comes later, for one who waits."""

    def __init__(self) -> None:
        self._event = trio.Event()
        self._value: Any = None
        self._over = False

    def done(self) -> bool:
        """Whether the value is there, or will not come."""
        return self._event.is_set()

    def set_result(self, value: Any) -> None:
        """Bring the value."""
        self._value = value
        self._event.set()

    def cancel(self) -> None:
        """Say that it will not come."""
        self._over = True
        self._event.set()

    def __await__(self) -> Generator[Any, Any, Any]:
        yield from self._event.wait().__await__()
        if self._over:
            raise SessionClosed("the connection is closed")
        return self._value


class _Task:
    """Work in a system task of its own. What it raises is logged, not thrown at trio."""

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
        """Whether it has ended."""
        return self._done

    def cancel(self) -> None:
        """End it."""
        self._scope.cancel()

    def add_done_callback(self, callback: Callable[[Any], None]) -> None:
        """Call this at its end."""
        self._callbacks.append(callback)


class _Loop:
    """What of an asyncio loop the driver uses."""

    def __init__(self) -> None:
        self.token: TrioToken = current_trio_token()
        self._watch: trio.CancelScope | None = None

    def call_soon(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Run this in the next turn."""
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
        """Call this whenever the descriptor can be read."""
        scope = self._watch = trio.CancelScope()

        async def watch() -> None:
            with scope:
                while True:
                    await wait_readable(descriptor)
                    function()

        spawn_system_task(watch, name="mcpbolt inbox")

    def remove_reader(self, descriptor: int) -> None:
        """Stop that."""
        if self._watch is not None:
            self._watch.cancel()


class TrioDriver(Driver):
    """The driver of one `trio.run`."""

    @classmethod
    def acquire(cls) -> Driver:
        """The driver of the running trio; every `acquire` needs one `release`."""
        token = current_trio_token()
        driver: Driver | None = _drivers.get(token)
        if driver is None:
            for old in [old for old, left in _drivers.items() if left.loop.is_closed()]:
                del _drivers[old]
            driver = _drivers[token] = cls(cast("Any", _Loop()))
        driver._users = driver._users + 1
        return driver

    def release(self) -> None:
        """Let go of it; the last one closes the inbox."""
        self._users -= 1
        if self._users <= 0:
            _drivers.pop(cast("Any", self.loop).token, None)
            self.close()

    def spawn(self, work: Coroutine[Any, Any, Any], context: contextvars.Context) -> Any:
        """A system task in a context of its own."""
        return _Task(work, context)

    async def writable(self, target: int) -> None:
        """Until more can be sent to a call, a connection or a page."""
        future = self._waiting.get(target)
        if future is None:
            future = self._waiting[target] = self.loop.create_future()
        await future


_drivers: dict[TrioToken, Driver] = {}
