"""Extensions of a client, as 2.x has them: the settings it announces to servers, results in
other shapes, and notifications it handles; beside these, the methods it sends and hooks on others.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, get_args

from ..shared.extension import validate_extension_identifier

if TYPE_CHECKING:
    from pydantic import BaseModel

    from ..types import CallToolResult
    from ._extensions import RequestHook, ResultHook
    from .session import ClientSession

__all__ = [
    "ClaimContext",
    "ClientExtension",
    "ExtensionMethod",
    "NotificationBinding",
    "ResultClaim",
    "advertise",
]

ClaimedT = TypeVar("ClaimedT", bound="BaseModel")
ParamsT = TypeVar("ParamsT", bound="BaseModel")
_CORE = frozenset({"complete", "input_required"})


@dataclass(frozen=True)
class ClaimContext:
    """The call whose result is to be resolved, as `ResultClaim.resolve` gets it."""

    session: ClientSession
    """The session that the result came on."""
    tool_name: str
    """The name of the tool that was called."""
    read_timeout_seconds: float | None
    """The longest wait for an answer that the call asked for, in seconds; `None` if it asked for none."""


@dataclass(frozen=True)
class ResultClaim(Generic[ClaimedT]):
    """A kind of result of `tools/call` that an extension defines, and how to turn it into an ordinary
    result. It is recognized by its `resultType`.

    Raises:
        ValueError: `result_type` belongs to the protocol, or differs from that of the model.
    """

    result_type: str
    """The value of `resultType` on the wire."""
    model: type[ClaimedT]
    """The pydantic model of the result. Its `resultType` field is a `Literal` of `result_type`."""
    resolve: Callable[[ClaimedT, ClaimContext], Awaitable[CallToolResult]]
    """Turns the result into an ordinary `CallToolResult`. May send requests to the server."""
    method: Literal["tools/call"] = "tools/call"
    """The method that the result answers; always `tools/call`."""

    # How models of this line spell the member that tells results apart.
    _member: ClassVar[str] = "resultType"

    def __post_init__(self) -> None:
        if self.result_type in _CORE:
            raise ValueError(f"resultType {self.result_type!r} is core protocol vocabulary")
        self._check_model()
        fields = self.model.model_fields
        member = fields.get("resultType") or fields.get("result_type")
        if member is None or get_args(member.annotation) != (self.result_type,):
            raise ValueError(f"{self.model.__name__}.{self._member} must be Literal[{self.result_type!r}]")

    def _check_model(self) -> None:
        """Refuse a model for what it is."""

    async def resolved(self, session: Any, tool_name: str, limit: float | None, result: Any) -> CallToolResult:
        """Turn a result of this kind into an ordinary one.

        Args:
            session: The session that the result came on.
            tool_name: The name of the tool that was called.
            limit: The longest wait for an answer that the call asked for, in seconds; `None` if it
                asked for none.
            result: The result as JSON values.
        """
        return await self.resolve(self.model.model_validate(result), ClaimContext(session, tool_name, limit))


@dataclass(frozen=True)
class NotificationBinding(Generic[ParamsT]):
    """Calls a function with each notification of one method, one at a time and in order."""

    method: str
    """The notification's method, as on the wire."""
    params_type: type[ParamsT]
    """The pydantic model of the params. Notifications that do not fit it are logged and dropped."""
    handler: Callable[[ParamsT], Awaitable[None]]
    """Called with the params of each notification."""


@dataclass(frozen=True)
class ExtensionMethod:
    """A method of an extension that the client sends, with `session.ask` or `session.send_request`.
    If the server did not declare the extension, nothing is sent, and the request fails with -32601.
    """

    method: str
    """The method's name, as on the wire."""
    named_by: Literal["name", "uri"] | None = None
    """The parameter that the `Mcp-Name` header repeats. Default: none."""
    since: str | None = None
    """The first revision that has the method. Default: all have it."""

    def row(self, identifier: str) -> dict[str, Any]:
        """The row of the method, for the engine.

        Args:
            identifier: The identifier of the extension that has the method.
        """
        said = {"named_by": self.named_by, "since": self.since}
        known = {name: value for name, value in said.items() if value is not None}
        return {"extension": identifier, "method": self.method, **known}


class ClientExtension:
    """The base class of a client's extensions. Override the methods that the extension needs.

    `identifier`, such as `com.example/audit`, is a class attribute or set by the constructor.
    """

    identifier: str
    """The name under which servers see the extension."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "identifier" in cls.__dict__:
            validate_extension_identifier(cls.__dict__["identifier"], owner=cls.__name__)

    def settings(self) -> dict[str, Any]:
        """The extension's settings, sent to servers under the identifier. Default: an empty
        object.
        """
        return {}

    def claims(self) -> Sequence[ResultClaim[Any]]:
        """The kinds of results that the extension defines. Default: none."""
        return ()

    def notifications(self) -> Sequence[NotificationBinding[Any]]:
        """The notifications that the extension handles. Default: none."""
        return ()

    def methods(self) -> Sequence[ExtensionMethod]:
        """The methods of the extension that the client sends. Default: none."""
        return ()

    def request_hooks(self) -> Mapping[str, RequestHook]:
        """Functions that see requests before they are sent, by method. Each gets the params and returns
        the params to send. If it raises, nothing is sent. Default: none.
        """
        return {}

    def result_hooks(self) -> Mapping[str, ResultHook]:
        """Functions that see results before the program gets them, by method. Each gets the result as
        JSON values and returns nothing. If it raises, the request fails. Default: none.
        """
        return {}


class _Advertised(ClientExtension):
    def __init__(self, identifier: str, settings: dict[str, Any]) -> None:
        self.identifier = identifier
        self._settings = settings

    def settings(self) -> dict[str, Any]:
        return self._settings


def advertise(identifier: str, settings: dict[str, Any] | None = None) -> ClientExtension:
    """Make an extension that only announces its identifier and settings.

    Args:
        identifier: The identifier, such as `com.example/audit`.
        settings: The settings, as JSON values. Default: an empty object.

    Raises:
        TypeError: The identifier is not valid.
    """
    validate_extension_identifier(identifier, owner="advertise")
    return _Advertised(identifier, settings or {})
