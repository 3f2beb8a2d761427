"""Carries messages between streams of a program and the engine.

Owns: the two tasks that read and write, and how much may wait. Must not know: what the messages
say.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from anyio import ClosedResourceError, EndOfStream, Event

from .. import _mcpbolt
from .peer import Unsendable

if TYPE_CHECKING:
    from contextvars import Context

    from .driver import Driver
    from .peer import ClientFace, Session
    from .serial import Serial

# If more messages than this wait to be sent, no more input is taken from the transport.
MAX_UNSENT = 10_000


class Fed(Protocol):
    """A connection whose bytes go through streams."""

    driver: Driver
    context: Context
    engine: _mcpbolt.Client
    number: int
    session: Session
    face: ClientFace
    serial: Serial


class Pump:
    """Carries messages between streams of the program and the engine."""

    def __init__(self, connection: Fed, read_stream: Any, write_stream: Any) -> None:
        self.more = Event()
        self._connection = connection
        self._read_stream, self._write_stream = read_stream, write_stream
        self._unsent: list[str] = []
        self._room = Event()
        self._tasks: list[Any] = []
        # By method what the program said about the requests that are still to be written.
        self._metadata: dict[str, deque[Any]] = {}

    def start(self) -> None:
        """Start carrying messages."""
        driver, context = self._connection.driver, self._connection.context
        self._tasks = [driver.spawn(work, context.copy()) for work in (self._read(), self._write())]

    def stop(self) -> None:
        """Stop carrying messages and close the streams."""
        for task in self._tasks:
            task.cancel()
        for stream in (self._read_stream, self._write_stream):
            close = getattr(stream, "close", None)
            if close is not None:
                close()

    def sends(self, method: str, metadata: Any) -> None:
        """Note what the program said about its next request."""
        self._metadata.setdefault(method, deque()).append(metadata)

    async def _read(self) -> None:
        reason: str | None = None
        try:
            while True:
                await self._take(await self._read_stream.receive())
        except (EndOfStream, ClosedResourceError):
            pass
        except Exception as error:
            reason = str(error) or type(error).__name__
        self._lost(reason)

    async def _take(self, message: Any) -> None:
        connection = self._connection
        if isinstance(message, Exception):
            error = message
            connection.serial.put(lambda: connection.session.take_fault(error))
            return
        self._feed(connection.face.text(message))
        while len(self._unsent) > MAX_UNSENT:
            self._room = Event()
            await self._room.wait()

    def _feed(self, text: str) -> None:
        """Pass on a message of the server."""
        connection = self._connection
        self._unsent += connection.engine.feed(connection.number, text.encode())
        if self._unsent:
            self.more.set()

    async def _write(self) -> None:
        connection = self._connection
        try:
            while True:
                await self.more.wait()
                self.more = Event()
                self._unsent += connection.engine.take_outgoing(connection.number)
                unsent, self._unsent = self._unsent, []
                for text in unsent:
                    for message in connection.face.messages(text):
                        await self._put(message)
                self._room.set()
        except _mcpbolt.EngineError:
            return
        except Exception as error:
            self._lost(str(error) or type(error).__name__)

    async def _put(self, message: Any) -> None:
        if isinstance(message, Unsendable):
            self._metadata_of(message.method)
            self._feed(message.answer)
            return
        root: Any = getattr(getattr(message, "message", None), "root", None)
        metadata = self._metadata_of(getattr(root, "method", "")) if hasattr(root, "id") else None
        if metadata is not None:
            message.metadata = metadata
        await self._write_stream.send(message)

    def _metadata_of(self, method: str) -> Any:
        """Take the metadata that the program gave for a request. Requests of one method leave in the
        order in which they were made.
        """
        waiting = self._metadata.get(method)
        return waiting.popleft() if waiting else None

    def _lost(self, reason: str | None) -> None:
        connection = self._connection
        try:
            connection.engine.disconnect(connection.number, reason)
        except _mcpbolt.EngineError:
            return
