"""Authorization settings of a server."""

from __future__ import annotations

import warnings
from typing import ClassVar

from pydantic import AnyHttpUrl, BaseModel, Field, model_validator
from typing_extensions import Self


class ClientRegistrationOptions(BaseModel):
    """Dynamic client registration (RFC 7591), disabled by default."""

    enabled: bool = False
    """Whether clients can register. Default: no."""
    client_secret_expiry_seconds: int | None = None
    """After how many seconds the secrets of clients expire. Default: never."""
    valid_scopes: list[str] | None = None
    """The scopes that clients may register for. Default: all."""
    default_scopes: list[str] | None = None
    """The scopes of clients that register for none. Default: none."""


class RevocationOptions(BaseModel):
    """Revocation of tokens (RFC 7009), disabled by default."""

    enabled: bool = False
    """Whether tokens can be revoked. Default: no."""


class ClientDocumentOptions(BaseModel):
    """Clients that register nowhere, since their id is the HTTPS URL of a document about them (client id
    metadata documents); disabled by default. Not in the official package.
    """

    enabled: bool = False
    """Whether such clients are known. `authorize` of the provider then has to show users the `host` of a
    `DocumentClient`. Default: no.
    """
    this_machine: bool = False
    """Whether documents may be on this machine, also without TLS: for development. Default: no."""
    private_networks: bool = False
    """Whether documents may be in private networks. Default: no."""


class AuthSettings(BaseModel):
    """Authorization of a server over HTTP: who issues its tokens, its own URL, and the scopes that it
    requires.
    """

    verifies_tokens: ClassVar[bool] = False
    """Whether these settings verify tokens by themselves, without a token verifier."""

    issuer_url: AnyHttpUrl = Field(..., description="The authorization server that issues tokens for this server.")
    """The URL of the authorization server that issues tokens for this server."""
    service_documentation_url: AnyHttpUrl | None = None
    """The URL of a page for developers, published in the metadata. Default: none."""
    client_registration_options: ClientRegistrationOptions | None = None
    """Whether and how clients can register. Default: they cannot."""
    revocation_options: RevocationOptions | None = None
    """Whether tokens can be revoked. Default: they cannot."""
    client_document_options: ClientDocumentOptions | None = None
    """Whether the id of a client may be the URL of a document about it. Default: no. Not in the official
    package.
    """
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
    """The URL of this server as clients know it, such as `https://mcp.example.com/mcp`; clients find the
    authorization server through it. `None` if it is only an authorization server.
    """
    validate_token_resource: bool | None = Field(
        default=None,
        description="True refuses tokens whose `AccessToken.resource` is not `resource_server_url` (RFC 8707). "
        "False leaves the audience to the token verifier. Unset beside a `resource_server_url` warns and is False.",
    )
    """Whether tokens that were issued for other servers are refused (RFC 8707), by comparing
    `AccessToken.resource` with `resource_server_url`. `False` leaves this check to the token verifier.
    Default: `False`, with a warning.
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
