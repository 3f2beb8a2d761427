"""Handling responses before the requests that wait for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..types import ErrorData, RequestId

__all__ = ["ResponseRouter"]


class ResponseRouter(Protocol):
    """Checks responses first, for requests that were not sent in the usual way."""

    def route_response(self, request_id: RequestId, response: dict[str, Any]) -> bool:
        """Handle a result; return `False` to leave it to others.

        Args:
            request_id: The id of the request.
            response: The result.
        """
        ...

    def route_error(self, request_id: RequestId, error: ErrorData) -> bool:
        """Handle an error; return `False` to leave it to others.

        Args:
            request_id: The id of the request.
            error: The error.
        """
        ...
