"""Which hosts and origins are allowed over HTTP, and how large request bodies may be."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, Field

from .._engine import face
from ._asgi import DEFAULT_MAX_REQUEST_BODY_SIZE as DEFAULT_MAX_REQUEST_BODY_SIZE
from ._asgi import Receive, Scope, Send, is_too_large, plain

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.responses import Response

logger: logging.Logger = logging.getLogger("mcp.server.transport_security")


class TransportSecuritySettings(BaseModel):
    """Which `Host` and `Origin` headers are allowed over HTTP: protection against web pages that
    reach a local server under a host name of theirs (DNS rebinding).
    """

    enable_dns_rebinding_protection: bool = Field(default=True, description="Whether hosts and origins are checked")
    """Whether the headers are checked. Default: yes."""
    allowed_hosts: list[str] = Field(default=[], description="Values of `Host`; `name:*` is any port")
    """The allowed values of `Host`; `name:*` allows any port. Others get status 403 from the engine's
    listener, 421 in an ASGI application that checks by itself. Default: none,
    which refuses every request.
    """
    allowed_origins: list[str] = Field(default=[], description="Values of `Origin`; `scheme://name:*` is any port")
    """The allowed values of `Origin`; `scheme://name:*` allows any port. Others get status 403;
    requests without the header are allowed. Default: none.
    """


def refusal(
    settings: TransportSecuritySettings | None, host: str | None, origin: str | None
) -> tuple[int, str] | None:
    """The status and the text that refuse a request; `None` if the request is allowed.

    Args:
        settings: Which `Host` and `Origin` headers are allowed; `None` for all.
        host: The `Host` header.
        origin: The `Origin` header.
    """
    if settings is None or not settings.enable_dns_rebinding_protection:
        return None
    if not host or not _is_allowed(host, settings.allowed_hosts):
        logger.warning(_words("Host", host))
        return 421, "Invalid Host header"
    if origin and not _is_allowed(origin, settings.allowed_origins):
        logger.warning(_words("Origin", origin))
        return 403, "Invalid Origin header"
    return None


def _words(header: str, value: str | None) -> str:
    if not face.current.own_words:
        return f"Invalid {header} header: {value}" if value else f"Missing {header} header in request"
    return f"A request was refused: its {header} header is {'' if value else 'missing or '}not allowed"


def _is_allowed(value: str, allowed: list[str]) -> bool:
    if value in allowed:
        return True
    name, colon, port = value.rpartition(":")
    return bool(colon) and port.isdigit() and f"{name}:*" in allowed


class RequestBodyLimitMiddleware:
    """ASGI middleware that passes on only requests whose body is not too large.

    Args:
        app: The application to protect.
        max_body_size: The largest request body that is passed on, in bytes; larger ones get status
            413.
    """

    def __init__(self, app: Any, max_body_size: int) -> None:
        self.app = app
        self.max_body_size = max_body_size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        messages = None if is_too_large(scope, self.max_body_size) else await self._heard(receive)
        if messages is None:
            await plain(send, 413, "Request body too large")
            return

        async def replay() -> Any:
            return messages.pop(0) if messages else await receive()

        await self.app(scope, replay, send)

    async def _heard(self, receive: Receive) -> list[Any] | None:
        """All messages up to the end of the body, or up to the client's disconnect, which the
        application has to see; `None` if the body is too large.
        """
        body, began = bytearray(), False
        while True:
            message = await receive()
            more = bool(message.get("more_body", False))
            if message["type"] == "http.request":
                began = True
                body += message.get("body", b"")
                if len(body) > self.max_body_size:
                    return None
                if more:
                    continue
                return [{"type": "http.request", "body": bytes(body), "more_body": False}]
            part = [{"type": "http.request", "body": bytes(body), "more_body": True}] if began else []
            return [*part, message]


class TransportSecurityMiddleware:
    """Checks the `Host` and `Origin` headers of requests, for transports that a program manages
    itself.

    Args:
        settings: Which `Host` and `Origin` headers are allowed. Default: all.
    """

    def __init__(self, settings: TransportSecuritySettings | None = None) -> None:
        self.settings: TransportSecuritySettings = settings or TransportSecuritySettings(enable_dns_rebinding_protection=False)

    async def validate_request(self, request: HTTPConnection, is_post: bool = False) -> Response | None:
        """The response that refuses a request; `None` if the request is allowed.

        Args:
            request: The request.
            is_post: Whether the request is a POST, whose content type must be JSON. Default: no.
        """
        from starlette.responses import Response

        if is_post and not request.headers.get("content-type", "").lower().startswith("application/json"):
            return Response("Invalid Content-Type header", status_code=400)
        refused = refusal(self.settings, request.headers.get("host"), request.headers.get("origin"))
        return None if refused is None else Response(refused[1], status_code=refused[0])
