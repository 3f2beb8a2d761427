"""Transports to a server that programs see as a pair of streams.

Owns: who uses such a transport. If the pair is given to a `ClientSession` unused, the engine
takes over and the streams themselves carry nothing. If a program reads or writes them, the
messages are carried here. Must not know: how a server is reached; the engine's target says
that.
"""

from __future__ import annotations

import json
import logging
import math
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any

from anyio import Event, create_memory_object_stream, move_on_after
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from .. import _mcpbolt
from .._engine import face
from .._engine.acquire import acquire
from .._engine.json import dumps, model_text
from .._engine.peer import CLOSE_SECONDS
from ..shared.exceptions import from_engine, from_failure
from ..shared.message import SessionMessage

if TYPE_CHECKING:
    from .._engine.driver import Driver
    from .._engine.items import Item, NotificationItem, RequestItem, Row
    from ._carrier import Carrier

logger: logging.Logger = logging.getLogger("client")

# If so many messages wait to be read, only answers are added: the program waits for these.
MAX_UNREAD = 10_000

# How the engine reports an endpoint that does not exist.
_GONE = "HTTP status 404"

# The program's HTTP client has time-outs of its own, and may ask a user to sign in.
_CARRIED = {"carrier": True, "connect_timeout": 86_400, "acknowledge_timeout": 86_400}

Incoming = Any
Closer = Callable[[], Coroutine[Any, Any, None]]


class Reader(MemoryObjectReceiveStream[Incoming]):
    """The stream of the server's messages."""

    reach: Reach | None = None

    def receive_nowait(self) -> Incoming:
        """Receive like the base class; the first use starts the transport."""
        if self.reach is not None:
            self.reach.start()
        return super().receive_nowait()


class Writer(MemoryObjectSendStream[SessionMessage]):
    """The stream of messages to the server."""

    reach: Reach | None = None

    def send_nowait(self, item: SessionMessage) -> None:
        """Send like the base class; the first use starts the transport."""
        if self.reach is not None:
            self.reach.start()
        super().send_nowait(item)


class Reach:
    """A transport to one server, used by the engine or through its streams."""

    def __init__(
        self,
        target: dict[str, Any],
        on_stderr: Callable[[str], None] | None = None,
        carrier: Carrier | None = None,
    ) -> None:
        self.target = target if carrier is None else {**target, **_CARRIED}
        self.carrier = carrier
        self.on_stderr = on_stderr
        self.session_id: Callable[[], str | None] = lambda: None
        # The error that the handshake failed with.
        self.refusal: Exception | None = None
        self._closers: list[Closer] = []
        self._used = False
        self._incoming, plain_reader = create_memory_object_stream[Incoming](math.inf)
        plain_writer, self._unsent = create_memory_object_stream[SessionMessage](0)
        self.reader = Reader(plain_reader._state)  # pyright: ignore[reportPrivateUsage]
        self.writer = Writer(plain_writer._state)  # pyright: ignore[reportPrivateUsage]
        plain_reader.close()
        plain_writer.close()
        self.reader.reach = self.writer.reach = self

    @property
    def fault(self) -> Exception | None:
        """The exception that the program's HTTP client raised, if it is used."""
        return None if self.carrier is None else self.carrier.fault

    @property
    def unopened(self) -> Exception | None:
        """The error that nothing came of the transport for; `None` if the server took part."""
        if self.carrier is None:
            return self.refusal
        return None if self.carrier.accepted else self.carrier.fault

    def claim(self) -> bool:
        """Take the transport for the caller; `False` if it is in use already."""
        used, self._used = self._used, True
        return not used

    def refused(self, failure: Any) -> Any:
        """Keep the handshake's failure, and return the failure that the caller gets."""
        is_gone = failure[0] == "transport" and _GONE in failure[2]
        if face.current.gone_is_answer and is_gone and self.target.get("transport") != "sse":
            # The official package treats a 404 as an answer, and the transport goes on
            # working.
            return ("peer", 32600, "Session terminated", None)
        self.refusal = from_failure(failure)
        return failure

    def opened(self, driver: Driver, number: int, session_id: Callable[[], str | None], close: Closer) -> None:
        """Keep what belongs to a connection, and have the program's HTTP client, if there is
        one, send its requests.
        """
        self.session_id = session_id
        if self.carrier is not None:
            self._closers.append(self.carrier.serve(driver, number))
        # Closed first, since its end may be a request.
        self._closers.append(close)

    def sends(self, message: Any, metadata: Any) -> None:
        """Note what the program said about a request that it sends through the streams."""
        number = getattr(message, "id", None)
        if self.carrier is not None and number is not None and hasattr(message, "method"):
            self.carrier.sends(number, metadata)

    def start(self) -> None:
        """Start to carry messages through the streams, once, unless the engine uses the
        transport.
        """
        if self.claim():
            _ByHand(self, self._incoming, self._unsent)

    async def close(self) -> None:
        """Close the transport. May be called more than once; ends in bounded time."""
        self._used = True
        while self._closers:
            await self._closers.pop()()
        for stream in (self._incoming, self._unsent, self.reader, self.writer):
            stream.close()


def reach_of(read_stream: Any, write_stream: Any) -> Reach | None:
    """The transport behind a pair of streams, if they have one and it is unused."""
    reach = getattr(read_stream, "reach", None)
    is_pair = getattr(write_stream, "reach", None) is reach
    return reach if isinstance(reach, Reach) and is_pair and reach.claim() else None


class _ByHand:
    """Carries messages between the streams and the engine's transport."""

    def __init__(
        self,
        reach: Reach,
        incoming: MemoryObjectSendStream[Incoming],
        unsent: MemoryObjectReceiveStream[SessionMessage],
    ) -> None:
        self.context: Context = copy_context()
        self._reach, self._incoming, self._unsent = reach, incoming, unsent
        self._over = Event()
        self._dropped = 0
        self._driver = acquire()
        try:
            self._transport = _mcpbolt.Transport(dumps(reach.target), self._driver.inbox)
        except _mcpbolt.EngineError as error:
            self._driver.release()
            raise from_engine(error) from None
        self._driver.serve(self._transport.id, self)
        reach.opened(self._driver, self._transport.id, self.session_id, self.close)
        self._writing = self._driver.spawn(self._write(), self.context.copy())

    def session_id(self) -> str | None:
        """The session id that the server assigned, if any."""
        return self._transport.describe().get("sessionId")

    async def _write(self) -> None:
        from anyio import ClosedResourceError, EndOfStream

        while True:
            try:
                item = await self._unsent.receive()
            except (EndOfStream, ClosedResourceError):
                self._transport.close()
                return
            try:
                if item.metadata is not None:
                    self._reach.sends(item.message.root, item.metadata)
                self._transport.send(message_text(item))
            except (_mcpbolt.EngineError, ValueError) as error:
                logger.error("A message could not be sent: %s", error)

    def run(self, item: RequestItem) -> Coroutine[Any, Any, None]:
        """Not used: without a session there are no request items."""
        raise NotImplementedError

    def run_sync(self, item: RequestItem) -> Row:
        """Not used: without a session there are no request items."""
        raise NotImplementedError

    def notified(self, item: NotificationItem) -> None:
        """Not used: without a session there are no notification items."""

    def event(self, item: Item) -> None:
        """Handle a message or another item of the transport."""
        kind, _, *members = item
        if kind == "message":
            (text,) = members
            for message in parse(text):
                self._give(message)
        elif kind == "send_failed":
            number, (_, code, words, data) = members
            error = {"code": code, "message": words, **({} if data is None else {"data": data})}
            for message in parse(dumps({"jsonrpc": "2.0", "id": number, "error": error})):
                self._give(message)
        elif kind == "log":
            source, words = members
            if source == "stderr" and self._reach.on_stderr is not None:
                self._reach.on_stderr(words)
            else:
                logger.debug("%s: %s", source, words)
        elif kind == "closed":
            (failure,) = members
            if failure is not None:
                self._give(from_failure(failure))
            self._incoming.close()
            self._over.set()

    def _give(self, message: Incoming) -> None:
        from anyio import BrokenResourceError, ClosedResourceError

        if self._incoming.statistics().current_buffer_used >= MAX_UNREAD and not _is_answer(message):
            self._dropped += 1
            if self._dropped == 1:
                logger.warning("%d messages wait to be read: others than answers are dropped", MAX_UNREAD)
            return
        try:
            self._incoming.send_nowait(message)
        except (BrokenResourceError, ClosedResourceError):
            logger.debug("nobody reads the stream any more")

    async def close(self) -> None:
        """Close the transport and wait for its end."""
        self._transport.close()
        with move_on_after(CLOSE_SECONDS, shield=True):
            await self._over.wait()
        self._writing.cancel()
        self._driver.leave(self._transport.id)
        self._driver.release()


def _is_answer(message: Incoming) -> bool:
    root: Any = getattr(getattr(message, "message", None), "root", None)
    return hasattr(root, "result") or hasattr(root, "error")


def parse(text: str) -> list[Incoming]:
    """Parse a text from the server: its messages, or an exception for each part that is invalid."""
    from ..types import JSONRPCMessage

    try:
        texts = [dumps(part) for part in json.loads(text)] if text.startswith("[") else [text]
    except ValueError as error:
        return [error]
    messages: list[Incoming] = []
    for part in texts:
        try:
            messages.append(SessionMessage(JSONRPCMessage.model_validate_json(part)))
        except ValueError as error:
            messages.append(error)
    return messages


def message_text(message: Any) -> str:
    """A message as JSON text; takes a `SessionMessage`, a bare message, a dictionary or text."""
    inner = getattr(message, "message", message)
    if isinstance(inner, bytes):
        return inner.decode()
    if isinstance(inner, str):
        return inner
    if isinstance(inner, dict):
        return dumps(inner)
    return model_text(inner)


@asynccontextmanager
async def reaching(target: dict[str, Any]) -> AsyncGenerator[tuple[Reader, Writer], None]:
    """The streams of a transport while the context is open."""
    reach = Reach(target)
    try:
        yield reach.reader, reach.writer
    finally:
        await reach.close()
