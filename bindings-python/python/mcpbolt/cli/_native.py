"""The part of the command that is the engine's, run in this process.

Owns: signals while it runs: it hears them, and the interpreter's handlers do not get in the way.
Must not know: verbs.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from .. import _mcpbolt

_NUMBERS = (signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if sys.platform != "win32" else []))


def run(arguments: list[str]) -> int:
    """Run the command with these arguments; returns the exit code. Signals reach it where the
    interpreter allows it, in the main thread.
    """
    # The engine writes to the same descriptors without asking Python; without a console there are none.
    streams: list[Any] = [sys.stdout, sys.stderr]
    for stream in streams:
        if stream is not None:
            stream.flush()
    command = _mcpbolt.Command()
    with _passed_on_to(command.fileno()):
        return command.run(["mcpbolt", *arguments], sys.executable or None)


@contextmanager
def _passed_on_to(descriptor: int | None) -> Generator[None, None, None]:
    if descriptor is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    # What was installed from outside Python cannot be put back, so it stays.
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in _NUMBERS}
    if sys.platform != "win32" and before[signal.SIGHUP] is signal.SIG_IGN:
        # As `nohup` has it: the command outlives its terminal.
        del before[signal.SIGHUP]
    waker = signal.set_wakeup_fd(descriptor, warn_on_full_buffer=False)
    try:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, _heard)
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
        signal.set_wakeup_fd(waker)


def _heard(number: int, frame: Any) -> None:
    """The number has gone to the engine already."""
