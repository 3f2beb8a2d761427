"""A message on its way between a transport and a session, with what the transport knows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from ..types import JSONRPCMessage, RequestId

ResumptionToken = str
ResumptionTokenUpdateCallback = Callable[[ResumptionToken], Awaitable[None]]
# Ends a stream of events without ending its session.
CloseSSEStreamCallback = Callable[[], Awaitable[None]]


@dataclass
class ClientMessageMetadata:
    """Metadata of a message that a client sends."""

    resumption_token: ResumptionToken | None = None
    on_resumption_token_update: ResumptionTokenUpdateCallback | None = None


@dataclass
class ServerMessageMetadata:
    """Metadata of a message to or from a server."""

    # The request a message belongs to: where a transport has several streams, it goes there.
    related_request_id: RequestId | None = None
    # What the transport has of the request: with Starlette, its `Request`.
    request_context: object | None = None
    close_sse_stream: CloseSSEStreamCallback | None = None
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None


MessageMetadata = Union[ClientMessageMetadata, ServerMessageMetadata, None]


@dataclass
class SessionMessage:
    """A message and its metadata."""

    message: JSONRPCMessage
    metadata: MessageMetadata = None
