"""Running a low-level server on a pair of streams, from its lifespan to the last reply."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import deque
from contextlib import suppress
from contextvars import Context
from typing import TYPE_CHECKING, Any

from .._engine import face
from .._engine.acquire import driving
from .._engine.host import ServerHost
from .._engine.json import dumps, model_text
from .._engine.peer import Unsendable
from ..shared._sendable import sendable
from ._about import about_of
from ._face import host_of
from ._requests import carried_request, grant_of
from ._terminal import tell_terminal
from ._works import works_of

if TYPE_CHECKING:
    from .._engine.registry import Registry
    from .models import InitializationOptions

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")

# The error of a call whose token lacks scopes.
_TOO_FEW_SCOPES = (-32600, "the token lacks a scope that this needs")
# If more replies than this wait to be sent, no more input is taken from the transport.
MAX_UNSENT = 10_000


async def serve(
    server: Registry,
    read_stream: Any,
    write_stream: Any,
    options: InitializationOptions,
    raise_exceptions: bool = False,
    stateless: bool = False,
) -> None:
    """Serve one connection until its input ends."""
    attach = getattr(read_stream, "attach", None)
    if attach is not None:
        await attach(server, options)
        return
    async with server.lifespan(server) as lifespan_context, driving() as driver, works_of(server):
        host = host_of(server, driver, about_of(options), lifespan_context, raise_exceptions)
        await carry(host, read_stream, write_stream, stateless)


async def carry(host: ServerHost, read_stream: Any, write_stream: Any, stateless: bool = False) -> None:
    """Serve one connection with a host made for it, and close that."""
    try:
        # The engine's own standard streams always begin with a handshake.
        if not stateless and claim_stdio(read_stream, write_stream):
            await _serve_stdio(host)
        else:
            await _Pump(host, read_stream, write_stream, stateless).run()
    finally:
        await host.close()
    if host.error is not None:
        raise host.error


async def serve_stdio(server: Registry, about: dict[str, Any]) -> None:
    """Serve the standard streams directly, without message streams."""
    async with server.lifespan(server) as lifespan_context, driving() as driver, works_of(server):
        host = host_of(server, driver, about, lifespan_context)
        try:
            await _serve_stdio(host)
        finally:
            await host.close()


async def _serve_stdio(host: ServerHost) -> None:
    if await face.current.serve_stdio(host):
        return
    tell_terminal()
    host.listen_stdio()
    try:
        await host.over.wait()
    finally:
        # What handlers printed without flushing would otherwise end up on the wire when the
        # engine returns the descriptors.
        with suppress(AttributeError, OSError, ValueError):
            sys.stdout.flush()


def claim_stdio(read_stream: Any, write_stream: Any) -> bool:
    """Whether both streams come from `stdio_server` and are unused; the engine then takes them."""
    claim = getattr(read_stream, "claim_for_engine", None)
    return claim is not None and claim(write_stream)


def message_bytes(message: Any) -> bytes:
    """A message of a custom transport as bytes: a `SessionMessage`, a bare message, or JSON."""
    inner = getattr(message, "message", message)
    if isinstance(inner, bytes):
        return inner
    if isinstance(inner, str):
        return inner.encode()
    if isinstance(inner, dict):
        return dumps(inner).encode()
    return model_text(inner).encode()


def _request_behind(message: Any) -> Any:
    """The HTTP request that brought a message, where its transport tells."""
    return getattr(getattr(message, "metadata", None), "request_context", None)


def _number_of(message: Any) -> Any:
    """The id of a message if it is a request, else `None`."""
    inner = getattr(message, "message", message)
    root = getattr(inner, "root", inner)
    return getattr(root, "id", None) if hasattr(root, "method") else None


class _Pump:
    """Carries messages between a pair of streams and the engine.

    To the engine, each request has a stream of its own. So it is known which request a message
    belongs to, for transports with several streams.
    """

    def __init__(self, host: ServerHost, read_stream: Any, write_stream: Any, stateless: bool) -> None:
        self.host = host
        self.read_stream = read_stream
        self.write_stream = write_stream
        # Messages, and the ids of the requests they belong to.
        self.unsent: deque[tuple[str, Any]] = deque()
        self._requests: dict[int, Any] = {}
        self._last_stream = 0
        self.more: asyncio.Event = host.driver.event()
        self.room: asyncio.Event = host.driver.event()
        host.stateless = stateless
        self.connection = host.connect_streams(self._wake, stateless)
        # What rewrites messages on the way, if something does.
        self.wire: Any = face.current.wire(host, stateless)

    def _wake(self) -> None:
        self.more.set()

    async def run(self) -> None:
        """Run until the input ends, or a handler's exception ends it."""
        try:
            await self.host.driver.first_of(self._read, self._write, self._until_over)
        finally:
            await self._finish()

    async def _until_over(self) -> None:
        await self.host.over.wait()

    async def _finish(self) -> None:
        self._queue(self.host.engine.disconnect(self.connection))
        self.host.driver.catch_up()
        try:
            await self._send()
        except Exception:
            pass  # the receiver of the last replies is gone
        await self.write_stream.aclose()
        await self.read_stream.aclose()

    async def _read(self) -> None:
        from anyio import ClosedResourceError, EndOfStream

        host = self.host
        while True:
            try:
                message = await self.read_stream.receive()
            except (EndOfStream, ClosedResourceError):
                return
            if isinstance(message, Exception):
                host.stream_failed(message)
                if self.wire is not None:
                    self.unsent.append((self.wire.trouble(message), None))
                    self.more.set()
                continue
            self._take(message)
            if self.unsent:
                self.more.set()
            while len(self.unsent) > MAX_UNSENT:
                await self.room.wait()

    def _take(self, message: Any) -> None:
        given = message_bytes(message)
        data: bytes | None = given
        if self.wire is not None:
            data, answers = self.wire.take(given)
            self.unsent.extend((answer, None) for answer in answers)
        if data is not None and not self._lacks_scopes(message, data):
            stream, origin = self._stream_of(message), self._origin(message)
            self._queue(self.host.engine.feed_stream(self.connection, stream, data, origin))

    def _lacks_scopes(self, message: Any, data: bytes) -> bool:
        """Answer a message whose token lacks scopes for it. Transports that answer over HTTP have
        accepted it by then, so that the refusal is a reply.
        """
        request, engine = _request_behind(message), self.host.engine
        if request is None or not engine.has_scopes():
            return False
        challenge = engine.lacks_scopes(data.decode(), grant_of(request.scope))
        if challenge is None:
            return False
        number = _number_of(message)
        code, text = _TOO_FEW_SCOPES
        error = {"code": code, "message": text, "data": {"challenge": challenge}}
        self.unsent.append((dumps({"jsonrpc": "2.0", "id": number, "error": error}), number))
        return True

    def _stream_of(self, message: Any) -> int:
        number = _number_of(message)
        if number is None:
            return 0
        self._last_stream += 1
        self._requests[self._last_stream] = number
        return self._last_stream

    def _queue(self, texts: list[str]) -> None:
        for text in texts:
            stream, kind, message = text.split(" ", 2)
            # The answer to a request, or its end without one, is its last message.
            over = kind in ("r", "e")
            number = self._requests.pop(int(stream), None) if over else self._requests.get(int(stream))
            if message and self.wire is not None:
                (message,) = self.wire.sent([message])
            if message:
                self.unsent.append((message, None if over else number))

    def _origin(self, message: Any) -> int:
        metadata = getattr(message, "metadata", None)
        request = _request_behind(message)
        if request is None:
            return 0
        context: Context = (getattr(metadata, "context", None) or self.host.context).copy()
        context.run(carried_request.set, request)
        return self.host.driver.new_cause(context)

    async def _write(self) -> None:
        while True:
            await self.more.wait()
            # A new event, since those of trio cannot be cleared.
            self.more = self.host.driver.event()
            self._queue(self.host.engine.take_outgoing(self.connection))
            await self._send()

    async def _send(self) -> None:
        from ..shared.message import ServerMessageMetadata, SessionMessage

        while self.unsent:
            text, number = self.unsent.popleft()
            beside = None if number is None else ServerMessageMetadata(related_request_id=number)
            for message in sendable(text, logger):
                if isinstance(message, Unsendable):
                    self._queue(self.host.engine.feed_stream(self.connection, 0, message.answer.encode(), 0))
                else:
                    await self.write_stream.send(SessionMessage(message, beside))
            if len(self.unsent) == MAX_UNSENT:
                room, self.room = self.room, self.host.driver.event()
                room.set()
