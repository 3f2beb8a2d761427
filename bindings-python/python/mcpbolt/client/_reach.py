"""Ways to a server that show themselves as a pair of streams.

Owns: who uses such a way. Given to a `ClientSession` untouched, the engine takes it and
nothing of the streams runs. Read or written by a program, messages come and go here.
Must not know: how a server is reached; that is the engine's target.
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
from .._json import dumps, model_text
from .._switches import switches
from ..shared.exceptions import from_engine, from_failure
from ..shared.message import SessionMessage
from ._acquire import acquire

if TYPE_CHECKING:
    from .._loop import Item, Row

logger: logging.Logger = logging.getLogger("client")

# Longest wait for a server that should go; the engine gives up before.
CLOSE_SECONDS = 20.0

# In the engine's words for an endpoint that is not there.
_GONE = "HTTP status 404"

Incoming = Any
Closer = Callable[[], Coroutine[Any, Any, None]]


class Reader(MemoryObjectReceiveStream[Incoming]):
    """What the server says."""

    reach: Reach | None = None

    def receive_nowait(self) -> Incoming:
        """As the base's; the first use opens the way."""
        if self.reach is not None:
            self.reach.start()
        return super().receive_nowait()


class Writer(MemoryObjectSendStream[SessionMessage]):
    """What goes to the server."""

    reach: Reach | None = None

    def send_nowait(self, item: SessionMessage) -> None:
        """As the base's; the first use opens the way."""
        if self.reach is not None:
            self.reach.start()
        super().send_nowait(item)


class Reach:
    """A way to one server, and the session or streams that use it."""

    def __init__(self, target: dict[str, Any], on_stderr: Callable[[str], None] | None = None) -> None:
        self.target = target
        self.on_stderr = on_stderr
        self.session_id: Callable[[], str | None] = lambda: None
        # What the handshake failed with.
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

    def claim(self) -> bool:
        """Whether the caller may have it, because it was not used before."""
        used, self._used = self._used, True
        return not used

    def refused(self, failure: Any) -> Any:
        """Note why the handshake failed, and return what the caller is told."""
        is_gone = failure[0] == "transport" and _GONE in failure[2]
        if switches.official and is_gone and self.target.get("transport") != "sse":
            # There this is an answer, whatever was asked, and leaves the transport whole.
            return ("peer", 32600, "Session terminated", None)
        self.refusal = from_failure(failure)
        return failure

    def on_close(self, closer: Closer) -> None:
        """What has to end when the way does."""
        self._closers.append(closer)

    def start(self) -> None:
        """Carry messages through the streams, once; not if the engine has it."""
        if self.claim():
            hand = _ByHand(self, self._incoming, self._unsent)
            self.session_id = hand.session_id
            self.on_close(hand.close)

    async def close(self) -> None:
        """End the session or streams that use it. Idempotent, bounded."""
        self._used = True
        while self._closers:
            await self._closers.pop()()
        for stream in (self._incoming, self._unsent, self.reader, self.writer):
            stream.close()


def reach_of(read_stream: Any, write_stream: Any) -> Reach | None:
    """The way behind a pair of streams, if it is one and unused."""
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
        self._driver = acquire()
        try:
            self._transport = _mcpbolt.Transport(dumps(reach.target), self._driver.inbox)
        except _mcpbolt.EngineError as error:
            self._driver.release()
            raise from_engine(error) from None
        self._driver.serve(self._transport.id, self)
        self._writing = self._driver.spawn(self._write(), self.context.copy())

    def session_id(self) -> str | None:
        """What the server called the session."""
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
                self._transport.send(message_text(item))
            except (_mcpbolt.EngineError, ValueError) as error:
                logger.error("A message could not be sent: %s", error)

    def run(self, item: Item) -> Coroutine[Any, Any, None]:
        """No requests come without a session."""
        raise NotImplementedError

    def run_sync(self, item: Item) -> Row:
        """No requests come without a session."""
        raise NotImplementedError

    def notified(self, item: Item) -> None:
        """No notifications come without a session."""

    def event(self, item: Item) -> None:
        """Take a message, or what else comes of the transport."""
        kind = item[0]
        if kind == "message":
            for message in parse(item[2]):
                self._give(message)
        elif kind == "send_failed":
            _, code, words, data = item[3]
            error = {"code": code, "message": words, **({} if data is None else {"data": data})}
            for message in parse(dumps({"jsonrpc": "2.0", "id": item[2], "error": error})):
                self._give(message)
        elif kind == "log":
            if item[2] == "stderr" and self._reach.on_stderr is not None:
                self._reach.on_stderr(item[3])
            else:
                logger.debug("%s: %s", item[2], item[3])
        elif kind == "closed":
            if item[2] is not None:
                self._give(from_failure(item[2]))
            self._incoming.close()
            self._over.set()

    def _give(self, message: Incoming) -> None:
        from anyio import BrokenResourceError, ClosedResourceError

        try:
            self._incoming.send_nowait(message)
        except (BrokenResourceError, ClosedResourceError):
            logger.debug("nobody reads the stream any more")

    async def close(self) -> None:
        """End the transport and wait for its end."""
        self._transport.close()
        with move_on_after(CLOSE_SECONDS, shield=True):
            await self._over.wait()
        self._writing.cancel()
        self._driver.leave(self._transport.id)
        self._driver.release()


def parse(text: str) -> list[Incoming]:
    """The messages in a text of the server, or the exception for text that holds none."""
    from ..types import JSONRPCMessage

    texts = [dumps(part) for part in json.loads(text)] if text.startswith("[") else [text]
    messages: list[Incoming] = []
    for part in texts:
        try:
            messages.append(SessionMessage(JSONRPCMessage.model_validate_json(part)))
        except ValueError as error:
            messages.append(error)
    return messages


def message_text(message: Any) -> str:
    """A message as JSON: a `SessionMessage`, a bare message, a dictionary or text."""
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
    """The streams of a way, for as long as they are wanted."""
    reach = Reach(target)
    try:
        yield reach.reader, reach.writer
    finally:
        await reach.close()
