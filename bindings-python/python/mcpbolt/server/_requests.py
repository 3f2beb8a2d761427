"""The HTTP request that a handler runs for, as a Starlette `Request`.

Owns: where it comes from: an ASGI server, a transport that attached it to a message, or the
engine's own listener; what its token allows. Must not know: how a token is verified.
"""

from __future__ import annotations

import contextvars
from collections.abc import MutableMapping
from typing import Any, cast

# What a token allows: its scopes, those that every request needs, and where the metadata are.
Grant = tuple[list[str], list[str], str | None]

# The key of an ASGI scope under which a middleware that verified its token says what this allows.
GRANT = "mcpbolt.grant"

# A `Request`, or an ASGI scope with its receive function and the body that was read from it.
carried_request: contextvars.ContextVar[Any] = contextvars.ContextVar("carried_request", default=None)


def grant_of(scope: MutableMapping[str, Any]) -> Grant | None:
    """What the token of a request allows; `None` without a token."""
    known: Grant | None = scope.get(GRANT)
    if known is not None or getattr(scope.get("user"), "access_token", None) is None:
        return known
    credentials = scope.get("auth")
    return None if credentials is None else (list(credentials.scopes), [], None)


def request_of(about: dict[str, Any]) -> Any:
    """The HTTP request of the call that is being answered; `None` on other transports."""
    carried = carried_request.get()
    if carried is None:
        return _from_engine(about) if "headers" in about else None
    if not isinstance(carried, tuple):
        return carried
    from starlette.requests import Request

    scope, receive, body = cast("tuple[Any, Any, bytes]", carried)
    return with_body(Request(scope, receive), body)


def with_body(request: Any, body: bytes) -> Any:
    """A `Request` whose body was read already, and that hands it out as often as it is asked."""
    # Where Starlette keeps it; to receive it once more would wait until the client disconnects.
    request._body = body
    return request


async def _nothing_to_receive() -> Any:
    raise RuntimeError(
        "request: the server's own listener keeps no body for handlers, nor tells whether the client has left; take the "
        "handler's arguments, or serve streamable_http_app() with an ASGI server"
    )


def _from_engine(about: dict[str, Any]) -> Any:
    from urllib.parse import urlsplit

    from starlette.requests import Request

    target = urlsplit(about.get("target") or "/")
    peer = str(about.get("peer") or "")
    host, _, port = peer.rpartition(":")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": target.path,
        "raw_path": target.path.encode(),
        "query_string": target.query.encode(),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in about["headers"]],
        "client": (host.strip("[]"), int(port)) if port.isdigit() else None,
        "server": None,
    }
    return Request(scope, _nothing_to_receive)
