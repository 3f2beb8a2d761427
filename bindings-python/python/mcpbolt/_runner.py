"""Running a server as the program: its loop, its signals, how it ends.

The only place that touches signals.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Awaitable, Callable
from typing import Any


class Interrupted(KeyboardInterrupt, SystemExit):
    """Ctrl-C: a `KeyboardInterrupt` to who catches that, a quiet exit to who does not."""

    def __init__(self) -> None:
        super().__init__(130)
        self.code = 130


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
    caught = asyncio.run(_main(main))
    if caught == signal.SIGINT:
        raise Interrupted
    if caught:
        raise SystemExit(128 + caught)


async def _main(main: Callable[[], Awaitable[None]]) -> int:
    """The signal that ended it, or 0."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(main())
    caught: list[int] = []

    def end(number: int) -> None:
        caught.append(number)
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
    for number in numbers:
        try:
            loop.add_signal_handler(number, end, int(number))
        except NotImplementedError:
            signal.signal(number, lambda caught, _: loop.call_soon_threadsafe(end, caught))

    def restore() -> None:
        for number, handler in before.items():
            try:
                loop.remove_signal_handler(number)
            except NotImplementedError:
                pass
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)

    return restore
