"""What an authorization server has to know, and who verifies tokens.

Owns: the protocols a program implements, and the values they deal in. Knows
nothing of HTTP: the endpoints are in `handlers`, the checks in `middleware`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Literal, Protocol
from urllib.parse import parse_qsl, urlencode, urlsplit

from pydantic import AnyUrl, BaseModel
from typing_extensions import TypeVar

from ...shared.auth import OAuthClientInformationFull, OAuthToken


class AuthorizationParams(BaseModel):
    """An authorization request that was found valid. `resource` is its RFC 8707 indicator."""

    state: str | None
    scopes: list[str] | None
    code_challenge: str
    redirect_uri: AnyUrl
    redirect_uri_provided_explicitly: bool
    resource: str | None = None


class AuthorizationCode(BaseModel):
    """A code on its way to being a token. `expires_at` is in seconds since 1970; `subject` is the resource owner."""

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
    """A refresh token. What it says of resource and subject belongs into the tokens made from it."""

    token: str
    client_id: str
    scopes: list[str]
    expires_at: int | None = None
    resource: str | None = None
    subject: str | None = None


class AccessToken(BaseModel):
    """A bearer token that was verified.

    `resource` is whom it was issued for (RFC 8707), `subject` the resource owner,
    unique per issuer only; `claims` is whatever else the token says, `iss` among it.
    """

    token: str
    client_id: str
    scopes: list[str]
    expires_at: int | None = None
    resource: str | None = None
    subject: str | None = None
    claims: dict[str, Any] | None = None


def principal_components(token: AccessToken) -> tuple[str, str | None, str | None]:
    """Whom a token stands for: its client, who issued it, its user; `None` where it does not say."""
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
    """Raised by a provider to refuse a client registration."""

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
    """A provider refuses an authorization request."""

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
    """A provider refuses to issue a token."""

    error: TokenErrorCode
    error_description: str | None = None


class TokenVerifier(Protocol):
    """Verifies bearer tokens."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """What the token stands for, or `None` if it is not valid.

        Say in `AccessToken.resource` whom it was issued for: with
        `AuthSettings.validate_token_resource` a token for another server is refused.
        Otherwise checking the audience is the verifier's own duty.
        """


AuthorizationCodeT = TypeVar("AuthorizationCodeT", bound=AuthorizationCode)
RefreshTokenT = TypeVar("RefreshTokenT", bound=RefreshToken)
AccessTokenT = TypeVar("AccessTokenT", bound=AccessToken)


class OAuthAuthorizationServerProvider(Protocol, Generic[AuthorizationCodeT, RefreshTokenT, AccessTokenT]):
    """The memory and the decisions of an authorization server; its endpoints are ours.

    Codes, secrets and tokens must be unguessable: 160 bits of randomness, never under 128.
    What subclasses of the three models add is not shown to clients.
    """

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Look up a registered client by its id; `None` if it is unknown."""

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Remembers a client. May raise `NotImplementedError` where registration is not enabled.

        Raises:
            RegistrationError: the metadata is refused.
        """

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Where the user's browser goes next.

        Either a page of one's own, or a third party's authorization server. When the
        user has agreed, send the browser to `params.redirect_uri` with a fresh code
        and `params.state`; `construct_redirect_uri` builds that address.

        Raises:
            AuthorizeError: the request is refused.
        """
        ...

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCodeT | None:
        """A code that was issued to this client and not used yet, or `None`."""
        ...

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCodeT
    ) -> OAuthToken:
        """Uses up a code for an access token, and perhaps a refresh token.

        Raises:
            TokenError: the exchange is refused.
        """
        ...

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshTokenT | None:
        """A refresh token of this client, or `None`."""
        ...

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshTokenT, scopes: list[str]
    ) -> OAuthToken:
        """A fresh access token with these scopes. Replace the refresh token as well.

        Raises:
            TokenError: the exchange is refused.
        """
        ...

    async def load_access_token(self, token: str) -> AccessTokenT | None:
        """Look up an access token; `None` if it is not valid."""

    async def revoke_token(self, token: AccessTokenT | RefreshTokenT) -> None:
        """Ends a token, and the one that belongs to it. An unknown token is not an error."""


def construct_redirect_uri(redirect_uri_base: str, **params: str | None) -> str:
    """A redirect address with parameters added to those it has; `None` leaves one out."""
    parts = urlsplit(redirect_uri_base)
    query = parse_qsl(parts.query)
    query.extend((name, value) for name, value in params.items() if value is not None)
    return parts._replace(query=urlencode(query)).geturl()


class ProviderTokenVerifier(TokenVerifier):
    """Asks the authorization server in the same process."""

    def __init__(self, provider: OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]) -> None:
        self.provider = provider

    async def verify_token(self, token: str) -> AccessToken | None:
        """Verify the token by asking the provider."""
        return await self.provider.load_access_token(token)
