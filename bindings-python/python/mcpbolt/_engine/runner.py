"""Running a server as the main program: its loop, its signals and its end. Also skipping that
when a file is imported only for its server.

The only module that handles signals.
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

# How many seconds handlers have to end in good order after a second signal.
LAST_SECONDS = 2.0

# The signals that end a server.
_NUMBERS = (signal.SIGINT, signal.SIGTERM)

# The signals that arrived since `run` began.
_caught: list[int] = []

# The message to print if a file runs its server while it is only imported.
_passing_over: list[str] = []


class Interrupted(KeyboardInterrupt, SystemExit):
    """Ctrl-C: a `KeyboardInterrupt` for code that catches it, else an exit without a traceback."""

    def __init__(self) -> None:
        super().__init__(130)
        self.code = 130


@contextmanager
def passing_over(words: str) -> Generator[None, None, None]:
    """Skip attempts to serve while a file is imported for its server, and print the message
    once. Otherwise the import would block until the client disconnects.
    """
    _passing_over.append(words)
    try:
        yield
    finally:
        _passing_over.clear()


def passed_over() -> bool:
    """Whether serving is to be skipped now."""
    if not _passing_over:
        return False
    if _passing_over[-1]:
        print(_passing_over[-1], file=sys.stderr, flush=True)
        _passing_over[-1] = ""
    return True


def was_signalled() -> bool:
    """Whether a signal ended the server, so that a user may be waiting at a terminal."""
    return bool(_caught)


def run(main: Callable[[], Awaitable[None]]) -> None:
    """Run until `main` returns or a signal arrives. If the program has a handler for the signal, it is
    called once the server has ended, and decides what follows: if it returns, so does this.

    Raises:
        RuntimeError: A loop is running already: await the async function in place of this one.
        Interrupted: Ctrl-C.
        SystemExit: SIGTERM, with code 143.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        pass
    else:
        raise RuntimeError("a loop is running here: await run_stdio_async() or run_streamable_http_async() instead")
    _caught.clear()
    handled = _handled_by_program()
    last = threading.Timer(LAST_SECONDS, _leave)
    last.daemon = True
    try:
        caught = asyncio.run(_main(main, last))
    finally:
        last.cancel()
        _caught.clear()
    for number in caught:
        if number in handled:
            signal.raise_signal(number)
    if caught and caught[0] not in handled:
        raise Interrupted if caught[0] == signal.SIGINT else SystemExit(128 + caught[0])


def _handled_by_program() -> set[int]:
    """The signals that end a server and that the program has handlers for. It is asked before the
    loop runs, which has a handler of its own for Ctrl-C.
    """
    handlers = {number: signal.getsignal(number) for number in _NUMBERS}
    # `SIG_DFL` and `SIG_IGN` cannot be called.
    return {int(number) for number, it in handlers.items() if callable(it) and it is not signal.default_int_handler}


def _leave() -> None:
    """End the process at once, since handlers may ignore that they are cancelled."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, OSError, ValueError):
            stream.flush()
    os._exit(128 + _caught[0])


async def _main(main: Callable[[], Awaitable[None]], last: threading.Timer) -> list[int]:
    """Run `main`; returns the signals that ended it, each once, the first one first. The second signal
    starts `last`.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(main())
    caught = _caught

    ends: list[int] = []

    def end(number: int) -> None:
        ends.append(number)
        if number not in caught:
            # The code that serves has replaced our handler by its own.
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
    return list(dict.fromkeys(caught))


def _catch(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> Callable[[], None]:
    if threading.current_thread() is not threading.main_thread():
        return lambda: None
    before: dict[int, Any] = {number: signal.getsignal(number) for number in _NUMBERS}

    def note(number: int, _: Any) -> None:
        # Recorded here too: the loop may end for another reason before `end` runs.
        _caught.append(number)

    def note_and_end(number: int, frame: Any) -> None:
        note(number, frame)
        loop.call_soon_threadsafe(end, number)

    for number in _NUMBERS:
        try:
            loop.add_signal_handler(number, end, int(number))
        except NotImplementedError:
            signal.signal(number, note_and_end)
        else:
            # Replaces a handler that does nothing; the loop is woken through a descriptor.
            signal.signal(number, note)

    def restore() -> None:
        for number, handler in before.items():
            try:
                loop.remove_signal_handler(number)
            except NotImplementedError:
                pass
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    return restore
