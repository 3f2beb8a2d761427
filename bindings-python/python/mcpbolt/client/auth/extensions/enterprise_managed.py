"""Tokens by the word of another: of a company's identity provider (ID-JAG), or of the platform
that a program runs on.

Owns: the identity of such clients. Must not know: how tokens are exchanged, which the engine
decides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic_core import from_json

from ....shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from ..._http_package import httpx
from .._context import TokenStorage
from ..oauth2 import OAuthClientProvider

_ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"


@dataclass(frozen=True)
class IdentityProvider:
    """A company's identity provider, and the client that is registered there."""

    issuer: str
    """The identifier of the identity provider."""
    client_id: str
    """The client's id at the identity provider."""
    client_secret: str | None = None
    """The client's secret at the identity provider. Default: none."""
    token_endpoint: str | None = None
    """The token endpoint of the identity provider. Default: that of its published metadata."""
    subject_token_type: str = _ID_TOKEN
    """The type of the user's token, a URN of RFC 8693. Default: that of an ID token."""


class EnterpriseManagedOAuthProvider(OAuthClientProvider):
    """Authentication for `httpx` of users who have signed in at their company's identity provider:
    the user's token is exchanged there for an assertion (ID-JAG), and the assertion at the MCP
    server's authorization server for an access token.

    Args:
        server_url: The URL of the MCP server's endpoint.
        storage: Stores tokens.
        client_id: The client's id at the authorization server of the MCP server.
        client_secret: The client's secret there; `None` without one.
        identity_provider: The company's identity provider.
        subject_token_provider: Async function that gets a token type and returns the user's token of
            that type from the identity provider.
        scope: The scopes to ask for, separated by spaces, if the server names none. Default: none.
        assume_grant: Whether to try the assertion even if the metadata of the authorization server do
            not say that it takes assertions. Default: no.
    """

    _grant = "id_jag"

    def __init__(
        self,
        server_url: str,
        storage: TokenStorage,
        client_id: str,
        client_secret: str | None,
        identity_provider: IdentityProvider,
        subject_token_provider: Callable[[str], Awaitable[str]],
        scope: str | None = None,
        assume_grant: bool = False,
    ) -> None:
        super().__init__(server_url, OAuthClientMetadata(redirect_uris=None, scope=scope), storage)
        self._identity_provider = identity_provider
        self._subject_token_provider = subject_token_provider
        self._assume_grant = assume_grant
        self._fixed_client_info = OAuthClientInformationFull(
            redirect_uris=None, client_id=client_id, client_secret=client_secret
        )

    async def _initialize(self) -> None:
        """Load tokens from storage. Credentials are not stored."""
        await super()._initialize()
        self.context.client_info = self._fixed_client_info

    def _options(self) -> dict[str, Any]:
        known = self._identity_provider
        return {
            **super()._options(),
            "identity_provider": {
                "issuer": known.issuer,
                "token_endpoint": known.token_endpoint,
                "client": {"client_id": known.client_id, "client_secret": known.client_secret},
                "subject_token_type": known.subject_token_type,
            },
            "assume_id_jag": self._assume_grant,
        }

    async def _note(self, asked: str, response: httpx.Response) -> None:
        # What the company's provider says of itself is not said of the server that gives tokens.
        if asked == "server_metadata" and _issuer_in(response) == self._identity_provider.issuer:
            return
        await super()._note(asked, response)

    async def _supply(self, need: dict[str, Any]) -> str | None:
        return await self._subject_token_provider(need["token_type"]) if need["need"] == "subject_token" else None


def _issuer_in(response: httpx.Response) -> Any:
    """Whose metadata an answer is, if it is that."""
    try:
        document = from_json(response.content)
    except ValueError:
        return None
    return cast("dict[str, Any]", document).get("issuer") if isinstance(document, dict) else None


class WorkloadIdentityOAuthProvider(OAuthClientProvider):
    """Authentication for `httpx` of a program whose platform vouches for it, such as a cloud with
    workload identities. It follows a draft (SEP-1933).

    Args:
        server_url: The URL of the MCP server's endpoint.
        storage: Stores tokens.
        assertion_provider: Async function that gets an audience and returns an assertion of the
            platform for it.
        scope: The scopes to ask for, separated by spaces, if the server names none. Default: none.
        audience: The audience of assertions: the authorization server's `"token_endpoint"`, the
            default, or its `"issuer"`.
    """

    _grant = "workload_identity"

    def __init__(
        self,
        server_url: str,
        storage: TokenStorage,
        assertion_provider: Callable[[str], Awaitable[str]],
        scope: str | None = None,
        audience: Literal["issuer", "token_endpoint"] = "token_endpoint",
    ) -> None:
        super().__init__(server_url, OAuthClientMetadata(redirect_uris=None, scope=scope), storage)
        self._assertion_provider = assertion_provider
        self._audience = audience

    def _options(self) -> dict[str, Any]:
        return {**super()._options(), "audience": self._audience}

    async def _supply(self, need: dict[str, Any]) -> str | None:
        return await self._assertion_provider(need["audience"]) if need["need"] == "workload_assertion" else None
