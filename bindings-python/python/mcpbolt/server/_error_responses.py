"""Which error response an exception of a handler becomes."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, cast

from .._engine import face
from .._engine.context import request_ctx
from .._engine.items import Row
from .._engine.json import NotFiniteError, dumps, readable
from .._engine.protocol import MODERN_REVISIONS
from .._engine.questions import asks_by_result
from ..shared.exceptions import McpError, NoBackChannelError, UrlElicitationRequiredError

if TYPE_CHECKING:
    from .guarding import Guarding

INVALID_REQUEST = -32600
INVALID_PARAMS = -32602
PARSE_ERROR = -32700
INTERNAL_ERROR = -32603
METHOD_NOT_FOUND = -32601
RESOURCE_NOT_FOUND = -32002
MISSING_CLIENT_CAPABILITY = -32021


class UnknownPromptError(ValueError):
    """A prompt does not exist, or one of its arguments is missing."""


class UnknownResourceMixin:
    """Marks exceptions that mean that a resource does not exist."""

    uri: str


class UnknownResourceError(ValueError, UnknownResourceMixin):
    """No resource has this URI, and no template matches it."""

    def __init__(self, uri: str) -> None:
        super().__init__(f"Unknown resource: {uri}")
        self.uri = uri


def as_asked(error: UnknownResourceMixin, guarding: Guarding | None, params: Any) -> BaseException:
    """What says that a resource does not exist, with the URI as the client spelled it: so the engine
    names one that the program hides, and clients must not see the difference.
    """
    uri: Any = params.get("uri") if isinstance(params, dict) else None  # pyright: ignore
    hides = guarding is not None and guarding.authorize is not None
    if not hides or not isinstance(uri, str) or error.uri == uri:
        return cast("BaseException", error)
    return UnknownResourceError(uri)


def keeps_its_code(error: BaseException) -> bool:
    """Whether an exception itself determines the error code of the response."""
    return isinstance(error, UnknownPromptError) or (isinstance(error, McpError) and face.current.keeps_codes)


def is_for_the_client(error: BaseException) -> bool:
    """Whether an exception of a tool becomes an error response instead of a result for the
    model: if the client has to do something first or, on the modern era, lacks a capability.
    """
    if isinstance(error, UrlElicitationRequiredError):
        return True
    if not isinstance(error, McpError) or error.code != MISSING_CLIENT_CAPABILITY:
        return False
    about: Any = getattr(request_ctx.get(None), "about", {})
    return bool(about.get("era") == "modern")


def as_clients_refuse(error: McpError, method: str) -> McpError:
    """The error for a question that the client cannot be asked."""
    words = face.current.refusals.get(method)
    if words is None or error.code != MISSING_CLIENT_CAPABILITY:
        return error
    about: Any = getattr(request_ctx.get(None), "about", {})
    return error if about.get("era") == "modern" else McpError(INVALID_REQUEST, words)


def refuse_within_calls(method: str, live: Any) -> None:
    """Refuse a question within a call of the modern era, where the face asks by results alone.

    Raises:
        NoBackChannelError: The client cannot be asked.
    """
    current = face.current
    if current.asks_by_results and not asks_by_result.get() and method in current.refusals:
        if live is not None and live.about.get("era") == "modern":
            raise NoBackChannelError(method)


def method_not_found(method: str) -> McpError:
    """The error for a method without a handler."""
    current = face.current
    return McpError(
        METHOD_NOT_FOUND, current.method_not_found.format(method=method), method if current.names_the_method else None
    )


def introduction(method: str, about: dict[str, Any], revision: str = "") -> str | None:
    """The answer that the engine would give by itself, for middleware that sees it on its way,
    and for tests that make the engine ask the host.
    """
    if method in ("logging/setLevel", "resources/subscribe", "resources/unsubscribe"):
        return "{}"
    if method not in ("initialize", "server/discover"):
        return None
    if method == "server/discover":
        # The engine says which revisions it speaks, if the answer does not.
        known: dict[str, Any] = {} if face.current.own_words else {"supportedVersions": MODERN_REVISIONS}
        about = {**about, "capabilities": _without(about.get("capabilities", {}), "tasks")}
        return dumps({**known, **_named(about, "capabilities", "instructions")})
    version: dict[str, Any] = {"protocolVersion": revision} if revision else {}
    return dumps({**version, **_named(about, "capabilities", "serverInfo", "instructions")})


def _without(values: dict[str, Any], name: str) -> dict[str, Any]:
    """What only clients of earlier revisions are told is left out."""
    return {key: value for key, value in values.items() if key != name}


def _named(about: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: about[name] for name in names if name in about}


def invalid_params() -> McpError:
    """The error for params that do not fit their method."""
    return McpError(INVALID_PARAMS, "Invalid request parameters", "")


def without_its_words(error: BaseException) -> BaseException:
    """The error that modern clients get for an unexpected exception in a handler of the 2.x
    kind. It says only that there was one; the log has the exception.
    """
    if _is_for_clients(error):
        return error
    if _refused_by_pydantic(error):
        return invalid_params()
    return McpError(INTERNAL_ERROR, "Internal server error")


def log_unexpected(method: str, error: BaseException, about: dict[str, Any]) -> None:
    """Log what went wrong in a handler of the 2.x kind, where 2.3 logs it and in its words. They
    differ by the era of the request, which `about` tells.
    """
    # The end of a task or of the process is none of the handler's faults.
    if not isinstance(error, Exception) or _is_for_clients(error) or _refused_by_pydantic(error):
        return
    if about.get("era") == "modern":
        logging.getLogger("mcp.server.runner").error("modern request handler raised", exc_info=error)
    else:
        logging.getLogger("mcp.shared.jsonrpc_dispatcher").error("handler for %r raised", method, exc_info=error)


def _is_for_clients(error: BaseException) -> bool:
    return isinstance(error, (McpError, UnknownPromptError, UnknownResourceMixin))


def _refused_by_pydantic(error: BaseException) -> bool:
    """Whether this is what pydantic refuses, in 2.x: it counts as the client's fault there."""
    return face.current.api == 2 and isinstance(error, ValueError) and hasattr(error, "errors")


def is_meant(error: BaseException) -> bool:
    """Whether the message of a tool's exception was written for a model to read."""
    if isinstance(error, NotFiniteError) or getattr(error, "_for_models", False):
        return True
    return isinstance(error, McpError) and error.code != INTERNAL_ERROR


def failure_row(call: int, error: BaseException, masked_in: str | None = None) -> Row:
    """The row that completes a call with an exception. `masked_in` is the method if clients
    must not see the messages of unexpected exceptions.
    """
    kind, code, message, data = _parts(error)
    # Programs act on the reason, so such an error is not masked.
    reasoned = isinstance(data, dict) and "reason" in data
    if masked_in is not None and code in (INTERNAL_ERROR, 0) and not reasoned:
        from .guarding import masked_words

        message, data = masked_words(error, masked_in), None
    return call, None, kind, code, readable(message), _text(data)


def _parts(error: BaseException) -> tuple[str, int, str, Any]:
    if isinstance(error, McpError):
        return "", error.code, error.message, error.data
    given = face.current.unexpected(error)
    if given is not None:
        return given
    if isinstance(error, UnknownResourceMixin):
        return "resource_not_found", RESOURCE_NOT_FOUND, str(error), {"uri": error.uri}
    if isinstance(error, UnknownPromptError):
        return "", INVALID_PARAMS, str(error), None
    return "internal", INTERNAL_ERROR, str(error) or type(error).__name__, None


def _text(data: Any) -> str | None:
    if data is None:
        return None
    try:
        return dumps(data)
    except (TypeError, ValueError):
        return dumps(str(data))
