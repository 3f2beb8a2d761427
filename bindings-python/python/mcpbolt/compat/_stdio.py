"""The standard streams for programs that import this package under the official name. Messages
pass through `OfficialWire` and are carried by Python, which is slower than the engine but just
as safe.

Owns: the process's two descriptors while it serves, and a thread for each.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ._wire import OfficialWire

if TYPE_CHECKING:
    from .._engine.host import ServerHost

_CHUNK = 1 << 16
# If more replies than this wait for the peer to read, no more input is taken.
_MAX_UNSENT = 1_000
# How many seconds the last replies may take.
_END_SECONDS = 5.0
_MAX_LINE = 64 << 20


async def serve_official_stdio(host: ServerHost) -> None:
    """Serve the standard streams until their end."""
    with _private_streams() as (stdin, stdout):
        carrier = _Carrier(host, stdin, stdout)
        try:
            carrier.start()
            await host.over.wait()
        finally:
            carrier.end()


@contextmanager
def _private_streams() -> Generator[tuple[int, int], None, None]:
    """Move the two streams to new descriptors, so that what tools print goes to stderr."""
    kept = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    try:
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        # This includes earlier output: on the wire it would not be a valid message.
        sys.stdout.flush()
        yield kept
    finally:
        sys.stdout.flush()
        os.dup2(kept[0], 0)
        os.dup2(kept[1], 1)
        os.close(nothing)
        # The input stays open, because a thread may still be reading it.
        os.close(kept[1])


class _Carrier:
    """Carries lines between the standard streams and the server."""

    def __init__(self, host: ServerHost, stdin: int, stdout: int) -> None:
        self._host = host
        self._wire = OfficialWire(host)
        self._stdin = stdin
        self._stdout = stdout
        self._unsent: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._room = threading.Event()
        self._taken = threading.Event()
        self._ended = False
        self._writer = threading.Thread(target=self._write, name="mcpbolt-stdout", daemon=True)
        self._connection = host.connect(self._flush)

    def start(self) -> None:
        """Start reading and writing."""
        self._writer.start()
        threading.Thread(target=self._read, name="mcpbolt-stdin", daemon=True).start()

    def end(self) -> None:
        """Write what is left, for a bounded time."""
        self._ended = True
        self._say(self._wire.sent(self._host.engine.disconnect(self._connection)))
        self._unsent.put(None)
        self._writer.join(_END_SECONDS)
        self._taken.set()

    # On the loop

    def _take(self, lines: list[bytes]) -> None:
        self._taken.set()
        for line in lines:
            if self._ended:
                return
            message, answers = self._wire.take(line)
            self._say(answers)
            if message is not None:
                self._say(self._wire.sent(self._host.engine.feed(self._connection, message, 0)))

    def _flush(self) -> None:
        self._say(self._wire.sent(self._host.engine.take_outgoing(self._connection)))

    def _say(self, texts: list[str]) -> None:
        for text in texts:
            self._unsent.put(text)

    def _over(self) -> None:
        self._host.over.set()

    # On threads

    def _read(self) -> None:
        rest, loop = b"", self._host.driver.loop
        try:
            while chunk := os.read(self._stdin, _CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                if len(rest) > _MAX_LINE:
                    break
                while self._unsent.qsize() > _MAX_UNSENT and not self._ended:
                    self._room.clear()
                    self._room.wait(1)
                self._taken.clear()
                loop.call_soon_threadsafe(self._take, lines)
                # One batch at a time: nothing more is read until the loop has taken it.
                self._taken.wait()
                if self._ended:
                    return
            loop.call_soon_threadsafe(self._over)
        except (OSError, RuntimeError):  # the stream or the loop is gone
            return

    def _write(self) -> None:
        while (text := self._unsent.get()) is not None:
            data = memoryview(text.encode() + b"\n")
            try:
                while data:
                    data = data[os.write(self._stdout, data) :]
            except OSError:
                self._host.driver.loop.call_soon_threadsafe(self._over)
                return
            self._room.set()
