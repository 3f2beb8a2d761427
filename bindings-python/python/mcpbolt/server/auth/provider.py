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
    """A valid authorization request."""

    state: str | None
    """A text to send back to the client unchanged; `None` without one."""
    scopes: list[str] | None
    """The scopes that are asked for; `None` for none in particular."""
    code_challenge: str
    """The challenge of PKCE, method S256."""
    redirect_uri: AnyUrl
    """The URI to send the browser back to."""
    redirect_uri_provided_explicitly: bool
    """Whether the request named the redirect URI; then the token request must name it too."""
    resource: str | None = None
    """The server that the token is for (RFC 8707), if the request says so."""


class IdentityAssertionParams(BaseModel):
    """A request for a token by an assertion about the user (RFC 7523). The provider verifies the
    assertion.
    """

    assertion: str
    """The assertion, a JWT."""
    scopes: list[str] | None = None
    """The scopes that are asked for; `None` for none in particular."""
    resource: str | None = None
    """The server that the token is for (RFC 8707), if the request says so."""


class AuthorizationCode(BaseModel):
    """A code that a client can exchange for a token."""

    code: str
    """The code; hard to guess."""
    scopes: list[str]
    """The scopes that it stands for."""
    expires_at: float
    """When it expires, in seconds since 1970."""
    client_id: str
    """The client that may exchange it."""
    code_challenge: str
    """The challenge of PKCE, method S256."""
    redirect_uri: AnyUrl
    """The URI that the browser was sent back to."""
    redirect_uri_provided_explicitly: bool
    """Whether the authorization request named the redirect URI."""
    resource: str | None = None
    """The server that the token is for (RFC 8707), if the request said so."""
    subject: str | None = None
    """The resource owner, if known."""


class RefreshToken(BaseModel):
    """A refresh token. Access tokens made from it must have the same resource and subject."""

    token: str
    """The token; hard to guess."""
    client_id: str
    """The client that may use it."""
    scopes: list[str]
    """The scopes that it stands for."""
    expires_at: int | None = None
    """When it expires, in seconds since 1970; `None` for never."""
    resource: str | None = None
    """The server that access tokens are for (RFC 8707), if it is bound to one."""
    subject: str | None = None
    """The resource owner, if known."""


class AccessToken(BaseModel):
    """A verified bearer token."""

    token: str
    """The token itself."""
    client_id: str
    """The client that it was issued to."""
    scopes: list[str]
    """The scopes that it allows."""
    expires_at: int | None = None
    """When it expires, in seconds since 1970; `None` for never."""
    resource: str | None = None
    """The server that it was issued for (RFC 8707), if it is bound to one."""
    subject: str | None = None
    """The resource owner, if known."""
    claims: dict[str, Any] | None = None
    """All other claims of the token, including `iss`."""


def principal_components(token: AccessToken) -> tuple[str, str | None, str | None]:
    """The client, the issuer and the user that a token belongs to; `None` for those that it does not
    name.

    Args:
        token: The verified token.
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
    """The code."""
    error_description: str | None = None
    """The reason, for the client's developer. Default: none."""


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
    """The code."""
    error_description: str | None = None
    """The reason, for the client's developer. Default: none."""


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
    """The code."""
    error_description: str | None = None
    """The reason, for the client's developer. Default: none."""


class TokenVerifier(Protocol):
    """Verifies bearer tokens."""

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access token that a text stands for; `None` if it is not valid.

        Set `AccessToken.resource` to the server that the token was issued for: with
        `AuthSettings.validate_token_resource`, a token for another server is then refused.
        Otherwise the verifier itself must check the audience.

        Args:
            token: The token as it was sent.
        """


AuthorizationCodeT = TypeVar("AuthorizationCodeT", bound=AuthorizationCode)
RefreshTokenT = TypeVar("RefreshTokenT", bound=RefreshToken)
AccessTokenT = TypeVar("AccessTokenT", bound=AccessToken)


class OAuthAuthorizationServerProvider(Protocol, Generic[AuthorizationCodeT, RefreshTokenT, AccessTokenT]):
    """What a program implements to be an authorization server: storage and decisions. The endpoints
    are part of this package.

    Codes, secrets and tokens must be unguessable: use 160 bits of randomness, at least 128.
    Members that subclasses add to the three models are not shown to clients.
    """

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a registered client; `None` if there is none of this id.

        Args:
            client_id: The id of the client.
        """

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Store a client. May raise `NotImplementedError` if registration is not enabled.

        Args:
            client_info: The metadata of the client, with its new id and secret.

        Raises:
            RegistrationError: The client's metadata is refused.
        """

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Return the URL that the user's browser is sent to next.

        This is a page of the program or the authorization server of a third party. When the
        user has agreed, send the browser to `params.redirect_uri` with a new code and
        `params.state`; `construct_redirect_uri` builds that URL.

        Args:
            client: The client that asks.
            params: The request, which has been checked.

        Raises:
            AuthorizeError: The request is refused.
        """
        ...

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCodeT | None:
        """Return a code that was issued to this client and not used yet, or `None`.

        Args:
            client: The client that asks; it is authenticated.
            authorization_code: The code as it was sent.
        """
        ...

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCodeT
    ) -> OAuthToken:
        """Use up a code; return an access token and optionally a refresh token.

        Args:
            client: The client that asks; it is authenticated.
            authorization_code: The code, as `load_authorization_code` returned it.

        Raises:
            TokenError: The exchange is refused.
        """
        ...

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshTokenT | None:
        """Return a refresh token of this client, or `None`.

        Args:
            client: The client that asks; it is authenticated.
            refresh_token: The token as it was sent.
        """
        ...

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshTokenT, scopes: list[str]
    ) -> OAuthToken:
        """Return a new access token with these scopes. The refresh token should be replaced as
        well.

        Args:
            client: The client that asks; it is authenticated.
            refresh_token: The token, as `load_refresh_token` returned it.
            scopes: The scopes of the new token: those of the old one, or some of them.

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

        Args:
            client: The client that asks; it is authenticated.
            params: The assertion, and the scopes and resource that are asked for.

        Raises:
            TokenError: The exchange is refused.
        """
        raise TokenError("unsupported_grant_type", "The JWT bearer grant is not supported by this authorization server")

    async def load_access_token(self, token: str) -> AccessTokenT | None:
        """Return the access token that a text stands for; `None` if it is not valid.

        Args:
            token: The token as it was sent.
        """

    async def revoke_token(self, token: AccessTokenT | RefreshTokenT) -> None:
        """Revoke a token and the one that was issued with it. Unknown tokens are ignored.

        Args:
            token: The token, as it was loaded.
        """


def construct_redirect_uri(redirect_uri_base: str, **params: str | None) -> str:
    """Add parameters to those of a redirect URI; parameters that are `None` are left out.

    Args:
        redirect_uri_base: The URI.
        **params: The parameters to add; those that are `None` are left out.
    """
    parts = urlsplit(redirect_uri_base)
    query = parse_qsl(parts.query)
    query.extend((name, value) for name, value in params.items() if value is not None)
    return parts._replace(query=urlencode(query)).geturl()


class ProviderTokenVerifier(TokenVerifier):
    """Verifies tokens with the authorization server in the same process.

    Args:
        provider: The provider of the authorization server.
    """

    def __init__(self, provider: OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]) -> None:
        self.provider = provider

    async def verify_token(self, token: str) -> AccessToken | None:
        """Return the access token that the provider has for a text; `None` if it is not valid.

        Args:
            token: The token as it was sent.
        """
        return await self.provider.load_access_token(token)
