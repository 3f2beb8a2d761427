"""Streamable HTTP for programs that bring streams, a client and a task group of their own,
or change what the transport does by a subclass.

Owns: the shape the official package's class has. What goes over the wire is `_exchange`'s.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias
from warnings import warn

from anyio import BrokenResourceError, ClosedResourceError

from ._exchange import Exchange, Give
from ._reach import parse

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


@dataclass
class RequestContext:
    """A message on its way to the server, and where the answer goes."""

    client: httpx.AsyncClient
    session_id: str | None
    session_message: SessionMessage
    metadata: ClientMessageMetadata | None
    read_stream_writer: StreamWriter
    headers: dict[str, str] | None = None
    sse_read_timeout: float | None = None


class StreamableHTTPTransport:
    """One endpoint of streamable HTTP; streams, client and tasks are the caller's.

    `streamable_http_client` does all of this by itself. What the client raises for a
    request comes out of the task group.
    """

    def __init__(
        self,
        url: str,
        headers: dict[str, str] | None = _UNSET,
        timeout: float | timedelta = _UNSET,
        sse_read_timeout: float | timedelta = _UNSET,
        auth: httpx.Auth | None = _UNSET,
    ) -> None:
        """A transport that has sent nothing yet.

        Args:
            url: The endpoint.
            headers: Deprecated and without effect, like all that follow: they belong to the client.
            timeout: Without effect.
            sse_read_timeout: Without effect.
            auth: Without effect.
        """
        given = {"headers": headers, "timeout": timeout, "sse_read_timeout": sse_read_timeout, "auth": auth}
        named = ", ".join(name for name, value in given.items() if value is not _UNSET)
        if named:
            words = f"{named}: deprecated and will be ignored; give them to the httpx.AsyncClient"
            warn(words, DeprecationWarning, stacklevel=2)
        self.url = url
        self._endpoint = Exchange(url)

    @property
    def session_id(self) -> str | None:
        """What the server called the session."""
        return self._endpoint.session_id

    @session_id.setter
    def session_id(self, value: str | None) -> None:
        self._endpoint.session_id = value

    @property
    def protocol_version(self) -> str | None:
        """The revision the handshake ended with."""
        return self._endpoint.protocol_version

    @protocol_version.setter
    def protocol_version(self, value: str | None) -> None:
        self._endpoint.protocol_version = value

    def get_session_id(self) -> str | None:
        """What the server called the session."""
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
        """Send what a session writes until it ends; then close its streams.

        Args:
            client: What requests go through.
            write_stream_reader: Where the session's messages come out.
            read_stream_writer: Where the server's go in.
            write_stream: The session's own end, closed at last.
            start_get_stream: Called when the handshake is over.
            tg: Requests wait for their answers in it.
        """
        try:
            async with write_stream_reader:
                async for item in write_stream_reader:
                    context = self._context(client, item, read_stream_writer)
                    if self._is_initialized_notification(item.message):
                        start_get_stream()
                    root = item.message.root
                    if hasattr(root, "method") and hasattr(root, "id"):
                        tg.start_soon(self._handle_post_request, context)
                    else:
                        await self._handle_post_request(context)
        except Exception:
            logger.exception("a message could not be sent")
        finally:
            await read_stream_writer.aclose()
            await write_stream.aclose()

    async def handle_get_stream(self, client: httpx.AsyncClient, read_stream_writer: StreamWriter) -> None:
        """Listen to what the server says on its own, if there is a session.

        Args:
            client: What requests go through.
            read_stream_writer: Where the messages go.
        """
        if self.session_id:
            await self._endpoint.listen(client, _into(read_stream_writer))

    async def terminate_session(self, client: httpx.AsyncClient) -> None:
        """Tell the server that the session is over, if there is one.

        Args:
            client: What the request goes through.
        """
        await self._endpoint.end(client)

    # What subclasses change.

    async def _handle_post_request(self, ctx: RequestContext) -> None:
        root = ctx.session_message.message.root
        try:
            await self._endpoint.post(ctx.client, ctx.session_message, _into(ctx.read_stream_writer))
        except Exception as error:
            # The session is over: the next request will be told.
            gone = getattr(getattr(error, "response", None), "status_code", None) == 404
            if not gone or (hasattr(root, "method") and hasattr(root, "id")):
                raise

    def _is_initialization_request(self, message: JSONRPCMessage) -> bool:
        return hasattr(message.root, "id") and getattr(message.root, "method", None) == "initialize"

    def _is_initialized_notification(self, message: JSONRPCMessage) -> bool:
        return getattr(message.root, "method", None) == "notifications/initialized"

    def _context(
        self, client: httpx.AsyncClient, item: SessionMessage, read_stream_writer: StreamWriter
    ) -> RequestContext:
        # A module of models is not loaded for this: only what has a token is of that kind.
        metadata: Any = item.metadata if hasattr(item.metadata, "resumption_token") else None
        return RequestContext(client, self.session_id, item, metadata, read_stream_writer)


def _into(stream: StreamWriter) -> Give:
    """Takes messages for a stream that may no longer be read."""

    async def give(text: str) -> None:
        for message in parse(text):
            try:
                await stream.send(message)
            except (BrokenResourceError, ClosedResourceError):
                logger.debug("nobody reads the stream any more")

    return give
