"""What this package raises.

`McpError` is what a peer answered. What failed on this side has a class of its own,
with `kind` and `local = True`; those are `McpError`s too, with the code the official
package uses, so that `except McpError` catches both.
"""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from .. import _mcpbolt as _engine
from .._switches import switches

if TYPE_CHECKING:
    from ..types import ElicitRequestURLParams, ErrorData, JSONRPCError

__all__ = [
    "CancelledError",
    "ConnectError",
    "ForbiddenError",
    "MCPDeprecationWarning",
    "MCPError",
    "McpError",
    "OverloadedError",
    "ProtocolViolation",
    "SessionClosed",
    "StoreError",
    "TimeoutError",
    "UnauthorizedError",
    "UnsupportedProtocolVersionError",
    "UrlElicitationRequiredError",
    "UsageError",
]

URL_ELICITATION_REQUIRED = -32042
# What servers on the engine say; which one is in the data.
_NO_RESOURCE = "Resource not found"


class McpError(Exception):
    """An error that came over a connection, or is to go over it.

    Made from `ErrorData`, or from a code, a message and data, by place or by name.
    """

    kind: str = "peer"
    local: bool = False

    def __init__(
        self, error: ErrorData | int | None = None, message: str | None = None, data: Any = None, *, code: int = 0
    ) -> None:
        if error is None:
            error = code
        if isinstance(error, int):
            self._error: ErrorData | None = None
            self._parts: tuple[int, str, Any] = (error, message or "", data)
        else:
            self._error = error
            self._parts = (error.code, error.message, error.data)
        super().__init__(self._parts[1])

    @property
    def error(self) -> ErrorData:
        """The error object: code, message and data."""
        if self._error is None:
            from ..types import ErrorData

            code, message, data = self._parts
            self._error = ErrorData(code=code, message=message, data=data)
        return self._error

    @error.setter
    def error(self, error: ErrorData) -> None:
        self._error = error
        self._parts = (error.code, error.message, error.data)

    @property
    def code(self) -> int:
        """The JSON-RPC error code."""
        return self._error.code if self._error is not None else self._parts[0]

    @property
    def message(self) -> str:
        """The error message, one sentence."""
        return self._error.message if self._error is not None else self._parts[1]

    @property
    def data(self) -> Any:
        """The error's data, if it came with any."""
        return self._error.data if self._error is not None else self._parts[2]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._parts, self.kind, self.__dict__.get("_elicitations"))


class MCPError(McpError):
    """The name of 2.x for `McpError`. What a peer answered and what fails on this side is
    raised as one, so that programs may catch either.
    """

    @classmethod
    def from_error_data(cls, error: ErrorData) -> MCPError:
        """Make the exception of a JSON-RPC error object."""
        return cls(error)

    @classmethod
    def from_jsonrpc_error(cls, error: JSONRPCError) -> MCPError:
        """Make the exception of a JSON-RPC error message."""
        return cls(error.error)


class MCPDeprecationWarning(UserWarning):
    """Something the protocol has deprecated was used. Off unless a program asks for it."""


class _LocalError(MCPError):
    local = True

    def __init__(self, error: ErrorData | int | str, message: str | None = None, data: Any = None) -> None:
        if isinstance(error, str):
            message, error = error, _CODES.get(self.kind, -32603)
        super().__init__(error, message, data)


class TimeoutError(_LocalError, builtins.TimeoutError):
    """No answer came in time."""

    kind = "timeout"


class SessionClosed(_LocalError):
    """The connection ended before the answer came."""

    kind = "closed"


class CancelledError(_LocalError):
    """The request was withdrawn."""

    kind = "cancelled"


class OverloadedError(_LocalError):
    """A limit of this side is reached; nothing was sent."""

    kind = "overloaded"


class ConnectError(_LocalError):
    """The peer cannot be reached, or the connection broke."""

    kind = "transport"


class ProtocolViolation(_LocalError):
    """The peer answered something the protocol does not allow."""

    kind = "protocol"


class UnauthorizedError(_LocalError):
    """The peer refused the credentials, or demands some."""

    kind = "unauthorized"


class ForbiddenError(_LocalError):
    """The credentials do not permit the request."""

    kind = "forbidden"


class StoreError(_LocalError):
    """A store of sessions, events or states failed."""

    kind = "store"


class UsageError(_LocalError):
    """The program asked for something that makes no sense; the message says what to do."""

    kind = "usage"


class UnsupportedProtocolVersionError(MCPError, RuntimeError):
    """The peer speaks no revision of ours."""

    kind = "unsupported_protocol_version"


class UrlElicitationRequiredError(MCPError):
    """The user has to visit one or more URLs before the request can go on.

    Raised by a handler it reaches the client as an error of its own code, which lists
    the elicitations.
    """

    kind = "url_elicitation_required"

    def __init__(self, elicitations: Sequence[ElicitRequestURLParams], message: str | None = None) -> None:
        self._elicitations = list(elicitations)
        plural = "s" if len(self._elicitations) > 1 else ""
        rows = [e.model_dump(by_alias=True, exclude_none=True) for e in self._elicitations]
        super().__init__(
            URL_ELICITATION_REQUIRED,
            f"URL elicitation{plural} required" if message is None else message,
            {"elicitations": rows},
        )

    @property
    def elicitations(self) -> list[ElicitRequestURLParams]:
        """The URL elicitations the user has to complete first."""
        return self._elicitations

    @classmethod
    def from_error(cls, error: ErrorData) -> UrlElicitationRequiredError:
        """The exception an error from the wire stands for."""
        from ..types import ElicitRequestURLParams

        if error.code != URL_ELICITATION_REQUIRED:
            raise ValueError(f"Expected error code {URL_ELICITATION_REQUIRED}, got {error.code}")
        data = cast("dict[str, Any]", error.data or {})
        rows = cast("list[Any]", data.get("elicitations", []))
        return cls([ElicitRequestURLParams.model_validate(row) for row in rows], error.message)


_LOCAL: dict[str, type[_LocalError]] = {
    cls.kind: cls
    for cls in (
        TimeoutError,
        SessionClosed,
        CancelledError,
        OverloadedError,
        ConnectError,
        ProtocolViolation,
        UnauthorizedError,
        ForbiddenError,
        StoreError,
        UsageError,
    )
}
_CODES = {name: code for name, _, code, _ in _engine.error_names() if code is not None}


def from_failure(failure: tuple[str, int, str, Any]) -> McpError:
    """The exception for a failure as the engine reports it."""
    kind, code, message, data = failure
    local = _LOCAL.get(kind)
    if local is not None:
        return local(_CODES.get(kind, code), message, data)
    if code == URL_ELICITATION_REQUIRED:
        from ..types import ErrorData

        try:
            return UrlElicitationRequiredError.from_error(ErrorData(code=code, message=message, data=data))
        except (ValueError, AttributeError):
            pass
    if switches.own_words and message == _NO_RESOURCE and isinstance(data, dict) and "uri" in data:
        message = f"{message}: {data['uri']}"
    error = (McpError if switches.official else MCPError)(code, message, data)
    error.kind = kind
    return error


def from_engine(error: _engine.EngineError) -> McpError:
    """The exception for what a verb of the engine refused."""
    return from_failure(error.args)


def _rebuild(
    cls: type[McpError], parts: tuple[int, str, Any], kind: str, elicitations: list[Any] | None
) -> McpError:
    error = cls.__new__(cls)
    McpError.__init__(error, *parts)
    if elicitations is not None:
        error.__dict__["_elicitations"] = elicitations
    if kind != cls.kind:
        error.kind = kind
    return error
