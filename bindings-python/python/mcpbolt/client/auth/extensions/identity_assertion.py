"""Users whom their company's identity provider speaks for: an identity assertion (ID-JAG) is the
grant (RFC 7523, SEP-990).

Owns: the identity of such a client. Must not know: how the assertion is got, which is the
program's.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal

from ....shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from ....shared.auth_utils import resource_url_from_server_url
from .._context import OAuthContext, TokenStorage
from ..oauth2 import Provider

_JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer"


class IdentityAssertionOAuthProvider(Provider):
    """Authentication for `httpx` with an identity assertion (ID-JAG) that the program gets itself:
    the authorization server exchanges it for a token. Only the configured authorization server is
    asked, whatever the MCP server publishes.

    Args:
        server_url: The URL of the MCP server's endpoint.
        storage: Stores tokens.
        client_id: The client's id.
        client_secret: The client's secret.
        issuer: The issuer of the authorization server at which the client is registered.
        assertion_provider: Async function that gets an audience (the issuer) and a resource (the MCP
            server), and returns the assertion for them.
        scope: The scopes to ask for, separated by spaces. Default: none in particular.
        token_endpoint_auth_method: How the secret is sent: `"client_secret_post"`, the default, in
            the form; `"client_secret_basic"` in a header.

    Raises:
        ValueError: There is no secret, or no issuer.
    """

    _grant = "id_jag"

    def __init__(
        self,
        server_url: str,
        storage: TokenStorage,
        client_id: str,
        client_secret: str,
        issuer: str,
        assertion_provider: Callable[[str, str], Awaitable[str]],
        scope: str | None = None,
        token_endpoint_auth_method: Literal["client_secret_basic", "client_secret_post"] = "client_secret_post",
    ) -> None:
        if not client_secret:
            raise ValueError("client_secret is required: this provider supports confidential clients only")
        if not issuer:
            raise ValueError("issuer is required: the authorization server is configuration, not discovery")
        metadata = OAuthClientMetadata(
            redirect_uris=None,
            grant_types=[_JWT_BEARER],
            token_endpoint_auth_method=token_endpoint_auth_method,
            scope=scope,
        )
        super().__init__(OAuthContext(server_url, metadata, storage, None, None))
        self._issuer = issuer
        self._assertion_provider = assertion_provider
        self._fixed_client_info = OAuthClientInformationFull(
            **metadata.model_dump(), client_id=client_id, client_secret=client_secret
        )

    async def _initialize(self) -> None:
        """Load tokens from storage. Credentials are not stored."""
        self.context.current_tokens = await self.context.storage.get_tokens()
        self.context.client_info = self._fixed_client_info
        self._initialized = True

    def _options(self) -> dict[str, Any]:
        # The program says which server it is, so that the server need not advertise the grant.
        own: dict[str, Any] = {"issuer": self._issuer, "skip_resource": True, "assume_id_jag": True}
        return {**super()._options(), **own, "resource": {"this": resource_url_from_server_url(self.context.server_url)}}

    async def _supply(self, need: dict[str, Any]) -> str | None:
        if need["need"] != "id_jag":
            return None
        return await self._assertion_provider(need["audience"], need["resource"])
