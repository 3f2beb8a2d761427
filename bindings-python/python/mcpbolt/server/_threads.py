"""Running blocking functions from the loop: on a thread, in a copy of the context."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from .._engine import face, forks
from .._engine.workers import MAX_THREADS

T = TypeVar("T")

_running: set[asyncio.Task[None]] = set()
_pool: _Pool | None = None
_pid = 0


async def in_thread(function: Callable[[], T]) -> T:
    """Run a blocking function on a thread and return its result."""
    if face.current.uses_anyio_threads:
        return await _in_anyio_thread(function)
    context = contextvars.copy_context()
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        from anyio.to_thread import run_sync

        return await run_sync(context.run, function)
    return await loop.run_in_executor(_threads(), context.run, function)


async def _in_anyio_thread(function: Callable[[], T]) -> T:
    """Run it where `anyio.from_thread` reaches the loop. If the task is cancelled, the function
    can learn of it from `check_cancelled`, and the task waits for its end.
    """
    from anyio import CancelScope
    from anyio.to_thread import run_sync

    scope = CancelScope()
    results: list[T] = []

    async def work() -> None:
        with scope:
            results.append(await run_sync(function))

    try:
        task = asyncio.get_running_loop().create_task(work())
    except RuntimeError:
        return await run_sync(function)
    try:
        _running.add(task)
        task.add_done_callback(_running.discard)
        await asyncio.shield(task)
    except asyncio.CancelledError:
        scope.cancel()
        # A scope around it that was cancelled would cut the wait short.
        with CancelScope(shield=True):
            await asyncio.wait([task])
        if not task.cancelled():
            # Nobody asks any more what it failed with, and the loop need not complain of that.
            task.exception()
        raise
    return results[0]


async def settled() -> None:
    """Wait for functions that still run on threads of anyio, although their calls are over."""
    if _running:
        await asyncio.wait(list(_running))


class _Pool(Executor):
    """Up to `MAX_THREADS` threads. The end of the process does not wait for their functions, as it
    does for those of a `ThreadPoolExecutor`: one may block for ever.
    """

    def __init__(self) -> None:
        self._work: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        self._lock = threading.Lock()
        self._idle = 0
        self._threads = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run a function on the next thread that is free."""
        future: Future[Any] = Future()
        with self._lock:
            if self._idle:
                self._idle -= 1
            elif self._threads < MAX_THREADS:
                self._threads += 1
                name = f"mcpbolt-function-{self._threads}"
                threading.Thread(target=self._run, name=name, daemon=True).start()
        self._work.put((future, partial(fn, *args, **kwargs)))
        return future

    @staticmethod
    def _finish(future: Future[Any], function: Callable[[], Any]) -> None:
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(function())
        except BaseException as error:
            future.set_exception(error)
            # The exception has this frame, and the future has the exception.
            del future

    def _run(self) -> None:
        while True:
            self._finish(*self._work.get())
            with self._lock:
                self._idle += 1


def _threads() -> _Pool:
    global _pool, _pid
    if _pool is None or _pid != forks.process:
        _pool, _pid = _Pool(), forks.process
    return _pool
