"""Programs that act for themselves: the `client_credentials` grant, with a secret or a signed
token.

Owns: the identity of such a client. Must not know: how tokens are asked for and assertions are
signed, which the engine does.
"""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, Field

from ...._engine import face
from ....shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from ....shared.exceptions import MCPDeprecationWarning
from ..._http_package import httpx
from .._context import TokenStorage
from .._decisions import decide
from .._flow import Step
from ..exceptions import OAuthFlowError, OAuthTokenError
from ..oauth2 import OAuthClientProvider

_JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class _OwnCredentials(OAuthClientProvider):
    """A client that was registered beforehand and has no user.

    With `issuer`, its credentials are sent to that authorization server only; without, to the one
    that the MCP server names.

    Args:
        server_url: The URL of the MCP server's endpoint.
        storage: Stores tokens.
        client_id: The client's id.
        client_secret: The client's secret; `None` without one.
        method: How the client authenticates.
        scopes: The scopes to ask for, separated by spaces; `None` for those that the server names.
        issuer: The issuer of the authorization server that the credentials belong to; `None` for the
            one that the MCP server names.
    """

    _grant = "client_credentials"

    def __init__(
        self,
        server_url: str,
        storage: TokenStorage,
        client_id: str,
        client_secret: str | None,
        method: Literal["client_secret_basic", "client_secret_post", "private_key_jwt"],
        scopes: str | None,
        issuer: str | None,
    ) -> None:
        metadata = OAuthClientMetadata(
            redirect_uris=None,
            grant_types=["client_credentials"],
            token_endpoint_auth_method=method,
            scope=scopes,
        )
        super().__init__(server_url, metadata, storage)
        self._issuer = _checked(issuer)
        self._fixed_client_info = OAuthClientInformationFull(
            **metadata.model_dump(), client_id=client_id, client_secret=client_secret
        )

    async def _initialize(self) -> None:
        """Load tokens from storage. Credentials are not stored."""
        self.context.current_tokens = await self.context.storage.get_tokens()
        self.context.client_info = self._fixed_client_info
        self._initialized = True

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "issuer": self._issuer}

    async def _fail(self, step: Step, response: httpx.Response | None) -> None:
        try:
            await super()._fail(step, response)
        except OAuthFlowError:
            if step["kind"] in ("issuer_mismatch", "no_server_metadata"):
                # Nothing that was learned from another server is used again.
                self.context.oauth_metadata = None
                self._documents = {}
                self.context.clear_tokens()
            if step["kind"] == "no_server_metadata" and self._issuer:
                words = f"No authorization server metadata discovered for configured issuer {self._issuer}"
                raise OAuthFlowError(words) from None
            raise

    async def _exchange_token_client_credentials(self) -> httpx.Request:
        """Make the token request."""
        return await self._perform_authorization()


class ClientCredentialsOAuthProvider(_OwnCredentials):
    """Authentication for `httpx` of a program without a user: it gets tokens for a client id and a
    secret (the `client_credentials` grant).

    Args:
        server_url: The URL of the MCP server's endpoint.
        storage: Stores tokens.
        client_id: The client's id.
        client_secret: The client's secret.
        token_endpoint_auth_method: How the secret is sent: `"client_secret_basic"`, the default, in
            a header; `"client_secret_post"` in the form.
        scopes: The scopes to ask for, separated by spaces. Default: those that the server names.
        issuer: The issuer of the authorization server that the credentials belong to; they are sent
            to no other. Leaving it out is deprecated: the MCP server then decides who gets them.
        scope: The name of `scopes` in 2.x. Default: none.

    Raises:
        ValueError: `issuer` is not an HTTP URL.
    """

    def __init__(
        self,
        server_url: str,
        storage: TokenStorage,
        client_id: str,
        client_secret: str,
        token_endpoint_auth_method: Literal["client_secret_basic", "client_secret_post"] = "client_secret_basic",
        scopes: str | None = None,
        issuer: str | None = None,
        *,
        scope: str | None = None,
    ) -> None:
        # `scope` is the name in 2.x.
        wanted = scopes if scope is None else scope
        super().__init__(server_url, storage, client_id, client_secret, token_endpoint_auth_method, wanted, issuer)


def static_assertion_provider(token: str) -> Callable[[str], Awaitable[str]]:
    """Make an assertion provider that always returns the same token, such as one that the platform
    gave to this program.

    Args:
        token: The token.
    """

    async def provider(audience: str) -> str:
        return token

    return provider


class SignedJWTParameters(BaseModel):
    """The key and the claims to sign assertions with."""

    issuer: str = Field(description="Issuer of the assertions, the client's id usually.")
    """Issuer of the assertions, the client's id usually."""
    subject: str = Field(description="Subject of the assertions, the client's id usually.")
    """Subject of the assertions, the client's id usually."""
    signing_key: str = Field(description="The private key, in PEM.")
    """The private key, in PEM."""
    signing_algorithm: str = Field(default="RS256", description="The algorithm of JWS.")
    """The algorithm of JWS. Default: `RS256`."""
    lifetime_seconds: int = Field(default=300, description="How long an assertion is good.")
    """For how many seconds an assertion is valid. Default: 300."""
    additional_claims: dict[str, Any] | None = Field(default=None, description="What else it says.")
    """Further claims. Default: none."""

    def create_assertion_provider(self) -> Callable[[str], Awaitable[str]]:
        """Make an assertion provider that signs a new token each time."""

        async def provider(audience: str) -> str:
            return _signed(
                (self.signing_algorithm, self.signing_key),
                (self.issuer, self.subject, audience),
                self.lifetime_seconds,
                self.additional_claims,
            )

        return provider


class PrivateKeyJWTOAuthProvider(_OwnCredentials):
    """Authentication for `httpx` of a program without a user: it gets tokens for a client that
    authenticates with a signed token instead of a secret (RFC 7523 §2.2).

    Args:
        server_url: The URL of the MCP server's endpoint.
        storage: Stores tokens.
        client_id: The client's id.
        assertion_provider: Async function that returns the signed token for an audience, the issuer
            of the authorization server. `SignedJWTParameters.create_assertion_provider` and
            `static_assertion_provider` make such functions.
        scopes: The scopes to ask for, separated by spaces. Default: those that the server names.
        issuer: The issuer of the authorization server at which the client is registered; assertions
            are made for no other. Leaving it out is deprecated: the MCP server then decides for whom
            they are made.
        scope: The name of `scopes` in 2.x. Default: none.

    Raises:
        ValueError: `issuer` is not an HTTP URL.
    """

    def __init__(
        self,
        server_url: str,
        storage: TokenStorage,
        client_id: str,
        assertion_provider: Callable[[str], Awaitable[str]],
        scopes: str | None = None,
        issuer: str | None = None,
        *,
        scope: str | None = None,
    ) -> None:
        wanted = scopes if scope is None else scope
        super().__init__(server_url, storage, client_id, None, "private_key_jwt", wanted, issuer)
        self._assertion_provider = assertion_provider

    async def _supply(self, need: dict[str, Any]) -> str | None:
        if need["need"] != "client_assertion":
            return None
        metadata = self.context.oauth_metadata
        as_written = metadata is not None and face.current.authorizes_like in ("python", "python2")
        return await self._assertion_provider(str(metadata.issuer) if metadata and as_written else need["audience"])


class JWTParameters(BaseModel):
    """An assertion, or the parameters for signing one."""

    assertion: str | None = Field(default=None, description="A finished assertion; the rest is ignored then.")
    """A finished assertion; then the other fields are ignored. Default: none."""
    issuer: str | None = Field(default=None, description="Issuer of the assertion.")
    """Issuer of the assertion. Required for signing."""
    subject: str | None = Field(default=None, description="Subject of the assertion.")
    """Subject of the assertion. Required for signing."""
    audience: str | None = Field(default=None, description="Audience of the assertion.")
    """Audience of the assertion. Default: the authorization server."""
    claims: dict[str, Any] | None = Field(default=None, description="What else it says.")
    """Further claims. Default: none."""
    jwt_signing_algorithm: str | None = Field(default="RS256", description="The algorithm of JWS.")
    """The algorithm of JWS. Default: `RS256`."""
    jwt_signing_key: str | None = Field(default=None, description="The private key.")
    """The private key, in PEM. Required for signing."""
    jwt_lifetime_seconds: int = Field(default=300, description="How long the assertion is good.")
    """For how many seconds the assertion is valid. Default: 300."""

    def to_assertion(self, with_audience_fallback: str | None = None) -> str:
        """Return the assertion, signed if necessary.

        Args:
            with_audience_fallback: The audience if `audience` is not set. Default: none.

        Raises:
            OAuthFlowError: A parameter that signing needs is missing.
        """
        if self.assertion is not None:
            return self.assertion
        audience = self.audience or with_audience_fallback
        needed = {
            "signing key": self.jwt_signing_key,
            "issuer": self.issuer,
            "subject": self.subject,
            "audience": audience,
        }
        missing = next((name for name, value in needed.items() if not value), None)
        if missing is not None:
            raise OAuthFlowError(f"Missing {missing} for JWT bearer grant")
        return _signed(
            (self.jwt_signing_algorithm or "RS256", self.jwt_signing_key or ""),
            (self.issuer or "", self.subject or "", audience or ""),
            self.jwt_lifetime_seconds,
            self.claims,
        )


class RFC7523OAuthClientProvider(OAuthClientProvider):
    """A client whose signed token is the grant itself (RFC 7523 §2.1).

    Deprecated: use `ClientCredentialsOAuthProvider` or `PrivateKeyJWTOAuthProvider`.

    Args:
        server_url: The URL of the MCP server's endpoint.
        client_metadata: The name, redirect URIs and so on that the client registers with.
        storage: Stores tokens, and the credentials that the client got when it registered.
        redirect_handler: Async function that shows a URL to the user. Default: none.
        callback_handler: Async function that waits until the browser comes back, and returns the
            code and the state. Default: none.
        timeout: Has no effect; kept in the context. Default: 300.
        jwt_parameters: The assertion, or how to sign it. Default: none.
    """

    def __init__(
        self,
        server_url: str,
        client_metadata: OAuthClientMetadata,
        storage: TokenStorage,
        redirect_handler: Callable[[str], Awaitable[None]] | None = None,
        callback_handler: Callable[[], Awaitable[tuple[str, str | None]]] | None = None,
        timeout: float = 300.0,
        jwt_parameters: JWTParameters | None = None,
    ) -> None:
        warnings.warn(
            "RFC7523OAuthClientProvider is deprecated. "
            "Use ClientCredentialsOAuthProvider or PrivateKeyJWTOAuthProvider instead.",
            DeprecationWarning,
            stacklevel=2,
        )
        super().__init__(server_url, client_metadata, storage, redirect_handler, callback_handler, timeout)
        self.jwt_parameters = jwt_parameters

    async def _exchange_token_authorization_code(
        self, auth_code: str, code_verifier: str, *, token_data: dict[str, Any] | None = None
    ) -> httpx.Request:
        form = token_data or {}
        if self.context.client_metadata.token_endpoint_auth_method == "private_key_jwt":
            self._add_client_authentication_jwt(token_data=form)
        return await super()._exchange_token_authorization_code(auth_code, code_verifier, token_data=form)

    async def _perform_authorization(self) -> httpx.Request:
        if _JWT_BEARER in self.context.client_metadata.grant_types:
            return await self._exchange_token_jwt_bearer()
        return await super()._perform_authorization()

    def _add_client_authentication_jwt(self, *, token_data: dict[str, Any]) -> None:
        """Add the assertion to a form, and the resource that the token is for."""
        token_data.update(
            client_assertion=self._assertion(),
            client_assertion_type=_ASSERTION,
            audience=self.context.get_resource_url(),
        )

    async def _exchange_token_jwt_bearer(self) -> httpx.Request:
        """Make the token request."""
        if self.context.client_info is None:
            raise OAuthFlowError("Missing client info")
        grant = {"grant_type": _JWT_BEARER, "assertion": self._assertion()}
        return self._token_request(grant, scope=self.context.client_metadata.scope, client=None)

    def _assertion(self) -> str:
        if self.jwt_parameters is None:
            raise OAuthFlowError("Missing JWT parameters")
        if self.context.oauth_metadata is None:
            raise OAuthTokenError("Missing OAuth metadata")
        return self.jwt_parameters.to_assertion(with_audience_fallback=str(self.context.oauth_metadata.issuer))


def _checked(issuer: str | None) -> str | None:
    if issuer is None:
        warnings.warn(
            # Filters of warnings compare this text, so it is that of the official package.
            "Omitting `issuer` is deprecated and it will be required in 3.0. Without it, the MCP server "
            "decides which authorization server receives this client's credentials; pass "
            "issuer=<your authorization server's issuer URL> so they are only ever sent there.",
            MCPDeprecationWarning if face.current.api == 2 else DeprecationWarning,
            stacklevel=4,
        )
    elif urlsplit(issuer).scheme not in ("http", "https"):
        raise ValueError(f"issuer must be the authorization server's http(s) issuer URL, got {issuer!r}")
    return issuer


def _signed(
    key: tuple[str, str], claims: tuple[str, str, str], seconds: int, more: dict[str, Any] | None
) -> str:
    """An assertion with an algorithm and a key; of an issuer and a subject for an audience."""
    (algorithm, secret), (issuer, subject, audience) = key, claims
    try:
        signed: str = decide(
            "assertion",
            algorithm=algorithm,
            key=secret,
            issuer=issuer,
            subject=subject,
            audience=audience,
            lifetime=seconds,
            claims=more,
        )
    except ValueError as error:
        raise OAuthFlowError(f"The assertion cannot be signed: {error}") from error
    return signed
