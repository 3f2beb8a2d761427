"""Extensions of a client, where programs for 2.x look for them.

Owns: the error for a result that a program did not expect. Must not know: sessions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic

from pydantic import AliasChoices, AliasPath
from pydantic.fields import FieldInfo

from ..._engine.protocol import MODERN_REVISIONS
from ...client.extension import ClaimContext, ClaimedT, ClientExtension, ExtensionMethod, NotificationBinding, advertise
from ...client.extension import ResultClaim as _ResultClaim

__all__ = [
    "ClaimContext",
    "ClientExtension",
    "ExtensionMethod",
    "NotificationBinding",
    "ResultClaim",
    "UnexpectedClaimedResult",
    "advertise",
]


# The methods whose answers may have other shapes.
_METHODS = ("tools/call",)
# Members that answers of any shape have by themselves.
_RESERVED = frozenset({"inputRequests", "requestState"})


def _wire_keys(name: str, field: FieldInfo) -> frozenset[str]:
    """The names under which a field is read from the wire, or written to it."""
    read: Any = field.validation_alias
    choices: list[Any] = read.choices if isinstance(read, AliasChoices) else [read]
    firsts = [choice.path[0] if isinstance(choice, AliasPath) else choice for choice in choices]
    return frozenset({field.alias or name, *(key for key in (*firsts, field.serialization_alias) if isinstance(key, str))})


@dataclass(frozen=True, kw_only=True)
class ResultClaim(_ResultClaim[ClaimedT], Generic[ClaimedT]):
    """A kind of result of `tools/call` that an extension defines, and how to turn it into an ordinary
    result. It is recognized by its `resultType`.

    Raises:
        ValueError: `method` is another one, the model is not derived from `Result`, or a revision is
            unknown.
    """

    protocol_versions: frozenset[str] | None = None
    """The revisions in which the server may answer with it. Default: all without a handshake."""

    _member: ClassVar[str] = "result_type"

    def __post_init__(self) -> None:
        if self.method not in _METHODS:
            raise ValueError(f"claims attach to {list(_METHODS)} only; got method {self.method!r}")
        super().__post_init__()
        versions = self.protocol_versions
        if versions is None:
            return
        if not versions:
            raise ValueError("empty protocol_versions could never activate; use None for all")
        unknown = sorted(versions.difference(MODERN_REVISIONS))
        if unknown:
            raise ValueError(
                f"protocol_versions {unknown} are not modern protocol revisions; claimed shapes "
                "cannot be delivered on a legacy wire (None means every modern version)"
            )

    def _check_model(self) -> None:
        from ..types import CallToolResult, InputRequiredResult, Result

        name = self.model.__name__
        if not issubclass(self.model, Result):
            raise ValueError(f"{name} must subclass mcp_types.Result")
        if issubclass(self.model, (CallToolResult, InputRequiredResult)):
            raise ValueError("claim models must not subclass core result types")
        for member, field in self.model.model_fields.items():
            clash = _wire_keys(member, field) & _RESERVED
            if clash:
                raise ValueError(
                    f"{name}.{member} aliases {min(clash)!r}, a typed field of the core result surface; "
                    "a colliding value would fail core validation before the claim adapter runs"
                )


class UnexpectedClaimedResult(RuntimeError):
    """The server answered a tool call with a result that an extension defines, and `call_tool` was
    called without `allow_claimed`.

    Args:
        result: The result, as the extension's model.
    """

    def __init__(self, result: Any) -> None:
        super().__init__(
            f"the server answered with {type(result).__name__}, which is an extension's: give the extension to "
            "Client(extensions=[...]), or call with allow_claimed=True"
        )
        self.result = result
        """The result, as the extension's model. The server may hold something for it that has to be
        cleaned up.
        """
