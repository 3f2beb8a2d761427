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
    meta: RequestParams.Meta | None
    session: SessionT
    lifespan_context: LifespanContextT
    experimental: Any = None
    # What the transport knows of the request: over HTTP a Starlette `Request`.
    request: RequestT | None = None
    close_sse_stream: CloseSSEStreamCallback | None = None
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None
