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
    token_type: Literal["Bearer"] = "Bearer"
    expires_in: int | None = None
    scope: str | None = None
    refresh_token: str | None = None

    @field_validator("token_type", mode="before")
    @classmethod
    def normalize_token_type(cls, v: str | None) -> str | None:
        """Accept `bearer` in upper or lower case, as RFC 6749 §5.1 ignores case."""
        return v.title() if isinstance(v, str) else v


class AuthorizationCodeResult(BaseModel):
    """What the user's browser came back with. `iss` is the issuer, if the authorization server
    says it (RFC 9207).
    """

    code: str
    state: str | None = None
    iss: str | None = None


class InvalidScopeError(Exception):
    """A client asked for a scope that it was not registered with."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidRedirectUriError(Exception):
    """A client named a redirect URI that it was not registered with, or named none where one
    is required.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class OAuthClientMetadata(BaseModel):
    """What a client sends about itself when it registers (RFC 7591 §2)."""

    model_config = _URLS

    redirect_uris: list[AnyUrl] | None = Field(..., min_length=1)
    token_endpoint_auth_method: (
        Literal["none", "client_secret_post", "client_secret_basic", "private_key_jwt"] | None
    ) = None
    grant_types: list[
        Literal["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:jwt-bearer"] | str
    ] = ["authorization_code", "refresh_token"]
    response_types: list[str] = ["code"]
    scope: str | None = None

    client_name: str | None = None
    client_uri: AnyHttpUrl | None = None
    logo_uri: AnyHttpUrl | None = None
    contacts: list[str] | None = None
    tos_uri: AnyHttpUrl | None = None
    policy_uri: AnyHttpUrl | None = None
    jwks_uri: AnyHttpUrl | None = None
    jwks: Any | None = None
    software_id: str | None = None
    software_version: str | None = None
    if _IS_OF_2:
        application_type: Literal["web", "native"] = "native"

    @field_validator("client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri", mode="before")
    @classmethod
    def _absent_when_empty(cls, v: object) -> object:
        # Some servers return an omitted URL as "", which is not a URL.
        return None if v == "" else v

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Check the scopes of a request and return them as a list; `None` if the request named
        none.

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
    authorization_endpoint: AnyHttpUrl
    token_endpoint: AnyHttpUrl
    registration_endpoint: AnyHttpUrl | None = None
    scopes_supported: list[str] | None = None
    response_types_supported: list[str] = ["code"]
    response_modes_supported: list[str] | None = None
    grant_types_supported: list[str] | None = None
    token_endpoint_auth_methods_supported: list[str] | None = None
    token_endpoint_auth_signing_alg_values_supported: list[str] | None = None
    service_documentation: AnyHttpUrl | None = None
    ui_locales_supported: list[str] | None = None
    op_policy_uri: AnyHttpUrl | None = None
    op_tos_uri: AnyHttpUrl | None = None
    revocation_endpoint: AnyHttpUrl | None = None
    revocation_endpoint_auth_methods_supported: list[str] | None = None
    revocation_endpoint_auth_signing_alg_values_supported: list[str] | None = None
    introspection_endpoint: AnyHttpUrl | None = None
    introspection_endpoint_auth_methods_supported: list[str] | None = None
    introspection_endpoint_auth_signing_alg_values_supported: list[str] | None = None
    code_challenge_methods_supported: list[str] | None = None
    client_id_metadata_document_supported: bool | None = None
    if _IS_OF_2:
        authorization_response_iss_parameter_supported: bool | None = None
        authorization_grant_profiles_supported: list[str] | None = None


class ProtectedResourceMetadata(BaseModel):
    """The metadata that a resource server publishes (RFC 9728 §2). Tokens are accepted in a
    header only.
    """

    model_config = _URLS

    resource: AnyHttpUrl
    authorization_servers: list[AnyHttpUrl] = Field(..., min_length=1)
    jwks_uri: AnyHttpUrl | None = None
    scopes_supported: list[str] | None = None
    bearer_methods_supported: list[str] | None = Field(default=["header"])
    resource_signing_alg_values_supported: list[str] | None = None
    resource_name: str | None = None
    resource_documentation: AnyHttpUrl | None = None
    resource_policy_uri: AnyHttpUrl | None = None
    resource_tos_uri: AnyHttpUrl | None = None
    tls_client_certificate_bound_access_tokens: bool | None = None
    authorization_details_types_supported: list[str] | None = None
    dpop_signing_alg_values_supported: list[str] | None = None
    dpop_bound_access_tokens_required: bool | None = None


OAuthClientMetadataBase = OAuthClientMetadata
"""What clients and servers say alike of a client (2.x)."""
