"""JSON-RPC over two streams, where programs for 2.x look for it.

Owns: small functions on params and errors, and the answer to those who want the loop itself: the
engine carries messages here. Must not know: how it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from ...shared.exceptions import MCPError, UsageError
from .dispatcher import as_request_id

if TYPE_CHECKING:
    from ..types import ErrorData, RequestId

__all__ = [
    "JSONRPCDispatcher",
    "cancelled_request_id_from_params",
    "handler_exception_to_error_data",
    "progress_token_from_params",
]

PeerCancelMode = Literal["interrupt", "signal"]
"""What cancelling does to a handler: it is interrupted, or `cancel_requested` is set."""


class JSONRPCDispatcher:
    """Not available: the official package's JSON-RPC loop over two streams.

    The engine carries messages here. Give the streams to `ClientSession` or to `Server.run`.

    Raises:
        UsageError: Always.
    """

    def __init__(self, *_: Any, **__: Any) -> None:
        raise UsageError(
            "JSONRPCDispatcher is not in mcpbolt, whose engine carries messages: give the streams to ClientSession "
            "or to Server.run, or use create_direct_dispatcher_pair within one process"
        )


def handler_exception_to_error_data(exc: BaseException) -> ErrorData | None:
    """The error to send for an exception of a handler: that of an `MCPError`, or invalid params for a
    `ValidationError`; `None` for other exceptions.

    Args:
        exc: The exception.
    """
    from pydantic import ValidationError

    from ..types import INVALID_PARAMS, ErrorData

    if isinstance(exc, MCPError):
        return exc.error  # type: ignore[return-value]
    if isinstance(exc, ValidationError):
        return ErrorData(code=INVALID_PARAMS, message="Invalid request parameters", data="")
    return None


def cancelled_request_id_from_params(params: Mapping[str, Any] | None) -> RequestId | None:
    """The id of the request that a `notifications/cancelled` cancels; `None` if it names none.

    Args:
        params: The params; `None` for none.
    """
    return None if params is None else as_request_id(params.get("requestId"))


def progress_token_from_params(params: Mapping[str, Any] | None) -> str | int | None:
    """The progress token of a request; `None` without one.

    Args:
        params: The params; `None` for none.
    """
    meta = None if params is None else params.get("_meta")
    return as_request_id(meta.get("progressToken")) if isinstance(meta, Mapping) else None  # pyright: ignore
