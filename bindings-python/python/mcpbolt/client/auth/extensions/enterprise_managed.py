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
    """A company's identity provider, and the client as it knows it. Its token endpoint is looked
    for if it is not given.
    """

    issuer: str
    """The identifier of the identity provider."""
    client_id: str
    """The client's id there."""
    client_secret: str | None = None
    """The client's secret there. Default: none."""
    token_endpoint: str | None = None
    """Its token endpoint. Default: the one that its metadata name."""
    subject_token_type: str = _ID_TOKEN
    """What the user's token is. Default: an ID token."""


class EnterpriseManagedOAuthProvider(OAuthClientProvider):
    """A client for users whom their company's identity provider speaks for: a token of the user
    becomes an assertion there, and the assertion a token for the MCP server.

    Args:
        server_url: The endpoint of the MCP server.
        storage: Stores tokens.
        client_id: The client's id at the authorization server of the MCP server.
        client_secret: Its secret, if it has one.
        identity_provider: The company's identity provider.
        subject_token_provider: Gets the user's token of that provider, of the kind it names.
        scope: Scopes to ask for where the server names none.
        assume_grant: Whether the authorization server takes assertions without saying so.
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
    """A client that the platform it runs on vouches for. It follows a draft (SEP-1933).

    Args:
        server_url: The endpoint of the MCP server.
        storage: Stores tokens.
        assertion_provider: Gets an assertion of the platform for an audience.
        scope: Scopes to ask for where the server names none.
        audience: Whom assertions are for: the authorization server's token endpoint, or the
            server itself.
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
