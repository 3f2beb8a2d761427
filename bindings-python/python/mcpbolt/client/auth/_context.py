"""The state of an authorization flow: the client's identity, the servers found, the tokens."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

import anyio

from ..._engine import face
from ..._engine.protocol import LEGACY_REVISIONS, MODERN_REVISIONS, names_the_resource
from ...shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from ...shared.auth_utils import (
    calculate_token_expiry,
    check_resource_allowed,
    resource_url_from_server_url,
)
from ._decisions import decide
from .exceptions import OAuthTokenError

_METHODS = (None, "none", "client_secret_post", "client_secret_basic", "private_key_jwt")


class TokenStorage(Protocol):
    """Stores a client's tokens and credentials between runs of a program."""

    async def get_tokens(self) -> OAuthToken | None:
        """Return the stored tokens; `None` if there are none."""
        ...

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Store the tokens.

        Args:
            tokens: The tokens.
        """
        ...

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Return the stored credentials of the client; `None` before it has registered."""
        ...

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Store the client's credentials.

        Args:
            client_info: The client's id, and the secret if it has one.
        """
        ...


@dataclass
class OAuthContext:
    """The state of one client's authorization at one server. `timeout` is in seconds."""

    server_url: str
    client_metadata: OAuthClientMetadata
    storage: TokenStorage
    redirect_handler: Callable[[str], Awaitable[None]] | None
    callback_handler: Callable[[], Awaitable[AuthorizationCodeResult | tuple[str, str | None]]] | None
    timeout: float = 300.0
    client_metadata_url: str | None = None

    protected_resource_metadata: ProtectedResourceMetadata | None = None
    oauth_metadata: OAuthMetadata | None = None
    auth_server_url: str | None = None
    protocol_version: str | None = None

    client_info: OAuthClientInformationFull | None = None

    current_tokens: OAuthToken | None = None
    token_expiry_time: float | None = None

    lock: anyio.Lock = field(default_factory=anyio.Lock)

    def get_authorization_base_url(self, server_url: str) -> str:
        """The origin of a URL: scheme, host and port."""
        parts = urlsplit(server_url)
        return f"{parts.scheme}://{parts.netloc}"

    def update_token_expiry(self, token: OAuthToken) -> None:
        """Note when a token expires."""
        self.token_expiry_time = calculate_token_expiry(token.expires_in)

    def is_token_valid(self) -> bool:
        """Whether there is a token that has not expired."""
        if self.current_tokens is None or not self.current_tokens.access_token:
            return False
        return not self.token_expiry_time or time.time() <= self.token_expiry_time

    def can_refresh_token(self) -> bool:
        """Whether a new token can be requested without the user."""
        return bool(self.current_tokens and self.current_tokens.refresh_token and self.client_info)

    def clear_tokens(self) -> None:
        """Forget the tokens."""
        self.current_tokens = self.token_expiry_time = None

    def get_resource_url(self) -> str:
        """The resource that tokens are for (RFC 8707): the URL that the server publishes for
        itself if it is a parent of the endpoint's URL, else the endpoint's URL.
        """
        resource = resource_url_from_server_url(self.server_url)
        if self.protected_resource_metadata is None:
            return resource
        published = str(self.protected_resource_metadata.resource)
        return published if check_resource_allowed(resource, published) else resource

    def should_include_resource_param(self, protocol_version: str | None = None) -> bool:
        """Whether requests name the server: it publishes metadata, or speaks a revision that wants it."""
        revision = protocol_version or ""
        if face.current.api == 2 and revision not in (*LEGACY_REVISIONS, *MODERN_REVISIONS):
            revision = ""
        return self.protected_resource_metadata is not None or names_the_resource(revision)

    def prepare_token_auth(
        self, data: dict[str, str], headers: dict[str, str] | None = None
    ) -> tuple[dict[str, str], dict[str, str]]:
        """Form and headers of a token request, with the client's secret where it was
        registered to send it (RFC 6749 §2.3.1). An assertion is added by who signs it.

        Raises:
            OAuthTokenError: The client is registered for a method that is not known here (2.x).
        """
        headers = {} if headers is None else headers
        info = self.client_info
        if info is not None and face.current.api == 2 and info.token_endpoint_auth_method not in _METHODS:
            method = info.token_endpoint_auth_method
            raise OAuthTokenError(f"Registered client uses unsupported token_endpoint_auth_method {method!r}")
        if info is None or not info.client_secret or info.token_endpoint_auth_method == "private_key_jwt":
            return data, headers
        made = decide(
            "client_proof", client=info.model_dump(mode="json", exclude_none=True), like=face.current.authorizes_like
        )
        if made["authorization"]:
            headers["Authorization"] = made["authorization"]
            data = {name: value for name, value in data.items() if name != "client_secret"}
        return {**data, **made["form"]}, headers
