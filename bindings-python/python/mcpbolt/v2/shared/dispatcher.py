"""Types of calls between peers, where programs for 2.x look for them.

Owns: these types. Must not know: how messages are carried, which is the engine's affair.
"""

from __future__ import annotations

from typing import Any, Protocol, TypedDict

__all__ = ["CallOptions", "ProgressFnT", "as_request_id", "coerce_request_id"]


class ProgressFnT(Protocol):
    """Called when progress of a request arrives."""

    async def __call__(self, progress: float, total: float | None, message: str | None) -> None: ...


class CallOptions(TypedDict, total=False):
    """What may be said about one request."""

    timeout: float
    """After how many seconds it is given up."""
    on_progress: ProgressFnT
    """Called for each progress notification."""


def as_request_id(value: object) -> int | str | None:
    """The value if it can name a request."""
    return value if isinstance(value, (str, int)) and not isinstance(value, bool) else None


def coerce_request_id(request_id: Any) -> Any:
    """A number that came as text as the number."""
    try:
        return int(request_id) if isinstance(request_id, str) else request_id
    except ValueError:
        return request_id
