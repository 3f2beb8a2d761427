"""One HTTP session that a program manages itself, and the store for resumable event streams."""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from anyio import CancelScope, current_time

from .._engine import face
from .._engine.json import dumps
from .._engine.life import event
from ._asgi import Headers, Receive, Scope, Send, bounded_body, plain
from ._endpoint import Endpoint
from ._stream_options import FOREVER, response_mode, stream_manners
from .transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, refusal

if TYPE_CHECKING:
    import asyncio

    from .._engine.registry import Registry
    from ..types import JSONRPCMessage, RequestId
    from .models import InitializationOptions
    from .transport_security import TransportSecuritySettings

MCP_SESSION_ID_HEADER = "mcp-session-id"
MCP_PROTOCOL_VERSION_HEADER = "mcp-protocol-version"
LAST_EVENT_ID_HEADER = "last-event-id"
CONTENT_TYPE_JSON = "application/json"
CONTENT_TYPE_SSE = "text/event-stream"
# The code that 2.x answers a cancelled request with on a connection of the legacy era.
REQUEST_CANCELLED = -32800
# The characters that a session id may have.
SESSION_ID_PATTERN = re.compile(r"^[\x21-\x7E]+$")

StreamId = str
EventId = str


def check_accept_headers(request: Any) -> tuple[bool, bool]:
    """Whether the `Accept` header of a Starlette request allows JSON, and event streams (2.x).

    Args:
        request: The Starlette request.
    """
    given = {part.partition(";")[0].strip().lower() for part in request.headers.get("accept", "").split(",")}
    return (
        bool(given & {"*/*", "application/*", CONTENT_TYPE_JSON}),
        bool(given & {"*/*", "text/*", CONTENT_TYPE_SSE}),
    )


@dataclass
class EventMessage:
    """A message of a stream that is sent again."""

    message: JSONRPCMessage
    """The message."""
    event_id: EventId | None = None
    """The id of the event. Default: none."""


EventCallback = Callable[[EventMessage], Awaitable[None]]


class EventStore(ABC):
    """Stores the messages of event streams, so that clients which reconnect get what they
    missed.
    """

    @abstractmethod
    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Store a message; returns the id of the event, unique among all streams.

        Args:
            stream_id: The stream that the event belongs to.
            message: The message; `None` for the event that starts a stream.
        """

    @abstractmethod
    async def replay_events_after(self, last_event_id: EventId, send_callback: EventCallback) -> StreamId | None:
        """Send all events of the same stream after the given one. Returns the id of the stream;
        `None` if the event is unknown.

        Args:
            last_event_id: The id of the last event that the client got.
            send_callback: Async function to call with each event.
        """


_SESSION = MCP_SESSION_ID_HEADER.encode()


class StreamableHTTPServerTransport:
    """One HTTP session that the program manages itself or, without a session id, a server without
    sessions. `StreamableHTTPSessionManager` manages sessions for you.

    `connect` yields the streams for `Server.run`. They only stand for the engine: nothing can be
    read from or written to them.

    Args:
        mcp_session_id: The id of the session, of visible ASCII characters; `None` for a server
            without sessions.
        is_json_response_enabled: Whether every answer is one JSON object; progress and log messages
            of a request are then not sent. Default: no: an answer becomes an event stream when
            something precedes the result.
        event_store: Stores the messages of streams, so that clients that reconnect get what they
            missed. Default: the engine keeps up to 1000 messages and 1 MiB for each session, in
            memory.
        security_settings: Which `Host` and `Origin` headers are allowed. Default: all.
        retry_interval: How many milliseconds clients should wait before they reconnect to a stream
            that ended. Default: 1000.
        idle_timeout: After how many seconds without a request the session ends, a positive number;
            `None`, the default, for never.
    """

    MCP_SESSION_ID_HEADER: ClassVar[str] = MCP_SESSION_ID_HEADER

    def __init__(
        self,
        mcp_session_id: str | None,
        is_json_response_enabled: bool = False,
        event_store: EventStore | None = None,
        security_settings: TransportSecuritySettings | None = None,
        retry_interval: int | None = None,
        idle_timeout: float | None = None,
    ) -> None:
        if mcp_session_id is not None and not SESSION_ID_PATTERN.fullmatch(mcp_session_id):
            raise ValueError("Session ID must only contain visible ASCII characters (0x21-0x7E)")
        if idle_timeout is not None and not (math.isfinite(idle_timeout) and idle_timeout > 0):
            raise ValueError("idle_timeout must be a positive, finite number of seconds")
        self.mcp_session_id = mcp_session_id
        self.is_json_response_enabled = is_json_response_enabled
        self.event_store = event_store
        self.retry_interval = retry_interval
        self.idle_timeout = idle_timeout
        self._security = security_settings
        self._terminated = False
        self.idle_scope: CancelScope | None = None
        """Made by `connect` if there is an `idle_timeout`; cancelled when no request has been in
        flight for that long.
        """
        self._in_flight = 0
        self._stop: asyncio.Event | None = None
        # Set once it is connected: whether `Server.run` has begun, and the endpoint that it
        # started.
        self._attached: asyncio.Event | None = None
        self._endpoint: Endpoint | None = None
        # The engine's own session id.
        self._inner: bytes | None = None

    @property
    def is_terminated(self) -> bool:
        """Whether the session is over."""
        return self._terminated

    @asynccontextmanager
    async def connect(self) -> AsyncGenerator[tuple[Any, Any], None]:
        """Yield the streams for `Server.run`. The session ends when the context is left, or with
        `terminate`.
        """
        self._stop, self._attached = event(), event()
        if self.idle_timeout is not None:
            self.idle_scope = CancelScope()
        link = _Link(self)
        try:
            yield link, link
        finally:
            self._attached.set()
            await self.terminate()

    async def attach(self, server: Registry, about: InitializationOptions) -> None:
        """Serve until the transport is terminated.

        Args:
            server: The server.
            about: The description of the server.
        """
        assert self._attached is not None and self._stop is not None
        options: dict[str, Any] = {
            "sessions": "none" if self.mcp_session_id is None else "stateful",
            "response": response_mode(self.is_json_response_enabled),
            **stream_manners(),
        }
        if self.event_store is not None:
            options["event_store"] = True
        if self.retry_interval is not None:
            options["retry_ms"] = self.retry_interval
        # Its idle time is the scope's, if it has one.
        engine = {"max_sessions": 1, "session_idle": FOREVER}
        self._endpoint = Endpoint(server, options, engine, about, self.event_store)
        self._attached.set()
        try:
            await self._endpoint.started()
            await self._stop.wait()
        finally:
            await self._endpoint.close()

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request.

        Args:
            scope: The ASGI scope.
            receive: The ASGI function that receives.
            send: The ASGI function that sends.
        """
        idle, seconds = self.idle_scope, self.idle_timeout
        if idle is None or seconds is None:
            await self._handle(scope, receive, send)
            return
        if idle.cancel_called:
            # The program is ending the session.
            await self.terminate()
        self._in_flight += 1
        idle.deadline = math.inf
        try:
            await self._handle(scope, receive, send)
        finally:
            self._in_flight -= 1
            if not self._in_flight:
                idle.deadline = current_time() + seconds

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers: Headers = list(scope["headers"])
        texts = {name: value.decode("latin-1") for name, value in reversed(headers)}
        refused = refusal(self._security, texts.get(b"host"), texts.get(b"origin"))
        if refused is not None:
            await plain(send, *refused)
            return
        if self._terminated or self._attached is None:
            await self._refuse(send)
            return
        body = await bounded_body(scope, receive, send, DEFAULT_MAX_REQUEST_BODY_SIZE)
        if body is None:
            return
        await self._attached.wait()
        if self._endpoint is None:
            await self._refuse(send)
            return
        await self._endpoint.handle(scope, receive, send, body, self._inward(headers), self._outward)
        if scope["method"] == "DELETE" and self.mcp_session_id is not None:
            await self.terminate()

    async def _refuse(self, send: Send) -> None:
        words = "Not Found: Session has been terminated"
        if face.current.own_words:
            await plain(send, 404, words)
            return
        error = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": words}}
        headers = [(b"content-type", CONTENT_TYPE_JSON.encode())]
        if self.mcp_session_id is not None:
            headers.append((_SESSION, self.mcp_session_id.encode()))
        await send({"type": "http.response.start", "status": 404, "headers": headers})
        await send({"type": "http.response.body", "body": dumps(error).encode()})

    def _inward(self, headers: Headers) -> Headers:
        """Replace the session id of a request by the engine's own."""
        if self._inner is None or self.mcp_session_id is None:
            return headers
        known = self.mcp_session_id.encode()
        return [(name, self._inner if name == _SESSION and value == known else value) for name, value in headers]

    def _outward(self, headers: Headers) -> Headers:
        if self.mcp_session_id is None:
            return headers
        for name, value in headers:
            if name == _SESSION:
                self._inner = value
        return [(name, self.mcp_session_id.encode() if name == _SESSION else value) for name, value in headers]

    async def terminate(self) -> None:
        """End the session: running calls are cancelled, new requests are answered with 404."""
        self._terminated = True
        if self._stop is not None:
            self._stop.set()

    def close_sse_stream(self, request_id: RequestId) -> None:
        """Do nothing: the engine ends streams by itself.

        Args:
            request_id: The id of the request.
        """

    def close_standalone_sse_stream(self) -> None:
        """Do nothing: the engine ends streams by itself."""


class _Link:
    """What `Server.run` is given in place of streams."""

    def __init__(self, transport: StreamableHTTPServerTransport) -> None:
        self.attach = transport.attach

    async def aclose(self) -> None:
        """Do nothing: there is nothing to close."""
