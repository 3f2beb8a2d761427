"""The context of a handler: the request it answers."""

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
    """The request, its session, and what the server's lifespan made."""

    request_id: RequestId
    meta: RequestParams.Meta | None
    session: SessionT
    lifespan_context: LifespanContextT
    experimental: Any = None
    # What the transport has of the request: over HTTP a Starlette `Request`.
    request: RequestT | None = None
    close_sse_stream: CloseSSEStreamCallback | None = None
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None
