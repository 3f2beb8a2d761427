"""Revocation of tokens (RFC 7009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from ....shared._authorization import Refused, decide
from ....shared.auth import OAuthClientInformationFull
from .._answers import refusal, texts, unproved
from ..middleware.client_auth import AuthenticationError, ClientAuthenticator
from ..provider import AccessToken, OAuthAuthorizationServerProvider, RefreshToken

_Token = AccessToken | RefreshToken


class RevocationRequest(BaseModel):
    """The form of a request (RFC 7009 §2.1). The hint says which kind of token to try first."""

    token: str
    """The token."""
    token_type_hint: Literal["access_token", "refresh_token"] | None = None
    """Which kind of token to try first. Default: none is named."""
    client_id: str
    """The client's id."""
    client_secret: str | None
    """The client's secret."""


class RevocationErrorResponse(BaseModel):
    """The error of a refused revocation request."""

    error: Literal["invalid_request", "unauthorized_client"]
    """The code."""
    error_description: str | None = None
    """The reason, for the client's developer. Default: none."""


@dataclass
class RevocationHandler:
    """Revokes tokens of the requesting client, without telling whether a token existed."""

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]
    """The authorization server."""
    client_authenticator: ClientAuthenticator
    """Says which client sent a form."""

    async def handle(self, request: Request) -> Response:
        """Answer 200, whether or not the token existed; 401 or 400 for an invalid request.

        Args:
            request: The Starlette request.
        """
        try:
            client = await self.client_authenticator.authenticate_request(request)
            asked = decide("read_revocation", form=texts(await request.form()))
        except AuthenticationError as error:
            return unproved("revoke", error.message)
        except Refused as refused:
            return refusal("revoke", refused)
        token = await self._find(client, asked)
        if token is not None and token.client_id == client.client_id:
            await self.provider.revoke_token(token)
        return Response(status_code=200, headers={"Cache-Control": "no-store", "Pragma": "no-cache"})

    async def _find(
        self, client: OAuthClientInformationFull, asked: dict[str, Any]
    ) -> _Token | None:
        async def of_client(token: str) -> _Token | None:
            return cast("_Token | None", await self.provider.load_refresh_token(client, token))

        async def of_anybody(token: str) -> _Token | None:
            return cast("_Token | None", await self.provider.load_access_token(token))

        first_refresh = asked.get("token_type_hint") == "refresh_token"
        for find in (of_client, of_anybody) if first_refresh else (of_anybody, of_client):
            found = await find(asked["token"])
            if found is not None:
                return found
        return None
