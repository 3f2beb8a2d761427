"""JSON-RPC's envelopes.

Knows no method. Written by hand: envelopes are the engine's own affair, these are for
programs that move messages themselves.
"""

from typing import Any, Literal

from pydantic import RootModel

from ._model import OpenModel
from .base import Notification, Request, RequestId


class ErrorData(OpenModel):
    """The `error` member of a response."""

    code: int
    """What kind of failure."""
    message: str
    """One short sentence."""
    data: Any | None = None
    """More, in a form that depends on the code."""


class JSONRPCRequest(Request[dict[str, Any] | None, str]):
    """A request, which wants one answer."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    id: RequestId
    """Names the request; its answer repeats it."""
    method: str
    """The method."""
    params: dict[str, Any] | None = None
    """What it is about."""


class JSONRPCNotification(Notification[dict[str, Any] | None, str]):
    """A notification, which gets no answer."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    params: dict[str, Any] | None = None
    """What it is about."""


class JSONRPCResponse(OpenModel):
    """The answer to a request that succeeded."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    id: RequestId
    """The request."""
    result: dict[str, Any]
    """What the method answers."""


class JSONRPCError(OpenModel):
    """The answer to a request that failed."""

    jsonrpc: Literal["2.0"]
    """JSON-RPC's version."""
    id: str | int
    """The request."""
    error: ErrorData
    """What went wrong."""


class JSONRPCMessage(RootModel[JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCError], defer_build=True):
    """Any message; `root` is which."""
