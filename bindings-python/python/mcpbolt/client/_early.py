"""What a server sends before the program has sent anything.

Owns: reading the first message of such a server, and that it is not lost. Must not know: what is
in the message.
"""

from __future__ import annotations

from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import ClosedResourceError, EndOfStream

from .._engine import face
from .._engine.acquire import acquire

if TYPE_CHECKING:
    from collections.abc import Callable

    from .._engine.connection import Connection
    from .._engine.driver import Driver


class EarlyReader:
    """A program's own stream, read before its session begins. The first message begins the
    session, which reads it from here; if the session begins before, nothing has been read.

    Args:
        stream: The stream.
        begin: Begins the session.
    """

    def __init__(self, stream: Any, begin: Callable[[], None]) -> None:
        self._stream = stream
        self._begin = begin
        self._first: list[Any] = []
        self._driver: Driver | None = acquire()
        self._task: Any = self._driver.spawn(self._wait(), copy_context())

    async def _wait(self) -> None:
        try:
            self._first.append(await self._stream.receive())
        except (EndOfStream, ClosedResourceError):
            return
        finally:
            self._task = None
        self._begin()

    def stop(self) -> None:
        """Read nothing more by itself. May be called more than once."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if self._driver is not None:
            driver, self._driver = self._driver, None
            driver.release()

    @property
    def has_read(self) -> bool:
        """Whether a message was read that the session has to get."""
        return bool(self._first)

    async def receive(self) -> Any:
        """Receive the next message."""
        if self._first:
            return self._first.pop()
        return await self._stream.receive()

    def close(self) -> None:
        """Close the stream, if it can be closed at once."""
        close = getattr(self._stream, "close", None)
        if close is not None:
            close()


class Hearing:
    """The part of `ClientSession` that hears a server which speaks first."""

    _early: EarlyReader | None = None

    if TYPE_CHECKING:
        _connection: Connection | None
        _memory: Any
        _read_stream: Any

        def _begin_without_handshake(self) -> None: ...

    def _hear(self) -> None:
        """Read what the server sends before the program sends anything, on streams of the
        program's own: servers behind the engine's transports send nothing before.
        """
        own = self._memory is None and getattr(self._read_stream, "reach", None) is None
        if face.current.hears_early and own and self._connection is None and self._early is None:
            self._early = EarlyReader(self._read_stream, self._begin_without_handshake)

    def _heard(self) -> Any:
        """Leave the stream to the session; returns what that reads from."""
        early, self._early = self._early, None
        if early is None:
            return self._read_stream
        early.stop()
        return early if early.has_read else self._read_stream
