"""The documents that OAuth servers, resource servers and clients exchange.

Owns: what 2.x has in them and 1.x has not. Must not know: HTTP. Under the alias of 2.x, the
documents that both lines share are those of 2.x already, and are handed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import AnyUrl, ConfigDict, model_validator

from ...shared import auth as _shared
from ...shared.auth import (
    JWT_BEARER_GRANT_TYPE,
    AuthorizationCodeResult,
    InvalidRedirectUriError,
    InvalidScopeError,
    OAuthToken,
)

__all__ = [
    "JWT_BEARER_GRANT_TYPE",
    "AuthorizationCodeResult",
    "InvalidRedirectUriError",
    "InvalidScopeError",
    "OAuthClientInformationFull",
    "OAuthClientMetadata",
    "OAuthClientMetadataBase",
    "OAuthMetadata",
    "OAuthToken",
    "ProtectedResourceMetadata",
]

# An origin without a final slash stays as it is.
_URLS = ConfigDict(url_preserve_empty_path=True)


class OAuthClientMetadata(_shared.OAuthClientMetadata):
    """What a client sends about itself when it registers (RFC 7591 §2)."""

    model_config = _URLS

    application_type: Literal["web", "native"] = "native"
    """Whether the client runs on a web server or on the user's device. Default: `native`, on the device."""


class OAuthClientInformationFull(OAuthClientMetadata, _shared.OAuthClientInformationFull):
    """The response to a registration (RFC 7591 §3.2.1): credentials and what was registered.

    Both times are in seconds since 1970; an expiry of 0 or `None` means never.
    """

    # What the server made of the client's wishes.
    redirect_uris: list[AnyUrl] | None = None
    token_endpoint_auth_method: str | None = None  # pyright: ignore[reportIncompatibleVariableOverride]
    grant_types: list[str] = ["authorization_code", "refresh_token"]
    application_type: str | None = None  # type: ignore[assignment]  # pyright: ignore[reportIncompatibleVariableOverride]
    client_id: str  # pyright: ignore[reportIncompatibleVariableOverride, reportGeneralTypeIssues]

    @model_validator(mode="before")
    @classmethod
    def _omitted_when_empty(cls, data: object) -> object:
        # Some servers say of members that are not set that they are null or "".
        if not isinstance(data, dict):
            return data
        given = cast("dict[str, Any]", data)
        return {name: value for name, value in given.items() if value is not None and value != ""}


class OAuthMetadata(_shared.OAuthMetadata):
    """The metadata that an authorization server publishes (RFC 8414 §2)."""

    model_config = _URLS

    authorization_response_iss_parameter_supported: bool | None = None
    """Whether redirects back to the client name the issuer (RFC 9207)."""
    authorization_grant_profiles_supported: list[str] | None = None
    """The grant profiles that the server supports."""


class ProtectedResourceMetadata(_shared.ProtectedResourceMetadata):
    """The metadata that a resource server publishes (RFC 9728 §2). Tokens are accepted in a
    header only.
    """

    model_config = _URLS


if not TYPE_CHECKING and "application_type" in _shared.OAuthClientMetadata.model_fields:
    OAuthClientMetadata = _shared.OAuthClientMetadata
    OAuthClientInformationFull = _shared.OAuthClientInformationFull
    OAuthMetadata = _shared.OAuthMetadata
    ProtectedResourceMetadata = _shared.ProtectedResourceMetadata

OAuthClientMetadataBase = OAuthClientMetadata
"""What registrations and responses to them have in common."""
