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
    on_resumption_token_update: ResumptionTokenUpdateCallback | None = None
    # Headers that go with the message over HTTP.
    headers: dict[str, str] | None = None


@dataclass
class ServerMessageMetadata:
    """Data that a transport may attach to a message for a server, and a server to its own
    messages.
    """

    # The request that a message belongs to. Transports with several streams send it on that of
    # the request.
    related_request_id: RequestId | None = None
    # What the transport knows of the request: over HTTP a Starlette `Request`.
    request_context: object | None = None
    close_sse_stream: CloseSSEStreamCallback | None = None
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None


MessageMetadata = Union[ClientMessageMetadata, ServerMessageMetadata, None]


@dataclass
class SessionMessage:
    """A message and its metadata."""

    message: JSONRPCMessage
    metadata: MessageMetadata = None
