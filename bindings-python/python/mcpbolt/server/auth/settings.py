"""Authorization settings of a server."""

from __future__ import annotations

import warnings
from typing import ClassVar

from pydantic import AnyHttpUrl, BaseModel, Field, model_validator
from typing_extensions import Self


class ClientRegistrationOptions(BaseModel):
    """Dynamic client registration (RFC 7591), disabled by default. Secrets expire after
    `client_secret_expiry_seconds`; with `None`, never.
    """

    enabled: bool = False
    """Whether clients can register. Default: no."""
    client_secret_expiry_seconds: int | None = None
    """After how many seconds secrets expire; `None`, the default, for never."""
    valid_scopes: list[str] | None = None
    """The scopes that clients may register with. Default: all."""
    default_scopes: list[str] | None = None
    """The scopes of clients that name none. Default: none."""


class RevocationOptions(BaseModel):
    """Revocation of tokens (RFC 7009), disabled by default."""

    enabled: bool = False
    """Whether tokens can be revoked. Default: no."""


class AuthSettings(BaseModel):
    """The issuer of a server's tokens, the server's URL as a resource, and the scopes it
    requires.
    """

    verifies_tokens: ClassVar[bool] = False
    """Whether these settings verify tokens by themselves, without a token verifier."""

    issuer_url: AnyHttpUrl = Field(..., description="The authorization server that issues tokens for this server.")
    """The authorization server that issues tokens for this server."""
    service_documentation_url: AnyHttpUrl | None = None
    """A page for developers, named in the metadata. Default: none."""
    client_registration_options: ClientRegistrationOptions | None = None
    """How clients can register. Default: they cannot."""
    revocation_options: RevocationOptions | None = None
    """Whether tokens can be revoked. Default: they cannot."""
    required_scopes: list[str] | None = None
    """The scopes that each token must have. Default: none."""
    identity_assertion_enabled: bool = Field(
        default=False,
        description="Whether the token endpoint takes assertions of an identity provider (2.x). The provider "
        "implements `exchange_identity_assertion`.",
    )
    """Whether the token endpoint takes assertions of an identity provider (2.x). Default: no."""
    issuer_in_responses: bool = Field(
        default=False,
        description="Whether authorization responses name the issuer (RFC 9207), and the metadata say so. Where the "
        "provider redirects from pages of its own, it adds `iss` there itself. Not in the official package.",
    )
    """Whether authorization responses name the issuer (RFC 9207). Default: no."""
    resource_server_url: AnyHttpUrl | None = Field(
        ...,
        description="The address of this server as clients know it: its resource identifier, and where its "
        "protected resource metadata is found. None when it is its own authorization server only.",
    )
    """The address of this server as clients know it; `None` when it is its own authorization server
    only.
    """
    validate_token_resource: bool | None = Field(
        default=None,
        description="True refuses tokens whose `AccessToken.resource` is not `resource_server_url` (RFC 8707). "
        "False leaves the audience to the token verifier. Unset beside a `resource_server_url` warns and is False.",
    )
    """Whether tokens issued for other servers are refused (RFC 8707). `False` leaves that to the
    token verifier. Unset, it warns and is `False`.
    """

    @model_validator(mode="after")
    def _check_validate_token_resource(self) -> Self:
        if self.resource_server_url is None:
            if self.validate_token_resource:
                raise ValueError("validate_token_resource requires resource_server_url")
        elif self.validate_token_resource is None:
            warnings.warn(
                "`AuthSettings.validate_token_resource` is not set: tokens issued for other servers are accepted. "
                "Set it to True to refuse them, or to False if the token verifier checks the audience.",
                DeprecationWarning,
                stacklevel=3,
            )
        return self
