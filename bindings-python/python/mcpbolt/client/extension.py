"""Extensions of a client, as 2.x has them: what it says it understands, results of other
shapes, and notifications it wants to see.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args

from ..shared.extension import validate_extension_identifier

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..types import CallToolResult
    from .session import ClientSession

__all__ = ["ClaimContext", "ClientExtension", "NotificationBinding", "ResultClaim", "advertise"]

ClaimedT = TypeVar("ClaimedT", bound="BaseModel")
ParamsT = TypeVar("ParamsT", bound="BaseModel")
_CORE = frozenset({"complete", "input_required"})


@dataclass(frozen=True)
class ClaimContext:
    """What the resolver of a result claim is given."""

    session: ClientSession
    """The session the claimed result came on."""
    tool_name: str
    """The name of the tool that was called."""
    read_timeout_seconds: float | None
    """The time limit of the call, in seconds."""


@dataclass(frozen=True)
class ResultClaim(Generic[ClaimedT]):
    """A result of `tools/call` in a shape of an extension's, known by its `resultType`.

    Raises:
        ValueError: The type is the protocol's, or not the one of the model.
    """

    result_type: str
    """The `resultType` that is claimed, as on the wire."""
    model: type[ClaimedT]
    """The shape; its `resultType` is a `Literal` of the above."""
    resolve: Callable[[ClaimedT, ClaimContext], Awaitable[CallToolResult]]
    """Makes an ordinary result of it, asking the server as often as it needs to."""
    method: Literal["tools/call"] = "tools/call"
    """The method whose results are claimed."""

    def __post_init__(self) -> None:
        if self.result_type in _CORE:
            raise ValueError(f"resultType {self.result_type!r} is the protocol's own")
        fields = self.model.model_fields
        member = fields.get("resultType") or fields.get("result_type")
        if member is None or get_args(member.annotation) != (self.result_type,):
            raise ValueError(f"{self.model.__name__}.resultType must be Literal[{self.result_type!r}]")


@dataclass(frozen=True)
class NotificationBinding(Generic[ParamsT]):
    """Has notifications of one method handed to a function, one at a time, in order."""

    method: str
    """The method of the notification, as on the wire."""
    params_type: type[ParamsT]
    """The model of the params; what does not fit is logged and dropped."""
    handler: Callable[[ParamsT], Awaitable[None]]
    """The handler of the notifications."""


class ClientExtension:
    """The parent of extensions: override what is needed.

    `identifier`, such as `com.example/audit`, is a member of the class or set by its
    constructor.
    """

    identifier: str
    """The identifier of the extension, as servers see it."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "identifier" in cls.__dict__:
            validate_extension_identifier(cls.__dict__["identifier"], owner=cls.__name__)

    def settings(self) -> dict[str, Any]:
        """The settings servers see under the extension's identifier."""
        return {}

    def claims(self) -> Sequence[ResultClaim[Any]]:
        """Results of other shapes it understands."""
        return ()

    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        """The notifications the extension handles."""
        return ()


class _Advertised(ClientExtension):
    def __init__(self, identifier: str, settings: dict[str, Any]) -> None:
        self.identifier = identifier
        self._settings = settings

    def settings(self) -> dict[str, Any]:
        return self._settings


def advertise(identifier: str, settings: dict[str, Any] | None = None) -> ClientExtension:
    """An extension that only says it is there.

    Raises:
        TypeError: The identifier is not a valid one.
    """
    validate_extension_identifier(identifier, owner="advertise")
    return _Advertised(identifier, settings or {})


class Extensions:
    """The extensions of one client."""

    def __init__(self, extensions: Sequence[ClientExtension] = ()) -> None:
        self.shown: dict[str, dict[str, Any]] = {}
        self.claims: dict[str, ResultClaim[Any]] = {}
        self.bindings: dict[str, NotificationBinding[Any]] = {}
        for extension in extensions:
            identifier = getattr(extension, "identifier", None)
            validate_extension_identifier(identifier, owner=type(extension).__name__)
            if extension.identifier in self.shown:
                raise ValueError(f"extension {identifier!r} is there twice")
            self.shown[extension.identifier] = extension.settings()
            for claim in extension.claims():
                if claim.result_type in self.claims:
                    raise ValueError(f"resultType {claim.result_type!r} is claimed twice")
                self.claims[claim.result_type] = claim
            for binding in extension.notifications():
                if binding.method in self.bindings:
                    raise ValueError(f"notification {binding.method!r} is bound twice")
                self.bindings[binding.method] = binding
