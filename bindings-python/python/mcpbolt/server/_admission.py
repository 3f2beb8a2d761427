"""Which ASGI requests a server behind a mount accepts, and how large their bodies may be."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from .._engine import face
from ._asgi import Receive, Scope, Send, bounded_body, plain

if TYPE_CHECKING:
    from .transport_security import TransportSecuritySettings


async def admit(
    settings: TransportSecuritySettings | None, most: int, scope: Scope, receive: Receive, send: Send
) -> bytes | None:
    """Return the body of a request; `None` if the request was refused."""
    body = await bounded_body(scope, receive, send, most) if face.current.bounds_first else b""
    if body is None:
        return None
    refused = None if settings is None else _refusal(settings, scope)
    if refused is not None:
        await plain(send, *refused)
        return None
    return body if face.current.bounds_first else await bounded_body(scope, receive, send, most)


@cache
def _check() -> Callable[[TransportSecuritySettings, str | None, str | None], tuple[int, str] | None]:
    # Imported late: the module loads pydantic, which a server without settings does not need.
    from .transport_security import refusal

    return refusal


def _refusal(settings: TransportSecuritySettings, scope: Scope) -> tuple[int, str] | None:
    host = origin = None
    for name, value in scope["headers"]:
        if name == b"host":
            host = host or value.decode("latin-1")
        elif name == b"origin":
            origin = origin or value.decode("latin-1")
    return _check()(settings, host, origin)
