"""What handlers of the 2.x kind are given, and what may stand around them.

Owns: the context of one request or notification, and the shape of middleware.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, Union, cast

from .._generics import Lenient, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..shared.message import CloseSSEStreamCallback
    from ..types import RequestId
    from ._live import LiveContext
    from .session import ServerSession

__all__ = ["CallNext", "HandlerResult", "ServerMiddleware", "ServerRequestContext"]

LifespanContextT = TypeVar("LifespanContextT", default=Any)
RequestT = TypeVar("RequestT", default=Any)


@dataclass(kw_only=True)
class ServerRequestContext(Lenient, Generic[LifespanContextT, RequestT]):
    """The request or notification a handler of the 2.x kind answers."""

    session: ServerSession
    """The session with the client."""
    lifespan_context: LifespanContextT
    """The value that the server's lifespan yielded."""
    protocol_version: str
    """The revision that holds for this message."""
    method: str
    """The method of the request, as on the wire."""
    params: Mapping[str, Any] | None = None
    """The params as they came, before any model saw them."""
    request_id: RequestId | None = None
    """The id the client gave it; a notification has none."""
    meta: dict[str, Any] | None = None
    """The `_meta` member of the params."""
    request: RequestT | None = None
    """The transport's own request: over HTTP a Starlette `Request`."""
    close_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the stream of this request, where a client can come back for the rest."""
    close_standalone_sse_stream: CloseSSEStreamCallback | None = None
    """Ends the stream beside the requests."""


HandlerResult = Union["BaseModel", dict[str, Any], None]
"""What a handler or middleware returns: a model, its JSON values, or nothing."""

CallNext = Callable[["ServerRequestContext[Any, Any]"], Awaitable[HandlerResult]]
"""The rest of the way: what comes further inside, and the handler."""


class ServerMiddleware(Protocol):
    """Stands around every request and notification: `(ctx, call_next) -> result`.

    It runs before params are looked at. With `dataclasses.replace(ctx, params=…)` given
    to `call_next` the handler sees other params. What it raises is the answer. A server
    that has any answers every request in Python, `initialize` included.
    """

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer, usually by way of `call_next(ctx)`."""
        ...


def context_of(live: LiveContext) -> ServerRequestContext[Any, Any]:
    """The context of a request the engine handed over."""
    found: ServerRequestContext[Any, Any] | None = live.__dict__.get("of_request")
    if found is None:
        found = live.__dict__["of_request"] = ServerRequestContext(
            session=live.session,
            lifespan_context=live.lifespan_context,
            protocol_version=str(live.about.get("revision") or ""),
            method=live.item[4],
            params=_params_of(live),
            request_id=live.request_id,
            meta=live.raw_meta,
            request=live.request,
        )
    return found


def _params_of(live: LiveContext) -> dict[str, Any] | None:
    """The params of a request. After questions, with the answers and with the state that the
    handler returned: on the wire the engine has sealed it, and the legacy era has neither.
    """
    if not isinstance(live.item[6], dict):
        return None
    params = cast("dict[str, Any]", live.item[6])
    state, answers = live.about.get("requestState"), live.about.get("inputResponses")
    if state is None and not answers:
        return params
    more = {} if state is None else {"requestState": state}
    return {**params, "inputResponses": answers or {}, **more}
