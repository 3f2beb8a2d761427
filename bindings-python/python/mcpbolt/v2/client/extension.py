"""Extensions of a client, where programs for 2.x look for them.

Owns: the error for a result that a program did not expect. Must not know: sessions.
"""

from __future__ import annotations

from typing import Any

from ...client.extension import ClaimContext, ClientExtension, NotificationBinding, ResultClaim, advertise

__all__ = [
    "ClaimContext",
    "ClientExtension",
    "NotificationBinding",
    "ResultClaim",
    "UnexpectedClaimedResult",
    "advertise",
]


class UnexpectedClaimedResult(RuntimeError):
    """A tool was answered in the shape of an extension, and the call did not allow for that."""

    def __init__(self, result: Any) -> None:
        super().__init__(
            f"the server answered with {type(result).__name__}, which is an extension's: give the extension to "
            "Client(extensions=[...]), or call with allow_claimed=True"
        )
        self.result = result
        """The result. What the server keeps for it may have to be cleaned up."""
