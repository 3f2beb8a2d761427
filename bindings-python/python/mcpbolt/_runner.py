"""Running a server as the program: its loop, its signals, how it ends; and when it is not
to be run, because the file is only loaded for its server.

The only place that touches signals.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

# What lets go within this time of a second signal does so in good order.
LAST_SECONDS = 2.0

# Signals that came since `run` began.
_caught: list[int] = []

# What is said when a file runs its server while it is only loaded for that server.
_passing_over: list[str] = []


class Interrupted(KeyboardInterrupt, SystemExit):
    """Ctrl-C: a `KeyboardInterrupt` to who catches that, a quiet exit to who does not."""

    def __init__(self) -> None:
        super().__init__(130)
        self.code = 130


@contextmanager
def passing_over(words: str) -> Generator[None, None, None]:
    """While a file is imported for its server: what it runs is passed over, with these words,
    said once. Served then, it would hold up the program that imports it until its client leaves.
    """
    _passing_over.append(words)
    try:
        yield
    finally:
        _passing_over.clear()


def passed_over() -> bool:
    """Whether the server is not to be served now."""
    if not _passing_over:
        return False
    if _passing_over[-1]:
        print(_passing_over[-1], file=sys.stderr, flush=True)
        _passing_over[-1] = ""
    return True


def was_signalled() -> bool:
    """Whether a signal is what ends the server: a person at a terminal may wait for that."""
    return bool(_caught)


def run(main: Callable[[], Awaitable[None]]) -> None:
    """Run until `main` returns or a signal comes.

    Raises:
        RuntimeError: A loop is running already: await the function for it instead.
        Interrupted: Ctrl-C.
        SystemExit: With 143, SIGTERM.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise RuntimeError("a loop is running here: await run_stdio_async() or run_streamable_http_async() instead")
    _caught.clear()
    last = threading.Timer(LAST_SECONDS, _leave)
    last.daemon = True
    try:
        caught = asyncio.run(_main(main, last))
    finally:
        last.cancel()
        _caught.clear()
    if caught == signal.SIGINT:
        raise Interrupted
    if caught:
        raise SystemExit(128 + caught)


def _leave() -> None:
    """End the process, whatever still runs: handlers may swallow that they are cancelled."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(128 + _caught[0])


async def _main(main: Callable[[], Awaitable[None]], last: threading.Timer) -> int:
    """The signal that ended it, or 0. The second one starts `last`."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(main())
    caught = _caught

    ends: list[int] = []

    def end(number: int) -> None:
        ends.append(number)
        if number not in caught:
            # The code that serves has replaced our handler with its own.
            caught.append(number)
        if max(len(ends), len(caught)) > 1 and not last.is_alive():
            last.start()
        task.cancel()

    restore = _catch(loop, end)
    try:
        await task
    except asyncio.CancelledError:
        if not caught:
            raise
    finally:
        restore()
    return caught[0] if caught else 0


def _catch(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> Callable[[], None]:
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    numbers = [signal.SIGINT, signal.SIGTERM]
    before: dict[int, Any] = {number: signal.getsignal(number) for number in numbers}

    def note(number: int, _: Any) -> None:
        # At once: the loop may have ended for another reason before it gets to `end`.
        _caught.append(number)

    def note_and_end(number: int, frame: Any) -> None:
        note(number, frame)
        loop.call_soon_threadsafe(end, number)

    for number in numbers:
        try:
            loop.add_signal_handler(number, end, int(number))
        except NotImplementedError:
            signal.signal(number, note_and_end)
        else:
            # In place of one that does nothing; the loop is woken by a descriptor.
            signal.signal(number, note)

    def restore() -> None:
        for number, handler in before.items():
            try:
                loop.remove_signal_handler(number)
            except NotImplementedError:
                pass
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    return restore
