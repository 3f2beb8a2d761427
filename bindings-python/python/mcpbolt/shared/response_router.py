"""Who may take a response before the request that waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..types import ErrorData, RequestId

__all__ = ["ResponseRouter"]


class ResponseRouter(Protocol):
    """Looks at responses to requests that were not sent the usual way."""

    def route_response(self, request_id: RequestId, response: dict[str, Any]) -> bool:
        """Take a result; `False` leaves it to others."""
        ...

    def route_error(self, request_id: RequestId, error: ErrorData) -> bool:
        """Take an error; `False` leaves it to others."""
        ...
