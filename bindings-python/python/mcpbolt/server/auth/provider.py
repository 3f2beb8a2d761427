"""What an authorization server has to store and decide, and how tokens are verified.

Owns: the protocols that a program implements, and the values they exchange. Must not know:
HTTP; the endpoints are in `handlers`, the checks in `middleware`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

from pydantic import AnyUrl, BaseModel
from typing_extensions import TypeVar

from ...shared.auth import OAuthClientInformationFull, OAuthToken


class AuthorizationParams(BaseModel):
    """A valid authorization request. `resource` is the resource indicator of RFC 8707."""

    state: str | None
    scopes: list[str] | None
    code_challenge: str
    redirect_uri: AnyUrl
    redirect_uri_provided_explicitly: bool
    resource: str | None = None


class IdentityAssertionParams(BaseModel):
    """A request for a token by an assertion about the user (RFC 7523). The provider verifies the
    assertion.
    """

    assertion: str
    scopes: list[str] | None = None
    resource: str | None = None


class AuthorizationCode(BaseModel):
    """A code that can be exchanged for a token. `expires_at` is in seconds since 1970,
    `subject` is the resource owner.
    """

    code: str
    scopes: list[str]
    expires_at: float
    client_id: str
    code_challenge: str
    redirect_uri: AnyUrl
    redirect_uri_provided_explicitly: bool
    resource: str | None = None
    subject: str | None = None


class RefreshToken(BaseModel):
    """A refresh token. Access tokens made from it must have the same resource and subject."""

    token: str
    client_id: str
    scopes: list[str]
    expires_at: int | None = None
    resource: str | None = None
    subject: str | None = None


class AccessToken(BaseModel):
    """A verified bearer token.

    `resource` is the server that it was issued for (RFC 8707); `subject` is the resource
    owner, unique only per issuer; `claims` are all other claims of the token, including `iss`.
    """

    token: str
    client_id: str
    scopes: list[str]
    expires_at: int | None = None
    resource: str | None = None
    subject: str | None = None
    claims: dict[str, Any] | None = None


def principal_components(token: AccessToken) -> tuple[str, str | None, str | None]:
    """Whom a token belongs to: its client, its issuer and its user; `None` for what it does
    not say.
    """
    issuer = (token.claims or {}).get("iss")
    return token.client_id, None if issuer is None else str(issuer), token.subject


RegistrationErrorCode = Literal[
    "invalid_redirect_uri",
    "invalid_client_metadata",
    "invalid_software_statement",
    "unapproved_software_statement",
]
"""Error codes of a client registration (RFC 7591 §3.2.2)."""


@dataclass(frozen=True)
class RegistrationError(Exception):
    """Raised by a provider to refuse a registration."""

    error: RegistrationErrorCode
    error_description: str | None = None


AuthorizationErrorCode = Literal[
    "invalid_request",
    "unauthorized_client",
    "access_denied",
    "unsupported_response_type",
    "invalid_scope",
    "server_error",
    "temporarily_unavailable",
]
"""Error codes of an authorization request (RFC 6749 §4.1.2.1)."""


@dataclass(frozen=True)
class AuthorizeError(Exception):
    """Raised by a provider to refuse an authorization request."""

    error: AuthorizationErrorCode
    error_description: str | None = None


TokenErrorCode = Literal[
    "invalid_request",
    "invalid_client",
    "invalid_grant",
    "unauthorized_client",
    "unsupported_grant_type",
    "invalid_scope",
]
"""Error codes of a token request (RFC 6749 §5.2)."""


@dataclass(frozen=True)
class TokenError(Exception):
    """Raised by a provider to refuse a token."""

    error: TokenErrorCode
    error_description: str | None = None


class TokenVerifier(Protocol):
    """Verifies bearer tokens."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what the token grants, or `None` if it is not valid.

        Set `AccessToken.resource` to the server that the token was issued for: with
        `AuthSettings.validate_token_resource`, a token for another server is then refused.
        Otherwise the verifier itself must check the audience.
        """


AuthorizationCodeT = TypeVar("AuthorizationCodeT", bound=AuthorizationCode)
RefreshTokenT = TypeVar("RefreshTokenT", bound=RefreshToken)
AccessTokenT = TypeVar("AccessTokenT", bound=AccessToken)


class OAuthAuthorizationServerProvider(Protocol, Generic[AuthorizationCodeT, RefreshTokenT, AccessTokenT]):
    """The storage and the decisions of an authorization server. This package has the
    endpoints.

    Codes, secrets and tokens must be unguessable: use 160 bits of randomness, at least 128.
    Members that subclasses add to the three models are not shown to clients.
    """

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a registered client, or `None`."""

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Store a client. May raise `NotImplementedError` if registration is not enabled.

        Raises:
            RegistrationError: The client's metadata is refused.
        """

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Return the URL that the user's browser is sent to next.

        This is a page of the program or the authorization server of a third party. When the
        user has agreed, send the browser to `params.redirect_uri` with a new code and
        `params.state`; `construct_redirect_uri` builds that URL.

        Raises:
            AuthorizeError: The request is refused.
        """
        ...

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCodeT | None:
        """Return a code that was issued to this client and not used yet, or `None`."""
        ...

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCodeT
    ) -> OAuthToken:
        """Use up a code; return an access token and optionally a refresh token.

        Raises:
            TokenError: The exchange is refused.
        """
        ...

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshTokenT | None:
        """Return a refresh token of this client, or `None`."""
        ...

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshTokenT, scopes: list[str]
    ) -> OAuthToken:
        """Return a new access token with these scopes. The refresh token should be replaced as
        well.

        Raises:
            TokenError: The exchange is refused.
        """
        ...

    async def exchange_identity_assertion(
        self, client: OAuthClientInformationFull, params: IdentityAssertionParams
    ) -> OAuthToken:
        """Return an access token for an assertion of another authorization server (2.x). The
        provider verifies it: signature, issuer, audience, expiry, replay, and that it names this
        client. Default: the grant is not supported.

        Raises:
            TokenError: The exchange is refused.
        """
        raise TokenError("unsupported_grant_type", "The JWT bearer grant is not supported by this authorization server")

    async def load_access_token(self, token: str) -> AccessTokenT | None:
        """Return what an access token grants, or `None` if it is not valid."""

    async def revoke_token(self, token: AccessTokenT | RefreshTokenT) -> None:
        """Revoke a token and the one that was issued with it. Unknown tokens are ignored."""


def construct_redirect_uri(redirect_uri_base: str, **params: str | None) -> str:
    """Add parameters to those of a redirect URI; parameters that are `None` are left out."""
    parts = urlsplit(redirect_uri_base)
    query = parse_qsl(parts.query)
    query.extend((name, value) for name, value in params.items() if value is not None)
    return parts._replace(query=urlencode(query)).geturl()


class ProviderTokenVerifier(TokenVerifier):
    """Verifies tokens with the authorization server in the same process."""

    def __init__(self, provider: OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]) -> None:
        self.provider = provider

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return what the provider knows of the token."""
        return await self.provider.load_access_token(token)
