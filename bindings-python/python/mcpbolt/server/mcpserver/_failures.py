"""What exceptions of resources and prompts become on a server of the 2.x kind.

Owns: these rules. Must not know: the server.
"""

from __future__ import annotations

from typing import Any

from ...shared.exceptions import McpError
from .._error_responses import UnknownResourceMixin
from .exceptions import ResourceError, UnexpectedResourceError


class NotThere(ValueError, UnknownResourceMixin):
    """No resource has this URI; with a message of its own."""

    def __init__(self, uri: str, words: str) -> None:
        super().__init__(words)
        self.uri = uri


def resource_failure(uri: str, error: Exception) -> Exception:
    """The exception that callers get when reading fails: one that the resource's function meant
    for them, or one whose cause is `error`.
    """
    found: Exception | None = cause_of(error, (McpError, ResourceError))
    if found is None:
        found = UnexpectedResourceError(f"Error reading resource {uri}")
        found.__cause__ = error
    return found


def cause_of(error: BaseException | None, kinds: Any) -> Any:
    """The first exception of these kinds in a chain of causes, as the function raised it."""
    while error is not None:
        if isinstance(error, kinds):
            return error
        error = error.__cause__
    return None
