"""Streamable HTTP for programs that provide streams, a client and a task group themselves, or
subclass the transport.

Owns: the interface of the official package's class, and exceptions of the HTTP client for the
request that they belong to. Must not know: the rules of the transport, which are the engine's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from warnings import warn

from anyio import BrokenResourceError, CancelScope, ClosedResourceError, Event

from .._engine import face
from .._mcpbolt import EventReader
from ._carrier import Carrier, send_within_origin
from ._faults import words_of
from ._reach import Reach, parse

if TYPE_CHECKING:
    from datetime import timedelta

    import httpx
    from anyio.abc import TaskGroup
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import ClientMessageMetadata, SessionMessage
    from ..types import JSONRPCMessage

    StreamWriter: TypeAlias = MemoryObjectSendStream[SessionMessage | Exception]
    StreamReader: TypeAlias = MemoryObjectReceiveStream[SessionMessage]

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")

_UNSET: Any = object()
# The code of the error for requests of a session that is gone.
_GONE = -32600
# What servers answer that have ended a session, or do not let clients end it.
_ENDED = (200, 202, 204, 405)


@dataclass
class RequestContext:
    """A message for the server, and where its answer goes."""

    client: httpx.AsyncClient
    """The HTTP client that sends it."""
    session_id: str | None
    """The session that it belongs to; `None` before there is one."""
    session_message: SessionMessage
    """The message."""
    metadata: ClientMessageMetadata | None
    """What the sender attached to it, if anything."""
    read_stream_writer: StreamWriter
    """Where answers go."""
    headers: dict[str, str] | None = None
    """Further headers for it. Default: none."""
    sse_read_timeout: float | None = None
    """Longest wait for the next event of a stream, in seconds. Default: no limit."""


class _Waiting:
    """A request that waits for its answer."""

    def __init__(self) -> None:
        self.over = Event()
        self.answer: Any = None
        self.fault: Exception | None = None


class StreamableHTTPTransport:
    """One streamable HTTP endpoint. The caller provides streams, HTTP client and tasks.

    `streamable_http_client` does all of this by itself. Exceptions that the HTTP client raises
    for a request come out of the task group.
    """

    def __init__(
        self,
        url: str,
        headers: dict[str, str] | None = _UNSET,
        timeout: float | timedelta = _UNSET,
        sse_read_timeout: float | timedelta = _UNSET,
        auth: httpx.Auth | None = _UNSET,
    ) -> None:
        """Make a transport. Nothing is sent yet.

        Args:
            url: The server's endpoint.
            headers: Deprecated and ignored, like all that follow: set them on the HTTP client.
            timeout: Ignored.
            sse_read_timeout: Ignored.
            auth: Ignored.
        """
        given = {"headers": headers, "timeout": timeout, "sse_read_timeout": sse_read_timeout, "auth": auth}
        named = ", ".join(name for name, value in given.items() if value is not _UNSET)
        if named:
            words = f"{named}: deprecated and will be ignored; give them to the httpx.AsyncClient"
            warn(words, DeprecationWarning, stacklevel=2)
        self.url = url
        self.protocol_version: str | None = None
        """The revision that the handshake agreed on."""
        self._session_id: str | None = None
        self._reach: Reach | None = None
        self._waiting: dict[Any, _Waiting] = {}

    @property
    def session_id(self) -> str | None:
        """The session id that the server assigned, if any."""
        if self._reach is not None:
            self._session_id = self._reach.session_id() or self._session_id
        return self._session_id

    @session_id.setter
    def session_id(self, value: str | None) -> None:
        self._session_id = value

    def get_session_id(self) -> str | None:
        """The session id that the server assigned, if any."""
        return self.session_id

    async def post_writer(
        self,
        client: httpx.AsyncClient,
        write_stream_reader: StreamReader,
        read_stream_writer: StreamWriter,
        write_stream: MemoryObjectSendStream[SessionMessage],
        start_get_stream: Callable[[], None],
        tg: TaskGroup,
    ) -> None:
        """Send everything a session writes until its stream ends, then close the streams.

        Args:
            client: The HTTP client to use.
            write_stream_reader: Yields the session's messages.
            read_stream_writer: Takes the server's messages.
            write_stream: The session's own end of its stream; closed at the end.
            start_get_stream: Called when the handshake is over.
            tg: The task group in which requests wait for their answers.
        """
        carrier = Carrier(client, face.current.gone_code or _GONE, raises=True)
        target = {"url": self.url, "end_session": False, "headers": list(self._headers().items())}
        reach = self._reach = Reach(target, carrier=carrier)
        tg.start_soon(self._receive, reach, read_stream_writer)
        try:
            async with write_stream_reader:
                async for item in write_stream_reader:
                    context = self._context(client, item, read_stream_writer)
                    if self._is_initialized_notification(item.message):
                        start_get_stream()
                    if _number_of(item) is not None:
                        tg.start_soon(self._handle_post_request, context)
                    else:
                        await self._handle_post_request(context)
        except Exception:
            logger.exception("a message could not be sent")
        finally:
            with CancelScope(shield=True):
                await reach.close()
            await read_stream_writer.aclose()
            await write_stream.aclose()

    async def handle_get_stream(self, client: httpx.AsyncClient, read_stream_writer: StreamWriter) -> None:
        """Pass on messages that the server sends on its own, if there is a session.

        Beside `post_writer` there is nothing to do: it passes on these messages too.

        Args:
            client: The HTTP client to use.
            read_stream_writer: Takes the messages.
        """
        if self.session_id is None or self._reach is not None:
            return
        headers = {**self._headers(), "accept": "text/event-stream"}
        response = await send_within_origin(client, "GET", self.url, headers, None)
        try:
            events = EventReader()
            async for part in response.aiter_bytes():
                for event, _, data in events.feed(part):
                    for message in parse(data) if event == "message" and data and response.is_success else ():
                        await _give(read_stream_writer, message)
        finally:
            await response.aclose()

    async def terminate_session(self, client: httpx.AsyncClient) -> None:
        """Tell the server that the session is over, if there is one.

        Args:
            client: The HTTP client to use.
        """
        if self.session_id is None:
            return
        try:
            response = await client.delete(self.url, headers=self._headers())
            if response.status_code not in _ENDED:
                logger.warning("Session termination failed: %s", response.status_code)
        except Exception as error:
            logger.warning("Session termination failed: %s", error)

    def _headers(self) -> dict[str, str]:
        """The headers by which the server knows the session."""
        known = {"mcp-session-id": self.session_id, "mcp-protocol-version": self.protocol_version}
        return {name: value for name, value in known.items() if value is not None}

    async def _receive(self, reach: Reach, read_stream_writer: StreamWriter) -> None:
        """Pass on the server's messages, and wake the requests that they answer."""
        with reach.reader, suppress(ClosedResourceError):
            async for message in reach.reader:
                root: Any = getattr(getattr(message, "message", None), "root", None)
                is_answer = hasattr(root, "id") and not hasattr(root, "method")
                waiting = self._waiting.pop(root.id, None) if is_answer else None
                if waiting is not None:
                    waiting.answer = root
                    waiting.over.set()
                    error = getattr(root, "error", None)
                    if error is not None and reach.fault and error.message == words_of(reach.fault, self.url):
                        waiting.fault = reach.fault
                        continue
                await _give(read_stream_writer, message)

    # Methods that subclasses override.

    async def _handle_post_request(self, ctx: RequestContext) -> None:
        assert self._reach is not None
        number = _number_of(ctx.session_message)
        if number is None:
            await self._reach.writer.send(ctx.session_message)
            return
        waiting = self._waiting[number] = _Waiting()
        await self._reach.writer.send(ctx.session_message)
        await waiting.over.wait()
        if waiting.fault is not None:
            raise waiting.fault
        if self._is_initialization_request(ctx.session_message.message):
            agreed: dict[str, Any] = getattr(waiting.answer, "result", None) or {}
            self.protocol_version = agreed.get("protocolVersion")

    def _is_initialization_request(self, message: JSONRPCMessage) -> bool:
        return hasattr(message.root, "id") and getattr(message.root, "method", None) == "initialize"

    def _is_initialized_notification(self, message: JSONRPCMessage) -> bool:
        return getattr(message.root, "method", None) == "notifications/initialized"

    def _context(
        self, client: httpx.AsyncClient, item: SessionMessage, read_stream_writer: StreamWriter
    ) -> RequestContext:
        # Avoids importing a module of models: only metadata with a token matters here.
        metadata: Any = item.metadata if hasattr(item.metadata, "resumption_token") else None
        return RequestContext(client, self.session_id, item, metadata, read_stream_writer)


def _number_of(item: SessionMessage) -> Any:
    """The id of a request; `None` for other messages."""
    root: Any = item.message.root
    return getattr(root, "id", None) if hasattr(root, "method") else None


async def _give(stream: StreamWriter, message: Any) -> None:
    """Send a message into a stream that may have no reader any more."""
    try:
        await stream.send(message)
    except (BrokenResourceError, ClosedResourceError):
        logger.debug("nobody reads the stream any more")
