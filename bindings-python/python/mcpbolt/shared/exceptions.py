"""The exceptions of this package.

`McpError` is an error that the peer sent. Errors of this side have classes of their own, with
`kind` and `local = True`. They are `McpError`s too, with the code that the official package
uses, so that `except McpError` catches both.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from .. import _mcpbolt
from .._engine import face

if TYPE_CHECKING:
    from ..types import ElicitRequestURLParams, ErrorData, JSONRPCError

# Without `TimeoutError`: `import *` would put it in the place of Python's own.
__all__ = [
    "CancelledError",
    "ConnectError",
    "ForbiddenError",
    "MCPDeprecationWarning",
    "MCPError",
    "McpError",
    "NoBackChannelError",
    "OverloadedError",
    "ProtocolViolation",
    "SessionClosed",
    "StoreError",
    "UnauthorizedError",
    "UnsupportedProtocolVersionError",
    "UrlElicitationRequiredError",
    "UsageError",
]

URL_ELICITATION_REQUIRED = -32042
# The message for servers that name the resource in the error's data only.
_NO_RESOURCE = "Resource not found"


class McpError(Exception):
    """An error that the peer sent, or that a handler raises to send it to the peer.

    Made from `ErrorData`, or from a code, a message and data.

    Args:
        error: The error as `ErrorData`, or its JSON-RPC code.
        message: What went wrong, in words, if `error` is a code. Default: empty.
        data: Further data for the peer, any JSON value, if `error` is a code. Default: none.
        code: The code, if `error` is left out. Default: 0.
    """

    kind: str = "peer"
    local: bool = False
    # Whether an error made from its parts has them as its `args`, as in 2.x, or the message alone.
    _shows_parts: ClassVar[bool] = False

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
        whole = face.current.api == 2 or (self._shows_parts and self._error is None)
        super().__init__(*(self._parts if whole else self._parts[1:2]))

    def __str__(self) -> str:
        return self.message if len(self.args) == len(self._parts) else super().__str__()

    @property
    def error(self) -> ErrorData:
        """The code, message and data of the error."""
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
        """The error message."""
        return self._error.message if self._error is not None else self._parts[1]

    @property
    def data(self) -> Any:
        """The further data of the error, any JSON value; `None` without any."""
        return self._error.data if self._error is not None else self._parts[2]

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self._parts, self.kind, self.__dict__.get("_elicitations"), self.args)


class MCPError(McpError):
    """The name of `McpError` in 2.x. All errors are raised as this class, whether the peer
    sent them or they happened on this side, so that programs may catch either.
    """

    _shows_parts: ClassVar[bool] = True

    @classmethod
    def from_error_data(cls, error: ErrorData) -> MCPError:
        """Make the exception for an error object.

        Args:
            error: The error object.
        """
        made = cls(error)
        made.args = made._parts
        return made

    @classmethod
    def from_jsonrpc_error(cls, error: JSONRPCError) -> MCPError:
        """Make the exception for an error response.

        Args:
            error: The error response.
        """
        return cls.from_error_data(error.error)


def in_time(error: McpError, method: str, words: tuple[int, str] | None = None) -> McpError:
    """The error of a request, with other code and words if its answer came too late.

    Args:
        error: The error.
        method: The method.
        words: Code and words, with `{method}`. Default: those of the face, if it has some.
    """
    words = words or face.current.timed_out
    if words is None or error.kind != "timeout":
        return error
    return TimeoutError(words[0], words[1].format(method=method))


class NoBackChannelError(MCPError):
    """The server cannot ask the client: this connection carries no requests from server to client.

    Args:
        method: The method of the request that cannot be sent.
    """

    def __init__(self, method: str) -> None:
        super().__init__(
            -32600,
            f"Cannot send {method!r}: this transport context has no back-channel for server-initiated requests.",
        )
        self.method = method


class MCPDeprecationWarning(UserWarning):
    """A feature was used that the protocol has deprecated. Ignored unless a program enables it."""


class _LocalError(MCPError):
    local = True
    _shows_parts: ClassVar[bool] = False

    def __init__(self, error: ErrorData | int | str, message: str | None = None, data: Any = None) -> None:
        """Describe what happened.

        Args:
            error: What went wrong, in words; or the whole error, or its code.
            message: What went wrong, beside a code. Default: empty.
            data: Further data, any JSON value. Default: none.
        """
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
    """The request was cancelled."""

    kind = "cancelled"


class OverloadedError(_LocalError):
    """A limit of this side is reached, such as that on open requests; nothing was sent."""

    kind = "overloaded"


class ConnectError(_LocalError):
    """The peer cannot be reached, or the connection broke."""

    kind = "transport"


class ProtocolViolation(_LocalError):
    """The peer sent something that the protocol does not allow."""

    kind = "protocol"


class UnauthorizedError(_LocalError):
    """The peer requires credentials, or others than were sent (HTTP status 401)."""

    kind = "unauthorized"


class ForbiddenError(_LocalError):
    """The credentials are valid but do not permit the request (HTTP status 403)."""

    kind = "forbidden"


class StoreError(_LocalError):
    """A store for sessions, events or state failed."""

    kind = "store"


class UsageError(_LocalError):
    """The program used this package wrongly; the message says what to do."""

    kind = "usage"


class UnsupportedProtocolVersionError(MCPError, RuntimeError):
    """Client and server have no protocol revision in common."""

    kind = "unsupported_protocol_version"
    _shows_parts: ClassVar[bool] = False


class UrlElicitationRequiredError(MCPError):
    """The user has to visit one or more URLs before the request can go on.

    If a handler raises it, the client gets an error with code -32042 and the list of elicitations.

    Args:
        elicitations: What the user has to visit.
        message: What went wrong. Default: "URL elicitation required".
    """

    kind = "url_elicitation_required"
    _shows_parts: ClassVar[bool] = False

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
        """The URLs that the user has to visit first, with their messages and ids."""
        return self._elicitations

    @classmethod
    def from_error(cls, error: ErrorData) -> UrlElicitationRequiredError:
        """Make the exception for an error object that the peer sent.

        Args:
            error: The error object.

        Raises:
            ValueError: Its code is not -32042.
        """
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
# The words of `NoBackChannelError`.
_NO_BACK_CHANNEL = re.compile(r"Cannot send '([^']+)': this transport context has no back-channel")
_CODES = {name: code for name, _, code, _ in _mcpbolt.error_names() if code is not None}


def from_failure(failure: tuple[str, int, str, Any]) -> McpError:
    """Make the exception for a failure that the engine reports.

    Args:
        failure: Kind, code, message and data.
    """
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
    if face.current.own_words and message == _NO_RESOURCE and isinstance(data, dict) and "uri" in data:
        message = f"{message}: {data['uri']}"
    asked = _NO_BACK_CHANNEL.match(message) if face.current.asks_by_results else None
    if asked is not None:
        return NoBackChannelError(asked[1])
    error = (McpError if face.current.plain_errors else MCPError)(code, message, data)
    error.kind = kind
    if face.current.api == 1:
        # Programs for 1.x find the message there.
        error.args = (message,)
    return error


def from_engine(error: _mcpbolt.EngineError) -> McpError:
    """Make the exception for an error of the engine's functions.

    Args:
        error: The engine's error.
    """
    return from_failure(error.args)


def _rebuild(
    cls: type[McpError],
    parts: tuple[int, str, Any],
    kind: str,
    elicitations: list[Any] | None,
    args: tuple[Any, ...],
) -> McpError:
    error = cls.__new__(cls)
    McpError.__init__(error, *parts)
    error.args = args
    if elicitations is not None:
        error.__dict__["_elicitations"] = elicitations
    if kind != cls.kind:
        error.kind = kind
    return error


if face.current.api == 2:
    # 2.x has one class, under which all errors are caught.
    McpError = MCPError  # type: ignore[misc]
