"""The exception for a resource that does not exist."""

from __future__ import annotations

from ...server._error_responses import UnknownResourceMixin


class UnknownResourceError(ValueError, UnknownResourceMixin):
    """No resource has this URI, and no template matches it."""

    def __init__(self, uri: str) -> None:
        super().__init__(f"Unknown resource: {uri}")
        self.uri = uri
