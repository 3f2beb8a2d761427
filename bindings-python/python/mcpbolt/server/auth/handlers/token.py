"""The token endpoint: exchanges a code or a refresh token for an access token
(RFC 6749 §4.1.3 and RFC 6749 §6).

Owns: whom is asked. Must not know: which codes, tokens and requests are good, which the engine
says.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AnyHttpUrl, AnyUrl, BaseModel, Field, RootModel
from starlette.requests import Request
from starlette.responses import Response

from ...._engine import face
from ....shared._authorization import Refused, decide
from ....shared.auth import OAuthClientInformationFull, OAuthToken
from .._answers import refusal, texts, unproved
from ..json_response import PydanticJSONResponse
from ..middleware.client_auth import AuthenticationError, ClientAuthenticator
from ..provider import (
    IdentityAssertionParams,
    OAuthAuthorizationServerProvider,
    TokenError,
    TokenErrorCode,
)

_FRESH = {"Cache-Control": "no-store", "Pragma": "no-cache"}


class AuthorizationCodeRequest(BaseModel):
    """The exchange of a code. `code_verifier` belongs to PKCE, `resource` to RFC 8707."""

    grant_type: Literal["authorization_code"]
    """Always `authorization_code`."""
    code: str = Field(..., description="The authorization code")
    """The authorization code."""
    redirect_uri: AnyUrl | None = Field(None, description="The one the authorization request named")
    """The one that the authorization request named. Default: it named none."""
    client_id: str
    """The client's id."""
    client_secret: str | None = None
    """The client's secret. Default: none."""
    code_verifier: str = Field(..., description="PKCE code verifier")
    """The secret of PKCE."""
    resource: str | None = Field(None, description="The server the token is for")
    """The server that the token is for. Default: none is named."""


class RefreshTokenRequest(BaseModel):
    """The exchange of a refresh token, for its scopes or a part of them."""

    grant_type: Literal["refresh_token"]
    """Always `refresh_token`."""
    refresh_token: str = Field(..., description="The refresh token")
    """The refresh token."""
    scope: str | None = Field(None, description="Scopes, with spaces between them")
    """Scopes, with spaces between them. Default: all of the refresh token."""
    client_id: str
    """The client's id."""
    client_secret: str | None = None
    """The client's secret. Default: none."""
    resource: str | None = Field(None, description="The server the token is for")
    """The server that the token is for. Default: none is named."""


class JwtBearerRequest(BaseModel):
    """The exchange of an assertion of another authorization server (RFC 7523 §2.1)."""

    grant_type: Literal["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    """Always that of RFC 7523."""
    assertion: str = Field(..., description="The assertion, a signed JWT")
    """The assertion, a signed JWT."""
    scope: str | None = Field(None, description="Scopes, with spaces between them")
    """Scopes, with spaces between them. Default: none are named."""
    client_id: str
    """The client's id."""
    client_secret: str | None = None
    """The client's secret. Default: none."""
    resource: str | None = Field(None, description="The server the token is for")
    """The server that the token is for. Default: none is named."""


_Own = AuthorizationCodeRequest | RefreshTokenRequest
if TYPE_CHECKING or face.current.api == 2:
    _AnyRequest = Annotated[_Own | JwtBearerRequest, Field(discriminator="grant_type")]
else:
    # 1.x knows no other grants, and refuses them in words of its own.
    _AnyRequest = Annotated[_Own, Field(discriminator="grant_type")]


class TokenRequest(RootModel[Any]):
    """A request of either kind."""

    root: _AnyRequest


class TokenErrorResponse(BaseModel):
    """Why a token request was refused (RFC 6749 §5.2)."""

    error: TokenErrorCode
    """The code."""
    error_description: str | None = None
    """The reason, for the client's developer. Default: none."""
    error_uri: AnyHttpUrl | None = None
    """A page about the error. Default: none."""


class TokenSuccessResponse(RootModel[OAuthToken]):
    """The issued token."""

    root: OAuthToken


@dataclass
class TokenHandler:
    """Has the client's code or refresh token checked, then lets the provider issue a token."""

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]
    """The authorization server."""
    client_authenticator: ClientAuthenticator
    """Says which client sent a form."""
    identity_assertion_enabled: bool = False
    """Whether assertions of an identity provider are taken. Default: no."""

    def response(self, obj: TokenSuccessResponse | TokenErrorResponse) -> Response:
        """Respond with 200 or 400; never cacheable.

        Args:
            obj: The token, or why there is none.
        """
        if isinstance(obj, TokenErrorResponse):
            return refusal("token", obj)
        return PydanticJSONResponse(content=obj, status_code=200, headers=_FRESH)

    async def handle(self, request: Request) -> Response:
        """Answer 200 with a token; 401 for a client that is not authenticated, 400 for other
        errors.

        Args:
            request: The Starlette request.
        """
        try:
            client = await self.client_authenticator.authenticate_request(request)
            form = texts(await request.form())
            asked = decide("read_token_request", form=form, grant_types=client.grant_types)
            token = await self._exchange(client, asked)
        except AuthenticationError as error:
            return unproved("token", error.message)
        except (Refused, TokenError) as refused:
            code: Any = refused.error
            return self.response(TokenErrorResponse(error=code, error_description=refused.error_description))
        return self.response(TokenSuccessResponse(root=token))

    async def _exchange(self, client: OAuthClientInformationFull, asked: dict[str, Any]) -> OAuthToken:
        provider, scope = self.provider, asked.get("scope")
        if asked["grant_type"] == "authorization_code":
            code = await provider.load_authorization_code(client, asked["code"])
            decide("check_code", asked=asked, held=_facts(code, _CODE), now=time.time())
            return await provider.exchange_authorization_code(client, code)
        if asked["grant_type"] == "refresh_token":
            held = await provider.load_refresh_token(client, asked["refresh_token"])
            scopes = decide("check_refresh", asked=asked, held=_facts(held, _REFRESH), now=time.time())
            return await provider.exchange_refresh_token(client, held, scopes)
        confidential = bool(client.client_secret)
        decide("check_assertion_grant", enabled=self.identity_assertion_enabled, confidential=confidential)
        wanted = IdentityAssertionParams(
            assertion=asked["assertion"], scopes=scope.split(" ") if scope else None, resource=asked.get("resource")
        )
        return await provider.exchange_identity_assertion(client, wanted)


_CODE = ("client_id", "expires_at", "redirect_uri", "redirect_uri_provided_explicitly", "code_challenge")
_REFRESH = ("client_id", "scopes", "expires_at")


def _facts(held: Any, names: tuple[str, ...]) -> dict[str, Any] | None:
    """What the engine has to know of a code or a token."""
    if held is None:
        return None
    facts = {name: getattr(held, name) for name in names}
    return {name: str(value) if name == "redirect_uri" else value for name, value in facts.items()}
