"""What handlers of the 2.x kind are given, and the middleware around them.

Owns: the context of one request or notification, and the interface of middleware.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, Union, cast

from .._engine import face
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
MiddlewareT = TypeVar("MiddlewareT", default=Any, covariant=True)


@dataclass(kw_only=True)
class ServerRequestContext(Lenient, Generic[LifespanContextT, RequestT]):
    """The context of a request or notification, as handlers of 2.x and middleware get it."""

    session: ServerSession
    """The session with the client."""
    lifespan_context: LifespanContextT
    """The value that the server's lifespan yielded."""
    protocol_version: str
    """The protocol revision of this message."""
    method: str
    """The method of the request, as on the wire."""
    params: Mapping[str, Any] | None = None
    """The params as received, before any validation."""
    request_id: RequestId | None = None
    """The id that the client gave the request; `None` for a notification."""
    meta: dict[str, Any] | None = None
    """The `_meta` of the params, if any."""
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


HandlerResult = Union["BaseModel", dict[str, Any], None]
"""What a handler or middleware returns: a model, its JSON values, or `None`."""

CallNext = Callable[["ServerRequestContext[Any, Any]"], Awaitable[HandlerResult]]
"""Calls the next middleware or, after the last one, the handler."""


class ServerMiddleware(Protocol[MiddlewareT]):
    """Wraps every request and notification: `(ctx, call_next) -> result`.

    It runs before params are validated. To change the params that the handler gets, call
    `call_next` with `dataclasses.replace(ctx, params=…)`. An exception becomes an error response. A
    server with middleware answers every request in Python, even `initialize`.
    """

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer the message, usually with the result of `call_next(ctx)`."""
        ...


def context_of(live: LiveContext | ServerRequestContext[Any, Any]) -> ServerRequestContext[Any, Any]:
    """Make the context of a request that came from the engine. A context is returned unchanged.

    Args:
        live: The request as the engine has it, or a context.
    """
    if isinstance(live, ServerRequestContext):
        return live
    found: ServerRequestContext[Any, Any] | None = live.__dict__.get("of_request")
    if found is None:
        found = live.__dict__["of_request"] = ServerRequestContext(
            session=live.session,
            lifespan_context=live.lifespan_context,
            protocol_version=str(live.about.get("revision") or ""),
            method=live.item.method,
            params=_params_of(live),
            request_id=live.request_id,
            meta=_named(live.raw_meta),
            request=live.request,
            close_sse_stream=live.close_sse_stream,
            close_standalone_sse_stream=live.close_standalone_sse_stream,
        )
    return found


def _named(meta: dict[str, Any] | None) -> dict[str, Any] | None:
    """The `_meta` with the names that it has in 2.x under that face."""
    if meta is None or face.current.api == 1 or "progressToken" not in meta:
        return meta
    return {"progress_token" if name == "progressToken" else name: value for name, value in meta.items()}


def _params_of(live: LiveContext) -> dict[str, Any] | None:
    """The params of a request. When it comes again after questions, they include the answers
    and the state as the handler returned it: on the wire it is sealed, and the legacy era has
    neither.
    """
    given: Any = live.item.params
    if not isinstance(given, dict):
        return None
    params = cast("dict[str, Any]", given)
    state, answers = live.about.get("requestState"), live.about.get("inputResponses")
    if state is None and not answers:
        return params
    more = {} if state is None else {"requestState": state}
    return {**params, "inputResponses": answers or {}, **more}
