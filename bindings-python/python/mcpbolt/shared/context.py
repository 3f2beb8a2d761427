"""What a handler knows about the request that it answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from .._generics import Lenient, TypeVar

if TYPE_CHECKING:
    from ..types import RequestId, RequestParams
    from .message import CloseSSEStreamCallback
    from .session import BaseSession

SessionT = TypeVar("SessionT", bound="BaseSession[Any, Any, Any, Any, Any]")
LifespanContextT = TypeVar("LifespanContextT")
RequestT = TypeVar("RequestT", default=Any)


@dataclass
class RequestContext(Lenient, Generic[SessionT, LifespanContextT, RequestT]):
    """The request being answered, its session, and the value that the server's lifespan yielded."""

    request_id: RequestId
    """The id that the peer gave the request."""
    meta: RequestParams.Meta | None
    """The request's `_meta`; `None` without one."""
    session: SessionT
    """The session that the request came on."""
    lifespan_context: LifespanContextT
    """The value that the server's lifespan yielded; `None` for clients."""
    experimental: Any = None
    """What a server's handler can do about tasks of 2025-11-25; `None` on clients."""
    request: RequestT | None = None
    """The Starlette `Request` over HTTP; `None` on other transports."""
    close_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the event stream of this request; the client reconnects and gets the rest. `None` if the
    transport is not HTTP.
    """
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the event stream for messages that belong to no request; `None` if the transport is not
    HTTP.
    """
