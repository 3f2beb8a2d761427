"""A message on its way between a transport and a session, with data about it from the transport."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from ..types import JSONRPCMessage, RequestId

ResumptionToken = str
ResumptionTokenUpdateCallback = Callable[[ResumptionToken], Awaitable[None]]
# Ends an event stream without ending its session.
CloseSSEStreamCallback = Callable[[], Awaitable[None]]


@dataclass
class ClientMessageMetadata:
    """Data that a client may attach to a message it sends."""

    resumption_token: ResumptionToken | None = None
    """The place at which to resume a stream that ended. Default: none."""
    on_resumption_token_update: ResumptionTokenUpdateCallback | None = None
    """Called with each new place at which the stream can be resumed. Default: none."""
    headers: dict[str, str] | None = None
    """Headers that go with the message over HTTP. Default: none."""


@dataclass
class ServerMessageMetadata:
    """Data that a transport may attach to a message for a server, and a server to its own
    messages.
    """

    related_request_id: RequestId | None = None
    """The id of the request that the message belongs to; transports with several streams send the
    message on that of the request. Default: none.
    """
    request_context: object | None = None
    """The Starlette `Request` over HTTP; `None` on other transports."""
    close_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the event stream of the request; `None` where there is none."""
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the client's event stream that belongs to no request; `None` where there is none."""


MessageMetadata = Union[ClientMessageMetadata, ServerMessageMetadata, None]


@dataclass
class SessionMessage:
    """A message and its metadata."""

    message: JSONRPCMessage
    """The message."""
    metadata: MessageMetadata = None
    """The metadata of the message. Default: none."""
