"""JSON-RPC's envelopes, as 2.x has them.

Owns: the four kinds of message. Must not know: any method. Written by hand: envelopes are the
engine's own affair, these are for programs that move messages themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter

RequestId: TypeAlias = Annotated[int, Field(strict=True)] | str
"""Names a request."""


class _Envelope(BaseModel):
    if not TYPE_CHECKING:

        @property
        def root(self) -> Any:
            """The message itself: what reads messages of both lines asks for it."""
            return self


class ErrorData(BaseModel):
    """The `error` member of a response."""

    code: int
    """What kind of failure."""
    message: str
    """One short sentence."""
    data: Any = None
    """More, in a form that depends on the code."""


class JSONRPCRequest(_Envelope):
    """A request, which wants one answer."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    id: RequestId
    """Names the request; its answer repeats it."""
    method: str
    """The method."""
    params: dict[str, Any] | None = None
    """What it is about."""


class JSONRPCNotification(_Envelope):
    """A notification, which gets no answer."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    method: str
    """The method."""
    params: dict[str, Any] | None = None
    """What it is about."""


class JSONRPCResponse(_Envelope):
    """The answer to a request that succeeded."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    id: RequestId
    """The request."""
    result: dict[str, Any]
    """What the method answers."""


class JSONRPCError(_Envelope):
    """The answer to a request that failed."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    id: RequestId | None
    """The request; `None` where it could not be told."""
    error: ErrorData
    """What went wrong."""


JSONRPCMessage: TypeAlias = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError
"""Any message."""

jsonrpc_message_adapter: TypeAdapter[JSONRPCMessage] = TypeAdapter(JSONRPCMessage)
"""Reads any message."""
