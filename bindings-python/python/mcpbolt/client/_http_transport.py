"""Streamable HTTP for programs that provide streams, a client and a task group themselves, or
subclass the transport.

Owns: the interface of the official package's class. The HTTP exchanges are in `_exchange`.
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
    """A message for the server, and where its answer goes."""

    client: httpx.AsyncClient
    session_id: str | None
    session_message: SessionMessage
    metadata: ClientMessageMetadata | None
    read_stream_writer: StreamWriter
    headers: dict[str, str] | None = None
    sse_read_timeout: float | None = None


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
        self._endpoint = Exchange(url)

    @property
    def session_id(self) -> str | None:
        """The session id that the server assigned, if any."""
        return self._endpoint.session_id

    @session_id.setter
    def session_id(self, value: str | None) -> None:
        self._endpoint.session_id = value

    @property
    def protocol_version(self) -> str | None:
        """The revision that the handshake agreed on."""
        return self._endpoint.protocol_version

    @protocol_version.setter
    def protocol_version(self, value: str | None) -> None:
        self._endpoint.protocol_version = value

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
        """Pass on messages that the server sends on its own, if there is a session.

        Args:
            client: The HTTP client to use.
            read_stream_writer: Takes the messages.
        """
        if self.session_id:
            await self._endpoint.listen(client, _into(read_stream_writer))

    async def terminate_session(self, client: httpx.AsyncClient) -> None:
        """Tell the server that the session is over, if there is one.

        Args:
            client: The HTTP client to use.
        """
        await self._endpoint.end(client)

    # Methods that subclasses override.

    async def _handle_post_request(self, ctx: RequestContext) -> None:
        root = ctx.session_message.message.root
        try:
            await self._endpoint.post(ctx.client, ctx.session_message, _into(ctx.read_stream_writer))
        except Exception as error:
            # The session is over; the next request gets an error that says so.
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
        # Avoids importing a module of models: only metadata with a token matters here.
        metadata: Any = item.metadata if hasattr(item.metadata, "resumption_token") else None
        return RequestContext(client, self.session_id, item, metadata, read_stream_writer)


def _into(stream: StreamWriter) -> Give:
    """Sends messages into a stream that may have no reader any more."""

    async def give(text: str) -> None:
        for message in parse(text):
            try:
                await stream.send(message)
            except (BrokenResourceError, ClosedResourceError):
                logger.debug("nobody reads the stream any more")

    return give
