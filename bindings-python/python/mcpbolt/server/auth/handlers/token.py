"""The token endpoint: exchanges a code or a refresh token for an access token
(RFC 6749 §4.1.3 and RFC 6749 §6).
"""

from __future__ import annotations

import base64
import hashlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AnyHttpUrl, AnyUrl, BaseModel, Field, RootModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from ...._engine import face
from ....shared.auth import OAuthClientInformationFull, OAuthToken
from ..errors import stringify_pydantic_error
from ..json_response import PydanticJSONResponse
from ..middleware.client_auth import AuthenticationError, ClientAuthenticator
from ..provider import (
    AuthorizationCode,
    IdentityAssertionParams,
    OAuthAuthorizationServerProvider,
    TokenError,
    TokenErrorCode,
)

_FRESH = {"Cache-Control": "no-store", "Pragma": "no-cache"}


class AuthorizationCodeRequest(BaseModel):
    """The exchange of a code. `code_verifier` belongs to PKCE, `resource` to RFC 8707."""

    grant_type: Literal["authorization_code"]
    code: str = Field(..., description="The authorization code")
    redirect_uri: AnyUrl | None = Field(None, description="The one the authorization request named")
    client_id: str
    client_secret: str | None = None
    code_verifier: str = Field(..., description="PKCE code verifier")
    resource: str | None = Field(None, description="The server the token is for")


class RefreshTokenRequest(BaseModel):
    """The exchange of a refresh token, for its scopes or a part of them."""

    grant_type: Literal["refresh_token"]
    refresh_token: str = Field(..., description="The refresh token")
    scope: str | None = Field(None, description="Scopes, with spaces between them")
    client_id: str
    client_secret: str | None = None
    resource: str | None = Field(None, description="The server the token is for")


class JwtBearerRequest(BaseModel):
    """The exchange of an assertion of another authorization server (RFC 7523 §2.1)."""

    grant_type: Literal["urn:ietf:params:oauth:grant-type:jwt-bearer"]
    assertion: str = Field(..., description="The assertion, a signed JWT")
    scope: str | None = Field(None, description="Scopes, with spaces between them")
    client_id: str
    client_secret: str | None = None
    resource: str | None = Field(None, description="The server the token is for")


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
    error_description: str | None = None
    error_uri: AnyHttpUrl | None = None


class TokenSuccessResponse(RootModel[OAuthToken]):
    """The issued token."""

    root: OAuthToken


@dataclass
class TokenHandler:
    """Checks the client's code or refresh token, then lets the provider issue a token."""

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]
    client_authenticator: ClientAuthenticator
    identity_assertion_enabled: bool = False

    def response(self, obj: TokenSuccessResponse | TokenErrorResponse) -> Response:
        """Respond with 200 or 400; never cacheable."""
        status = 400 if isinstance(obj, TokenErrorResponse) else 200
        return PydanticJSONResponse(content=obj, status_code=status, headers=_FRESH)

    async def handle(self, request: Request) -> Response:
        """Answer 200 with a token; 401 for a client that is not authenticated, 400 for other
        errors.
        """
        try:
            client = await self.client_authenticator.authenticate_request(request)
            asked: _AnyRequest = TokenRequest.model_validate(dict(await request.form())).root
            if asked.grant_type not in client.grant_types:
                described = f"Unsupported grant type (supported grant types are {client.grant_types})"
                raise TokenError("unsupported_grant_type", described)
            if isinstance(asked, AuthorizationCodeRequest):
                token = await self._from_code(client, asked)
            elif isinstance(asked, JwtBearerRequest):
                token = await self._from_assertion(client, asked)
            else:
                token = await self._from_refresh_token(client, asked)
        except AuthenticationError as error:
            kind: Any = "invalid_client" if face.current.api == 2 else "unauthorized_client"
            told = TokenErrorResponse(error=kind, error_description=error.message)
            return PydanticJSONResponse(content=told, status_code=401, headers=_FRESH)
        except ValidationError as invalid:
            described = stringify_pydantic_error(invalid)
            return self.response(TokenErrorResponse(error="invalid_request", error_description=described))
        except TokenError as refused:
            told = TokenErrorResponse(error=refused.error, error_description=refused.error_description)
            return self.response(told)
        return self.response(TokenSuccessResponse(root=token))

    async def _from_code(self, client: OAuthClientInformationFull, asked: AuthorizationCodeRequest) -> OAuthToken:
        code = await self.provider.load_authorization_code(client, asked.code)
        if code is None or code.client_id != asked.client_id:
            # The code of another client is treated like one that does not exist.
            raise TokenError("invalid_grant", "authorization code does not exist")
        if code.expires_at < time.time():
            raise TokenError("invalid_grant", "authorization code has expired")
        if asked.redirect_uri != _named_redirect(code):
            raise TokenError("invalid_request", "redirect_uri did not match the one used when creating auth code")
        if _challenge(asked.code_verifier) != code.code_challenge:
            raise TokenError("invalid_grant", "incorrect code_verifier")
        return await self.provider.exchange_authorization_code(client, code)

    async def _from_assertion(self, client: OAuthClientInformationFull, asked: JwtBearerRequest) -> OAuthToken:
        if not self.identity_assertion_enabled:
            raise TokenError(
                "unsupported_grant_type", "The JWT bearer grant is not supported by this authorization server"
            )
        if not client.client_secret:
            raise TokenError("unauthorized_client", "The JWT bearer grant requires a confidential client")
        scopes = asked.scope.split(" ") if asked.scope else None
        wanted = IdentityAssertionParams(assertion=asked.assertion, scopes=scopes, resource=asked.resource)
        return await self.provider.exchange_identity_assertion(client, wanted)

    async def _from_refresh_token(self, client: OAuthClientInformationFull, asked: RefreshTokenRequest) -> OAuthToken:
        held = await self.provider.load_refresh_token(client, asked.refresh_token)
        if held is None or held.client_id != asked.client_id:
            raise TokenError("invalid_grant", "refresh token does not exist")
        if held.expires_at and held.expires_at < time.time():
            raise TokenError("invalid_grant", "refresh token has expired")
        scopes = asked.scope.split(" ") if asked.scope else held.scopes
        for scope in scopes:
            if scope not in held.scopes:
                raise TokenError("invalid_scope", f"cannot request scope `{scope}` not provided by refresh token")
        return await self.provider.exchange_refresh_token(client, held, scopes)


def _named_redirect(code: AuthorizationCode) -> AnyUrl | None:
    """The redirect URI that must be repeated: only one that was given explicitly
    (RFC 6749 §4.1.3).
    """
    return code.redirect_uri if code.redirect_uri_provided_explicitly else None


def _challenge(verifier: str) -> str:
    """The S256 challenge of a verifier (RFC 7636 §4.2)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
