"""The older HTTP transport: an event stream to the client, POST requests from it.

Deprecated by the protocol since 2025-03-26; kept for clients that support nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing
from contextvars import copy_context
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from uuid import UUID, uuid4

from starlette.requests import Request
from starlette.responses import Response

from .._engine import face
from .._engine.life import ended, start
from ..shared.message import SessionMessage
from ._asgi import Receive, Scope, Send, is_too_large, principal_of, read_body
from ._carried import Carried
from ._requests import with_body
from .transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, TransportSecurityMiddleware

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from .transport_security import TransportSecuritySettings

logger: logging.Logger = logging.getLogger("mcp.server.sse")

KEEP_ALIVE_SECONDS = 15.0


class SseServerTransport:
    """The older transport, HTTP+SSE, as two ASGI applications: `connect_sse` opens sessions,
    `handle_post_message` takes messages for them.

    Args:
        endpoint: The path to which clients send messages, such as `/messages/`, below the path at
            which the application is mounted.
        security_settings: Which `Host` and `Origin` headers are allowed. Default: all.
        max_request_body_size: The largest message that is accepted, in bytes; larger ones get
            status 413. Default: 4 MiB.

    .. deprecated:: 2025-03-26
       HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
       streamable HTTP.
    """

    def __init__(
        self,
        endpoint: str,
        security_settings: TransportSecuritySettings | None = None,
        max_request_body_size: int = DEFAULT_MAX_REQUEST_BODY_SIZE,
    ) -> None:
        if max_request_body_size <= 0:
            raise ValueError("max_request_body_size must be a positive number of bytes")
        if "://" in endpoint or endpoint.startswith("//") or "?" in endpoint or "#" in endpoint:
            raise ValueError(
                f"Given endpoint: {endpoint} is not a relative path (e.g., '/messages/'), "
                "expecting a relative path (e.g., '/messages/')."
            )
        self._endpoint = "/" + endpoint.lstrip("/")
        self._security = TransportSecurityMiddleware(security_settings)
        self._max_body = max_request_body_size
        # The streams for incoming messages. Third-party transports that handle the POST
        # requests themselves access this member.
        self._read_stream_writers: dict[UUID, MemoryObjectSendStream[Any]] = {}
        # The authenticated user that each session belongs to.
        self._principals: dict[UUID, str | None] = {}

    @asynccontextmanager
    async def connect_sse(
        self, scope: Scope, receive: Receive, send: Send
    ) -> AsyncGenerator[tuple[MemoryObjectReceiveStream[Any], MemoryObjectSendStream[SessionMessage]], None]:
        """Open a session; yields streams for `Server.run` until either side disconnects.

        Args:
            scope: The ASGI scope.
            receive: The ASGI function that receives.
            send: The ASGI function that sends.

        Raises:
            ValueError: The request may not open a session. It has been answered already.
        """
        from anyio import create_memory_object_stream

        if scope["type"] != "http":
            raise ValueError("connect_sse can only handle HTTP requests")
        refused = await self._security.validate_request(Request(scope, receive))
        if refused is not None:
            await refused(scope, receive, send)
            raise ValueError("Request validation failed")
        sender, reader = create_memory_object_stream[Any](16)
        writer, unsent = create_memory_object_stream[SessionMessage](16)
        session = uuid4()
        self._read_stream_writers[session], self._principals[session] = sender, principal_of(scope)
        path = quote(scope.get("root_path", "").rstrip("/") + self._endpoint)
        left: list[bool] = []

        async def watch() -> None:
            # Without a client there is nothing more to receive.
            with closing(sender):
                await _wait_until_gone(receive)
                left.append(True)

        async def tell() -> None:
            with closing(sender):
                await _send_events(send, f"{path}?session_id={session.hex}", unsent)

        stream, gone = start(tell()), start(watch())
        try:
            yield reader, writer
        finally:
            del self._read_stream_writers[session], self._principals[session]
            gone.cancel()
            writer.close()
            if left:
                stream.cancel()
            await ended(stream, gone)
            for end in (sender, reader, unsent):
                end.close()

    async def handle_post_message(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one POST request with a message for a session.

        Args:
            scope: The ASGI scope.
            receive: The ASGI function that receives.
            send: The ASGI function that sends.
        """
        taken = await self._take(scope, receive)
        if isinstance(taken, Response):
            await taken(scope, receive, send)
            return
        accepted = Response("Accepted", status_code=202)
        if face.current.answers_first:
            await accepted(scope, receive, send)
            await _deliver(*taken)
        else:
            found = await _deliver(*taken)
            response = accepted if found else Response("Could not find session", status_code=404)
            await response(scope, receive, send)

    async def _take(
        self, scope: Scope, receive: Receive
    ) -> Response | tuple[MemoryObjectSendStream[Any], SessionMessage]:
        if scope["method"] != "POST":
            return Response(status_code=405, headers={"Allow": "POST"})
        if is_too_large(scope, self._max_body):
            return Response("Request body too large", status_code=413)
        request = Request(scope, receive)
        refused = await self._security.validate_request(request, is_post=True)
        if refused is not None:
            return refused
        body = await read_body(receive, self._max_body) if face.current.reads_first else b""
        if body is None:
            return Response("Request body too large", status_code=413)
        found = self._session_of(request)
        if isinstance(found, Response):
            return found
        if not face.current.reads_first:
            body = await read_body(receive, self._max_body)
        if body is None:
            return Response("Request body too large", status_code=413)
        message = _parse(body)
        if message is None:
            return Response("Could not parse message", status_code=400)
        return found, SessionMessage(message, Carried(request_context=with_body(request, body), context=copy_context()))

    def _session_of(self, request: Request) -> MemoryObjectSendStream[Any] | Response:
        text = request.query_params.get("session_id")
        if text is None:
            return Response("session_id is required", status_code=400)
        try:
            session = UUID(hex=text)
        except ValueError:
            return Response("Invalid session ID", status_code=400)
        found = self._read_stream_writers.get(session)
        if found is None or self._principals.get(session) != principal_of(request.scope):
            # The session of another user is treated like one that does not exist.
            return Response("Could not find session", status_code=404)
        return found


async def _deliver(session: MemoryObjectSendStream[Any], message: SessionMessage) -> bool:
    """Hand a message to its session; returns whether the session still takes any."""
    from anyio import BrokenResourceError, ClosedResourceError

    try:
        await session.send(message)
    except (BrokenResourceError, ClosedResourceError):
        return False
    return True


def _parse(body: bytes) -> Any:
    from ..types import JSONRPCMessage

    try:
        return JSONRPCMessage.model_validate_json(body)
    except ValueError:
        logger.warning("A message could not be read")
        return None


async def _wait_until_gone(receive: Receive) -> None:
    from anyio.lowlevel import checkpoint

    while (await receive())["type"] != "http.disconnect":
        await checkpoint()


async def _send_events(send: Send, endpoint: str, unsent: MemoryObjectReceiveStream[SessionMessage]) -> None:
    from anyio import EndOfStream, move_on_after

    headers = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await _event(send, f"event: endpoint\r\ndata: {endpoint}\r\n\r\n")
    try:
        while True:
            item: Any = None
            with move_on_after(KEEP_ALIVE_SECONDS):
                item = await unsent.receive()
            if item is None:
                await _event(send, ": ping\r\n\r\n")
                continue
            text = item.message.model_dump_json(by_alias=True, exclude_none=True)
            await _event(send, f"event: message\r\ndata: {text}\r\n\r\n")
    except EndOfStream:
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _event(send: Send, text: str) -> None:
    await send({"type": "http.response.body", "body": text.encode(), "more_body": True})
