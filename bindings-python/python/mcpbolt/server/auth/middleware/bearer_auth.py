"""Bearer tokens of requests (RFC 6750): reading them and requiring them."""

from __future__ import annotations

import json
import logging
import time
from typing import Any, TypedDict

from pydantic import AnyHttpUrl, ValidationError
from starlette.authentication import AuthCredentials, AuthenticationBackend, SimpleUser
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from ..provider import AccessToken, TokenVerifier, principal_components

logger: logging.Logger = logging.getLogger("mcp.server.auth.middleware.bearer_auth")

_SCHEME = "bearer "


class AuthenticatedUser(SimpleUser):
    """The client that a verified token was issued to; the user name is the client's id."""

    def __init__(self, auth_info: AccessToken) -> None:
        super().__init__(auth_info.client_id)
        self.access_token = auth_info
        self.scopes: list[str] = auth_info.scopes


class AuthorizationContext(TypedDict):
    """Who a session belongs to; members are `None` if the token verifier does not supply them."""

    client_id: str
    issuer: str | None
    subject: str | None


def authorization_context(user: AuthenticatedUser) -> AuthorizationContext:
    """Who sent a request, to be compared with who opened the session."""
    client, issuer, subject = principal_components(user.access_token)
    return {"client_id": client, "issuer": issuer, "subject": subject}


class BearerAuthBackend(AuthenticationBackend):
    """Reads the token of a request for Starlette's `AuthenticationMiddleware`.

    With `resource_server_url`, only tokens issued for that URL are valid. Requests without a
    valid token are anonymous; `RequireAuthMiddleware` refuses them.
    """

    def __init__(self, token_verifier: TokenVerifier, *, resource_server_url: AnyHttpUrl | None = None) -> None:
        self.token_verifier = token_verifier
        self.resource_server_url = resource_server_url

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, AuthenticatedUser] | None:
        """The scopes and the user of a valid token; `None` without one."""
        header = conn.headers.get("authorization", "")
        if header[: len(_SCHEME)].lower() != _SCHEME:
            return None
        token = await self.token_verifier.verify_token(header[len(_SCHEME) :])
        if token is None or (token.expires_at and token.expires_at < int(time.time())):
            return None
        if self.resource_server_url and not self._is_for_us(token.resource):
            logger.warning("A bearer token for another resource than %s was refused", self.resource_server_url)
            return None
        return AuthCredentials(token.scopes), AuthenticatedUser(token)

    def _is_for_us(self, resource: str | None) -> bool:
        # Compared as URLs: case of the host, default ports and a final slash do not matter.
        try:
            named = str(AnyHttpUrl(resource or ""))
        except ValidationError:
            return False
        return named.removesuffix("/") == str(self.resource_server_url).removesuffix("/")


class RequireAuthMiddleware:
    """Passes on requests with a valid token and all required scopes.

    Others get 401 without a token and 403 if a scope is missing, both with `WWW-Authenticate`,
    which names the protected resource metadata (RFC 9728 §5.1) if there is any.
    """

    def __init__(
        self, app: Any, required_scopes: list[str], resource_metadata_url: AnyHttpUrl | None = None
    ) -> None:
        self.app = app
        self.required_scopes = required_scopes
        self.resource_metadata_url = resource_metadata_url

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI request."""
        if not isinstance(scope.get("user"), AuthenticatedUser):
            await self._send_auth_error(send, 401, "invalid_token", "Authentication required")
            return
        credentials = scope.get("auth")
        granted: list[str] = [] if credentials is None else credentials.scopes
        missing = next((required for required in self.required_scopes if required not in granted), None)
        if missing is not None:
            await self._send_auth_error(send, 403, "insufficient_scope", f"Required scope: {missing}")
            return
        await self.app(scope, receive, send)

    async def _send_auth_error(self, send: Send, status_code: int, error: str, description: str) -> None:
        challenge = {"error": error, "error_description": description}
        body = json.dumps(challenge).encode()
        if self.resource_metadata_url:
            challenge["resource_metadata"] = str(self.resource_metadata_url)
        parts = ", ".join(f'{name}="{value}"' for name, value in challenge.items())
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"www-authenticate", f"Bearer {parts}".encode()),
        ]
        await send({"type": "http.response.start", "status": status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body})
