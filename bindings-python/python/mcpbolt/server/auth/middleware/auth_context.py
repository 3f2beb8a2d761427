"""The token of the request that is being handled, for handlers."""

from __future__ import annotations

import contextvars

from starlette.types import ASGIApp, Receive, Scope, Send

from ..provider import AccessToken
from .bearer_auth import AuthenticatedUser

auth_context_var: contextvars.ContextVar[AuthenticatedUser | None] = contextvars.ContextVar(
    "auth_context", default=None
)
"""The authenticated sender of the request that is being handled; `None` without a token."""


def get_access_token() -> AccessToken | None:
    """The verified token of the request that is being handled, for use in tools and other
    handlers; `None` without one.
    """
    user = auth_context_var.get()
    return None if user is None else user.access_token


class AuthContextMiddleware:
    """Sets `auth_context_var` for each request. Place it inside Starlette's
    `AuthenticationMiddleware`.

    Args:
        app: The application to call.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI request."""
        user = scope.get("user")
        token = auth_context_var.set(user if isinstance(user, AuthenticatedUser) else None)
        try:
            await self.app(scope, receive, send)
        finally:
            auth_context_var.reset(token)
