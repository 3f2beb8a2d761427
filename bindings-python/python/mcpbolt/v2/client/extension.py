"""Extensions of a client, where programs for 2.x look for them.

Owns: the error for a result that a program did not expect. Must not know: sessions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic

from ..._engine.protocol import MODERN_REVISIONS
from ...client.extension import ClaimContext, ClaimedT, ClientExtension, NotificationBinding, advertise
from ...client.extension import ResultClaim as _ResultClaim

__all__ = [
    "ClaimContext",
    "ClientExtension",
    "NotificationBinding",
    "ResultClaim",
    "UnexpectedClaimedResult",
    "advertise",
]


# What answers to a call of a tool have by themselves.
_RESERVED = frozenset({"content", "structuredContent", "isError", "inputRequests", "requestState"})


@dataclass(frozen=True, kw_only=True)
class ResultClaim(_ResultClaim[ClaimedT], Generic[ClaimedT]):
    """A result of `tools/call` in a shape that an extension defines, known by its `resultType`.

    Raises:
        ValueError: The claim is of another method, its model is not a result of its own, or a
            revision is unknown.
    """

    protocol_versions: frozenset[str] | None = None
    """The revisions with which the extension may answer so. Default: every modern one."""

    def __post_init__(self) -> None:
        from ..types import CallToolResult, InputRequiredResult, Result

        if self.method != "tools/call":
            raise ValueError(f"claims attach to tools/call only; got method {self.method!r}")
        super().__post_init__()
        name = self.model.__name__
        if not issubclass(self.model, Result):
            raise ValueError(f"{name} must subclass mcp_types.Result")
        if issubclass(self.model, (CallToolResult, InputRequiredResult)):
            raise ValueError("claim models must not subclass core result types")
        for member, field in self.model.model_fields.items():
            clash = {member, field.alias} & _RESERVED
            if clash:
                raise ValueError(f"{name}.{member} aliases {min(map(str, clash))!r}, a member of the core result surface")
        if self.protocol_versions is None:
            return
        if not self.protocol_versions:
            raise ValueError("empty protocol_versions could never activate; use None for all")
        unknown = sorted(self.protocol_versions.difference(MODERN_REVISIONS))
        if unknown:
            raise ValueError(f"protocol_versions {unknown} are not modern protocol revisions; None means all of these")


class UnexpectedClaimedResult(RuntimeError):
    """A tool was answered in the shape of an extension, and the call did not allow for that."""

    def __init__(self, result: Any) -> None:
        super().__init__(
            f"the server answered with {type(result).__name__}, which is an extension's: give the extension to "
            "Client(extensions=[...]), or call with allow_claimed=True"
        )
        self.result = result
        """The result. What the server keeps for it may have to be cleaned up."""
