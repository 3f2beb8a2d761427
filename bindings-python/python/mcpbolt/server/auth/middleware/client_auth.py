"""Client authentication at the token and revocation endpoints (RFC 6749 §2.3)."""

from __future__ import annotations

import base64
import hmac
import time
from typing import Any
from urllib.parse import unquote

from starlette.requests import Request

from ....shared.auth import OAuthClientInformationFull
from ..provider import OAuthAuthorizationServerProvider


class AuthenticationError(Exception):
    """A client could not be authenticated; `message` says why."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ClientAuthenticator:
    """Requires a client's secret, sent in the way it registered for. Public clients have no
    secret.
    """

    def __init__(self, provider: OAuthAuthorizationServerProvider[Any, Any, Any]) -> None:
        self.provider = provider

    async def authenticate_request(self, request: Request) -> OAuthClientInformationFull:
        """Return the client that sent a form.

        Raises:
            AuthenticationError: The client is unknown, or its secret is missing, wrong or expired.
        """
        form = await request.form()
        client_id = form.get("client_id")
        if not client_id:
            raise AuthenticationError("Missing client_id")
        client = await self.provider.get_client(str(client_id))
        if client is None:
            raise AuthenticationError("Invalid client_id")
        method = client.token_endpoint_auth_method
        secret: str | None
        if method == "client_secret_basic":
            secret = _basic_secret(request.headers.get("authorization", ""), str(client_id))
        elif method == "client_secret_post":
            field = form.get("client_secret")
            secret = field if isinstance(field, str) else None
        elif method == "none":
            secret = None
        else:
            raise AuthenticationError(f"Unsupported auth method: {method}")
        _check_secret(client, secret)
        return client


def _basic_secret(header: str, client_id: str) -> str:
    """The secret of a Basic header, in which id and secret are form-encoded (RFC 6749 §2.3.1)."""
    scheme, _, encoded = header.partition(" ")
    if scheme != "Basic" or not encoded:
        raise AuthenticationError("Missing or invalid Basic authentication in Authorization header")
    try:
        named, colon, secret = base64.b64decode(encoded).decode().partition(":")
    except ValueError:
        raise AuthenticationError("Invalid Basic authentication header") from None
    if not colon:
        raise AuthenticationError("Invalid Basic authentication header")
    if unquote(named) != client_id:
        raise AuthenticationError("Client ID mismatch in Basic auth")
    return unquote(secret)


def _check_secret(client: OAuthClientInformationFull, secret: str | None) -> None:
    if not client.client_secret:
        return
    if not secret:
        raise AuthenticationError("Client secret is required")
    # Compared as bytes, as it may hold any character, and in constant time.
    if not hmac.compare_digest(client.client_secret.encode(), secret.encode()):
        raise AuthenticationError("Invalid client_secret")
    if client.client_secret_expires_at and client.client_secret_expires_at < int(time.time()):
        raise AuthenticationError("Client secret has expired")
