"""Bearer tokens of requests (RFC 6750): reading them and requiring them."""

from __future__ import annotations

import json
import logging
from typing import Any, TypedDict

from pydantic import AnyHttpUrl
from starlette.authentication import AuthCredentials, AuthenticationBackend, SimpleUser
from starlette.requests import HTTPConnection
from starlette.types import Receive, Scope, Send

from ...._engine.json import dumps
from ...._mcpbolt import BearerRules, EngineError
from ....shared._authorization import words
from ..._requests import GRANT
from ..provider import AccessToken, TokenVerifier, principal_components

logger: logging.Logger = logging.getLogger("mcp.server.auth.middleware.bearer_auth")


class AuthenticatedUser(SimpleUser):
    """The client that a verified token was issued to; the user name is the client's id.

    Args:
        auth_info: The verified token.
    """

    def __init__(self, auth_info: AccessToken) -> None:
        super().__init__(auth_info.client_id)
        self.access_token = auth_info
        self.scopes: list[str] = auth_info.scopes


class AuthorizationContext(TypedDict):
    """The client and user that a session belongs to; `None` for what the token does not name."""

    client_id: str
    """The client."""
    issuer: str | None
    """The issuer of the token."""
    subject: str | None
    """The user."""


def authorization_context(user: AuthenticatedUser) -> AuthorizationContext:
    """The client and user who sent a request, to be compared with those who opened the session.

    Args:
        user: The user of the request.
    """
    client, issuer, subject = principal_components(user.access_token)
    return {"client_id": client, "issuer": issuer, "subject": subject}


class BearerAuthBackend(AuthenticationBackend):
    """Reads the token of a request for Starlette's `AuthenticationMiddleware`.

    With `resource_server_url`, only tokens issued for that URL are valid. Requests without a
    valid token are anonymous; `RequireAuthMiddleware` refuses them.

    Args:
        token_verifier: Verifies tokens.
        resource_server_url: The URL that tokens must be issued for. Default: any.
    """

    def __init__(self, token_verifier: TokenVerifier, *, resource_server_url: AnyHttpUrl | None = None) -> None:
        self.token_verifier = token_verifier
        self.resource_server_url = resource_server_url
        self._rules = _rules(resource=resource_server_url)

    async def authenticate(self, conn: HTTPConnection) -> tuple[AuthCredentials, AuthenticatedUser] | None:
        """The scopes and the user of a valid token; `None` without one.

        Args:
            conn: The request.
        """
        try:
            bearer = self._rules.token(conn.headers.get("authorization", ""))
        except EngineError:
            return None
        token = await self.token_verifier.verify_token(bearer)
        if token is None:
            return None
        try:
            self._rules.judge((), token.expires_at, token.resource)
        except EngineError as refused:
            if refused.args[3]["error"] == "invalid_target":
                logger.warning("A bearer token for another resource than %s was refused", self.resource_server_url)
            return None
        return AuthCredentials(token.scopes), AuthenticatedUser(token)


class RequireAuthMiddleware:
    """ASGI middleware that lets requests with a valid token and all required scopes through.

    Others get 401 without a token and 403 if a scope is missing, both with `WWW-Authenticate`,
    which names the protected resource metadata (RFC 9728 §5.1) if there is any.

    Args:
        app: The application to protect.
        required_scopes: The scopes that a token must have.
        resource_metadata_url: The URL of the protected resource metadata, which refusals name.
            Default: none.
    """

    def __init__(
        self, app: Any, required_scopes: list[str], resource_metadata_url: AnyHttpUrl | None = None
    ) -> None:
        self.app = app
        self.required_scopes = required_scopes
        self.resource_metadata_url = resource_metadata_url
        self._rules = _rules(required_scopes=required_scopes, metadata_url=resource_metadata_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI request."""
        credentials = scope.get("auth")
        try:
            if not isinstance(scope.get("user"), AuthenticatedUser):
                self._rules.token("")
            self._rules.demand_scopes([] if credentials is None else credentials.scopes)
        except EngineError as refused:
            why = refused.args[3]
            status = self._rules.answer(dumps(why))["status"]
            await self._send_auth_error(send, status, why["error"], why["error_description"])
            return
        # What the engine needs to know where a single tool asks for more.
        url = None if self.resource_metadata_url is None else str(self.resource_metadata_url)
        granted = [] if credentials is None else list(credentials.scopes)
        scope[GRANT] = (granted, list(self.required_scopes), url)
        await self.app(scope, receive, send)

    async def _send_auth_error(self, send: Send, status_code: int, error: str, description: str) -> None:
        answer = self._rules.answer(dumps({"error": error, "error_description": description}))
        body = json.dumps(answer["body"]).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        headers += [(name.lower().encode(), value.encode()) for name, value in answer["headers"].items()]
        await send({"type": "http.response.start", "status": status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _rules(**given: Any) -> BearerRules:
    """Rules for tokens, read once."""
    members = {name: str(value) if isinstance(value, AnyHttpUrl) else value for name, value in given.items()}
    return BearerRules(dumps({"words": words(), **{name: value for name, value in members.items() if value}}))
