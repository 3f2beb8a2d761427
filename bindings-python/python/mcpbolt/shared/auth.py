"""The documents that OAuth servers, resource servers and clients exchange.

Owns: the documents of RFC 6749, 7591, 8414 and 9728 as models. Must not know: HTTP.
`AnyHttpUrl` fields are normalized by pydantic: an origin gets a final slash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import AnyHttpUrl, AnyUrl, BaseModel, ConfigDict, Field, field_validator, model_validator

from .._engine import face
from ._authorization import Refused, decide

JWT_BEARER_GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer"
"""The grant for an assertion of another authorization server (RFC 7523)."""
_IS_OF_2 = not TYPE_CHECKING and face.current.api == 2
# 2.x leaves an origin without a final slash as it is.
_URLS = ConfigDict(url_preserve_empty_path=True) if _IS_OF_2 else ConfigDict()


class OAuthToken(BaseModel):
    """The response of a token endpoint (RFC 6749 §5.1). `expires_in` is in seconds."""

    access_token: str
    """The token to send with requests."""
    token_type: Literal["Bearer", "DPoP"] = "Bearer"
    """`DPoP` where the token is bound to the client's key (RFC 9449), `Bearer` otherwise."""
    expires_in: int | None = None
    """For how many seconds the token is valid; `None` if the server does not say."""
    scope: str | None = None
    """The scopes of the token, separated by spaces; `None` means those that were asked for."""
    refresh_token: str | None = None
    """A token with which to get a new access token; `None` if the server issued none."""

    @field_validator("token_type", mode="before")
    @classmethod
    def normalize_token_type(cls, v: str | None) -> str | None:
        """Accept `bearer` and `dpop` in upper or lower case, as RFC 6749 §5.1 ignores case."""
        if isinstance(v, str) and v.lower() == "dpop":
            return "DPoP"
        return v.title() if isinstance(v, str) else v


class AuthorizationCodeResult(BaseModel):
    """The parameters of the redirect by which the user's browser came back."""

    code: str
    """The code to exchange for a token."""
    state: str | None = None
    """The `state` of the request, as it came back."""
    iss: str | None = None
    """The issuer of the code (RFC 9207); `None` if the authorization server does not name it."""


class InvalidScopeError(Exception):
    """A client asked for a scope that it was not registered with.

    Args:
        message: What is wrong, in words.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidRedirectUriError(Exception):
    """A client named a redirect URI that it was not registered with, or named none where one
    is required.

    Args:
        message: What is wrong, in words.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OAuthClientMetadata(BaseModel):
    """What a client sends about itself when it registers (RFC 7591 §2)."""

    model_config = _URLS

    redirect_uris: list[AnyUrl] | None = Field(..., min_length=1)
    """Where browsers may be sent back to; at least one, or `None` for clients without users."""
    token_endpoint_auth_method: (
        Literal["none", "client_secret_post", "client_secret_basic", "private_key_jwt"] | None
    ) = None
    """How the client proves itself to the token endpoint. Default: the server decides."""
    grant_types: list[
        Literal["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"] | str
    ] = ["authorization_code", "refresh_token"]
    """How the client gets tokens. Default: by a code, and by refreshing."""
    response_types: list[str] = ["code"]
    """What the client asks the authorization endpoint for. Default: a code."""
    scope: str | None = None
    """The scopes that the client may ask for, separated by spaces. Default: none are named."""

    client_name: str | None = None
    """The name to show to users."""
    client_uri: AnyHttpUrl | None = None
    """A page about the client."""
    logo_uri: AnyHttpUrl | None = None
    """The URL of the client's logo."""
    contacts: list[str] | None = None
    """How to reach the people responsible for the client, usually email addresses."""
    tos_uri: AnyHttpUrl | None = None
    """The client's terms of service."""
    policy_uri: AnyHttpUrl | None = None
    """The client's privacy policy."""
    jwks_uri: AnyHttpUrl | None = None
    """The URL of the public keys, as a JWK set."""
    jwks: Any | None = None
    """The client's public keys as a JWK set, where no URL serves them."""
    software_id: str | None = None
    """An id of the software, the same for all its installations."""
    software_version: str | None = None
    """The version of the software."""
    if _IS_OF_2:
        application_type: Literal["web", "native"] = "native"
        """Whether the client runs on a web server or on the user's device. Default: `native`, on the device."""

    @field_validator("client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri", mode="before")
    @classmethod
    def _absent_when_empty(cls, v: object) -> object:
        # Some servers return an omitted URL as "", which is not a URL.
        return None if v == "" else v

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Check the scopes of a request and return them as a list; `None` if the request named
        none.

        Args:
            requested_scope: The scopes, separated by spaces; `None` if the request named none.

        Raises:
            InvalidScopeError: The client is not registered with one of them.
        """
        try:
            scopes: list[str] | None = decide("registered_scopes", registered=self.scope, requested=requested_scope)
        except Refused as refused:
            raise InvalidScopeError(str(refused)) from None
        return scopes

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        """The redirect URI to use: the requested one, or the only registered one.

        Args:
            redirect_uri: The requested URI; `None` if none was requested.

        Raises:
            InvalidRedirectUriError: The URI is not registered, or none was requested and there is not
                exactly one.
        """
        registered = self.redirect_uris or []
        requested = None if redirect_uri is None else str(redirect_uri)
        try:
            decide("redirect_choice", registered=[str(uri) for uri in registered], requested=requested)
        except Refused as refused:
            raise InvalidRedirectUriError(str(refused)) from None
        return registered[0] if redirect_uri is None else redirect_uri


class OAuthClientInformationFull(OAuthClientMetadata):
    """The response to a registration (RFC 7591 §3.2.1): credentials and what was registered.

    Both times are in seconds since 1970; an expiry of 0 or `None` means never.
    """

    if _IS_OF_2:
        # What the server made of the client's wishes.
        redirect_uris: list[AnyUrl] | None = None
        token_endpoint_auth_method: str | None = None  # type: ignore[assignment]
        grant_types: list[str] = ["authorization_code", "refresh_token"]
        application_type: str | None = None  # type: ignore[assignment]

    if TYPE_CHECKING or not _IS_OF_2:
        client_id: str | None = None
    else:
        client_id: str

        @model_validator(mode="before")
        @classmethod
        def _omitted_when_empty(cls, data: object) -> object:
            # Some servers say of members that are not set that they are null or "".
            if not isinstance(data, dict):
                return data
            return {name: value for name, value in data.items() if value is not None and value != ""}

    client_secret: str | None = None
    client_id_issued_at: int | None = None
    client_secret_expires_at: int | None = None
    # Not part of the RFC: the server that issued these credentials, so that they are not shown
    # to another one (SEP-2352).
    issuer: str | None = None


class OAuthMetadata(BaseModel):
    """The metadata that an authorization server publishes (RFC 8414 §2)."""

    model_config = _URLS

    issuer: AnyHttpUrl
    """The identifier of the authorization server."""
    authorization_endpoint: AnyHttpUrl
    """Where users allow a client to act for them."""
    token_endpoint: AnyHttpUrl
    """Where clients get tokens."""
    registration_endpoint: AnyHttpUrl | None = None
    """Where clients register; `None` if they cannot."""
    scopes_supported: list[str] | None = None
    """The scopes that the authorization server knows."""
    response_types_supported: list[str] = ["code"]
    """What the authorization endpoint can be asked for. Default: a code."""
    response_modes_supported: list[str] | None = None
    """How the authorization endpoint can return its answer, such as `query` or `fragment`."""
    grant_types_supported: list[str] | None = None
    """How clients can get tokens."""
    token_endpoint_auth_methods_supported: list[str] | None = None
    """How clients can prove themselves to the token endpoint."""
    token_endpoint_auth_signing_alg_values_supported: list[str] | None = None
    """The JWS algorithms for signed proofs to that endpoint."""
    service_documentation: AnyHttpUrl | None = None
    """A page for developers."""
    ui_locales_supported: list[str] | None = None
    """The languages of the server's pages."""
    op_policy_uri: AnyHttpUrl | None = None
    """The server's privacy policy."""
    op_tos_uri: AnyHttpUrl | None = None
    """The server's terms of service."""
    revocation_endpoint: AnyHttpUrl | None = None
    """Where tokens are revoked."""
    revocation_endpoint_auth_methods_supported: list[str] | None = None
    """How clients can prove themselves to the revocation endpoint."""
    revocation_endpoint_auth_signing_alg_values_supported: list[str] | None = None
    """The JWS algorithms for signed proofs to that endpoint."""
    introspection_endpoint: AnyHttpUrl | None = None
    """Where resource servers ask about tokens."""
    introspection_endpoint_auth_methods_supported: list[str] | None = None
    """How resource servers can prove themselves to the introspection endpoint."""
    introspection_endpoint_auth_signing_alg_values_supported: list[str] | None = None
    """The JWS algorithms for signed proofs to that endpoint."""
    code_challenge_methods_supported: list[str] | None = None
    """The methods of PKCE."""
    client_id_metadata_document_supported: bool | None = None
    """Whether a client's id may be the URL of a document about the client."""
    if _IS_OF_2:
        authorization_response_iss_parameter_supported: bool | None = None
        """Whether redirects back to the client name the issuer (RFC 9207)."""
        authorization_grant_profiles_supported: list[str] | None = None
        """The grant profiles that the server supports."""


class ProtectedResourceMetadata(BaseModel):
    """The metadata that a resource server publishes (RFC 9728 §2). Tokens are accepted in a
    header only.
    """

    model_config = _URLS

    resource: AnyHttpUrl
    """The URL of the resource, which is its identifier."""
    authorization_servers: list[AnyHttpUrl] = Field(..., min_length=1)
    """The issuers of tokens for the resource; at least one."""
    jwks_uri: AnyHttpUrl | None = None
    """The URL of the public keys, as a JWK set."""
    scopes_supported: list[str] | None = None
    """The scopes that the resource knows."""
    bearer_methods_supported: list[str] | None = Field(default=["header"])
    """How tokens may be sent. Default: in a header."""
    resource_signing_alg_values_supported: list[str] | None = None
    """The algorithms of JWS for signed responses."""
    resource_name: str | None = None
    """The name to show to users."""
    resource_documentation: AnyHttpUrl | None = None
    """A page for developers."""
    resource_policy_uri: AnyHttpUrl | None = None
    """The resource's privacy policy."""
    resource_tos_uri: AnyHttpUrl | None = None
    """The resource's terms of service."""
    tls_client_certificate_bound_access_tokens: bool | None = None
    """Whether tokens are bound to a client's certificate."""
    authorization_details_types_supported: list[str] | None = None
    """The types of authorization details."""
    dpop_signing_alg_values_supported: list[str] | None = None
    """The algorithms of JWS for proofs of possession."""
    dpop_bound_access_tokens_required: bool | None = None
    """Whether tokens have to be bound to a key."""


OAuthClientMetadataBase = OAuthClientMetadata
"""What registrations and responses to them have in common (2.x)."""
