"""The HTTP request that a handler runs for, as a Starlette `Request`.

Owns: where it comes from: an ASGI server, a transport that attached it to a message, or the
engine's own listener.
"""

from __future__ import annotations

import contextvars
from typing import Any, cast

# A `Request`, or an ASGI scope with its receive function.
carried_request: contextvars.ContextVar[Any] = contextvars.ContextVar("carried_request", default=None)


def request_of(about: dict[str, Any]) -> Any:
    """The HTTP request of the call that is being answered; `None` on other transports."""
    carried = carried_request.get()
    if carried is None:
        return _from_engine(about) if "headers" in about else None
    if not isinstance(carried, tuple):
        return carried
    from starlette.requests import Request

    return Request(*cast("tuple[Any, Any]", carried))


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
    return Request(scope)
