"""Client authentication at the token and revocation endpoints (RFC 6749 §2.3).

Owns: looking the client up. Must not know: what proves a client, which the engine says.
"""

from __future__ import annotations

import time
from typing import Any

from starlette.requests import Request

from ....shared._authorization import Refused, decide
from ....shared.auth import OAuthClientInformationFull
from .._answers import texts
from ..provider import OAuthAuthorizationServerProvider

_FACTS = ("client_secret", "client_secret_expires_at", "token_endpoint_auth_method")


class AuthenticationError(Exception):
    """A client could not be authenticated.

    Args:
        message: What is wrong.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ClientAuthenticator:
    """Authenticates clients: their secret must be sent in the way they registered for. Public clients
    have no secret.

    Args:
        provider: The provider of the authorization server, which knows the clients.
    """

    def __init__(self, provider: OAuthAuthorizationServerProvider[Any, Any, Any]) -> None:
        self.provider = provider

    async def authenticate_request(self, request: Request) -> OAuthClientInformationFull:
        """Return the client that sent a form.

        Args:
            request: The Starlette request.

        Raises:
            AuthenticationError: The client is unknown, or its secret is missing, wrong or expired.
        """
        form, header = texts(await request.form()), request.headers.get("authorization")
        try:
            client = await self.provider.get_client(decide("named_client", form=form))
            known = None if client is None else {name: getattr(client, name) for name in _FACTS}
            decide("prove_client", form=form, authorization=header, client=known, now=time.time())
        except Refused as refused:
            raise AuthenticationError(refused.error_description or refused.error) from None
        assert client is not None, "no unknown client is proved"
        return client
