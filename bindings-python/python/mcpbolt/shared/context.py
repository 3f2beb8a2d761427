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
    """The session that the request came from."""
    lifespan_context: LifespanContextT
    """What the server's lifespan yielded."""
    experimental: Any = None
    """What a server's handler can do about tasks of 2025-11-25; `None` on clients."""
    request: RequestT | None = None
    """What the transport knows of the request: over HTTP a Starlette `Request`; else `None`."""
    close_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the event stream of this request; `None` where there is none."""
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the client's event stream that belongs to no request; `None` where there is none."""
