"""Programs that act for themselves: the `client_credentials` grant, with a secret or a signed
token.

Owns: the identity of such a client and how it proves it. Finding the authorization server is
done by the flow in `oauth2`. `pyjwt` (the extra `auth`) is needed only for signing.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Awaitable, Callable
from typing import Any, Literal
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
from pydantic import BaseModel, Field

from ....shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from .._context import OAuthContext, TokenStorage
from ..exceptions import OAuthFlowError, OAuthTokenError
from ..oauth2 import OAuthClientProvider
from ..utils import issuers_match

_JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"
_ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class _OwnCredentials(OAuthClientProvider):
    """A client that was registered beforehand and needs no user.

    With `issuer`, its credentials are sent to that authorization server only, whatever the
    resource says; without, to the server that the resource names.
    """

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

    def _select_authorization_server(self, advertised: list[str]) -> str:
        ours = (server for server in advertised if self._issuer and issuers_match(server, self._issuer))
        return next(ours, advertised[0])

    async def _perform_authorization(self) -> httpx.Request:
        return await self._exchange_token_client_credentials()

    async def _exchange_token_client_credentials(self) -> httpx.Request:
        """Make the token request."""
        _require_issuer(self.context, self._issuer)
        form = {"grant_type": "client_credentials", **await self._proof(), **self._resource()}
        if self.context.client_metadata.scope:
            form["scope"] = self.context.client_metadata.scope
        return self._token_request(form)

    async def _proof(self) -> dict[str, str]:
        """The form fields that prove the client's identity, besides a secret."""
        return {}


class ClientCredentialsOAuthProvider(_OwnCredentials):
    """A client with an id and a secret.

    Args:
        server_url: The endpoint of the MCP server.
        storage: Stores tokens.
        client_id: The client's id.
        client_secret: The client's secret.
        token_endpoint_auth_method: Whether the secret is sent in a header or in the form.
        scopes: Scopes to ask for, separated by spaces.
        issuer: The authorization server that the credentials belong to. Leaving it out is
            deprecated: the MCP server then decides who gets them.

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
    ) -> None:
        super().__init__(server_url, storage, client_id, client_secret, token_endpoint_auth_method, scopes, issuer)


def static_assertion_provider(token: str) -> Callable[[str], Awaitable[str]]:
    """Make an assertion provider that always returns the same token, such as one from a
    workload's identity.
    """

    async def provider(audience: str) -> str:
        return token

    return provider


class SignedJWTParameters(BaseModel):
    """The key and claims for signing assertions oneself."""

    issuer: str = Field(description="Issuer of the assertions, the client's id usually.")
    subject: str = Field(description="Subject of the assertions, the client's id usually.")
    signing_key: str = Field(description="The private key, in PEM.")
    signing_algorithm: str = Field(default="RS256", description="The algorithm of JWS.")
    lifetime_seconds: int = Field(default=300, description="How long an assertion is good.")
    additional_claims: dict[str, Any] | None = Field(default=None, description="What else it says.")

    def create_assertion_provider(self) -> Callable[[str], Awaitable[str]]:
        """Make an assertion provider that signs a new token each time."""

        async def provider(audience: str) -> str:
            claims = _claims(self.issuer, self.subject, audience, self.lifetime_seconds, self.additional_claims)
            return _signed(claims, self.signing_key, self.signing_algorithm)

        return provider


class PrivateKeyJWTOAuthProvider(_OwnCredentials):
    """A client that proves its identity with a signed token (RFC 7523 §2.2).

    Args:
        server_url: The endpoint of the MCP server.
        storage: Stores tokens.
        client_id: The client's id.
        assertion_provider: Makes the signed token for an audience, which is the issuer of
            the authorization server: `SignedJWTParameters.create_assertion_provider`,
            `static_assertion_provider`, or one that asks the workload's identity provider.
        scopes: Scopes to ask for, separated by spaces.
        issuer: The authorization server at which the client is registered. Leaving it out is
            deprecated: the MCP server then decides for whom assertions are made.

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
    ) -> None:
        super().__init__(server_url, storage, client_id, None, "private_key_jwt", scopes, issuer)
        self._assertion_provider = assertion_provider

    async def _proof(self) -> dict[str, str]:
        form: dict[str, Any] = {}
        await self._add_client_authentication_jwt(token_data=form)
        return form

    async def _add_client_authentication_jwt(self, *, token_data: dict[str, Any]) -> None:
        """Add the signed token to a form."""
        if self.context.oauth_metadata is None:
            raise OAuthFlowError("Missing OAuth metadata for private_key_jwt flow")
        assertion = await self._assertion_provider(str(self.context.oauth_metadata.issuer))
        token_data.update(client_assertion=assertion, client_assertion_type=_ASSERTION)


class JWTParameters(BaseModel):
    """An assertion, or the parameters for signing one."""

    assertion: str | None = Field(default=None, description="A finished assertion; the rest is ignored then.")
    issuer: str | None = Field(default=None, description="Issuer of the assertion.")
    subject: str | None = Field(default=None, description="Subject of the assertion.")
    audience: str | None = Field(default=None, description="Audience of the assertion.")
    claims: dict[str, Any] | None = Field(default=None, description="What else it says.")
    jwt_signing_algorithm: str | None = Field(default="RS256", description="The algorithm of JWS.")
    jwt_signing_key: str | None = Field(default=None, description="The private key.")
    jwt_lifetime_seconds: int = Field(default=300, description="How long the assertion is good.")

    def to_assertion(self, with_audience_fallback: str | None = None) -> str:
        """Return the assertion, signed if necessary.

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
        claims = _claims(self.issuer, self.subject, audience, self.jwt_lifetime_seconds, self.claims)
        return _signed(claims, self.jwt_signing_key or "", self.jwt_signing_algorithm or "RS256")


class RFC7523OAuthClientProvider(OAuthClientProvider):
    """A client whose signed token is the grant itself (RFC 7523 §2.1).

    Deprecated: use `ClientCredentialsOAuthProvider` or `PrivateKeyJWTOAuthProvider`.
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
        form = {"grant_type": _JWT_BEARER, "assertion": self._assertion(), **self._resource()}
        if self.context.client_metadata.scope:
            form["scope"] = self.context.client_metadata.scope
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        return httpx.Request("POST", self._get_token_endpoint(), data=form, headers=headers)

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
            DeprecationWarning,
            stacklevel=4,
        )
    elif urlsplit(issuer).scheme not in ("http", "https"):
        raise ValueError(f"issuer must be the authorization server's http(s) issuer URL, got {issuer!r}")
    return issuer


def _require_issuer(context: OAuthContext, issuer: str | None) -> None:
    """Check that the server found is the configured one. Otherwise nothing is sent to it, and
    what was learned from it is forgotten.
    """
    metadata = context.oauth_metadata
    if issuer is None or (metadata is not None and issuers_match(str(metadata.issuer), issuer)):
        return
    context.oauth_metadata = None
    context.clear_tokens()
    if metadata is None:
        raise OAuthFlowError(f"No authorization server metadata discovered for configured issuer {issuer}")
    raise OAuthFlowError(f"Authorization server metadata issuer mismatch: {metadata.issuer} != {issuer}")


def _claims(
    issuer: str | None, subject: str | None, audience: str | None, seconds: int, more: dict[str, Any] | None
) -> dict[str, Any]:
    now = int(time.time())
    own = {"iss": issuer, "sub": subject, "aud": audience, "exp": now + seconds, "iat": now, "jti": str(uuid4())}
    return {**own, **(more or {})}


def _signed(claims: dict[str, Any], key: str, algorithm: str) -> str:
    try:
        import jwt
    except ImportError as error:
        raise OAuthFlowError("Signing needs PyJWT: install mcpbolt[auth]") from error
    return jwt.encode(claims, key, algorithm=algorithm)
