"""Signing in where no user is there: the conformance suites answer in their place."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from mcpbolt.client.auth import OAuthClientProvider
from mcpbolt.client.auth.extensions.client_credentials import (
    ClientCredentialsOAuthProvider,
    PrivateKeyJWTOAuthProvider,
    SignedJWTParameters,
)
from mcpbolt.client.auth.extensions.dpop import DpopKey
from mcpbolt.client.auth.extensions.enterprise_managed import (
    EnterpriseManagedOAuthProvider,
    IdentityProvider,
    WorkloadIdentityOAuthProvider,
)
from mcpbolt.shared.auth import (
    AuthorizationCodeResult,
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthToken,
)
from pydantic import AnyUrl

# Nothing listens there: the answer is read from where the browser would be sent.
REDIRECT_URI = "http://localhost:3000/callback"
# The one document that the suites know.
METADATA_URL = "https://conformance-test.local/client-metadata.json"


class Memory:
    """Tokens and credentials that end with the program."""

    def __init__(self, client: OAuthClientInformationFull | None) -> None:
        self.tokens: OAuthToken | None = None
        self.client = client

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Browser:
    """Goes where a user would be sent, and reads where it is sent back to."""

    async def show(self, url: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as http:
            self.location = (await http.get(url)).headers["location"]

    async def back(self) -> AuthorizationCodeResult:
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.location).query).items()}
        return AuthorizationCodeResult(code=query.get("code", ""), state=query.get("state"), iss=query.get("iss"))


def provider(url: str, scenario: str, given: dict[str, Any]) -> OAuthClientProvider:
    """What signs in at a server as the scenario wants to see it."""
    memory, client_id = Memory(None), given.get("client_id", "")
    match scenario:
        case "auth/client-credentials-basic":
            return ClientCredentialsOAuthProvider(url, memory, client_id, given["client_secret"], issuer=given.get("issuer"))
        case "auth/client-credentials-jwt":
            key = SignedJWTParameters(
                issuer=client_id,
                subject=client_id,
                signing_key=given["private_key_pem"],
                signing_algorithm=given["signing_algorithm"],
            )
            return PrivateKeyJWTOAuthProvider(url, memory, client_id, key.create_assertion_provider())
        case "auth/enterprise-managed-authorization" | "auth/cross-app-access-complete-flow":
            company = IdentityProvider(
                given["idp_issuer"], given["idp_client_id"], token_endpoint=given["idp_token_endpoint"]
            )

            async def subject_token(kind: str) -> str:
                return str(given["idp_id_token"])

            # The mocks take the grant without saying so.
            return EnterpriseManagedOAuthProvider(
                url, memory, client_id, given["client_secret"], company, subject_token, assume_grant=True
            )
        case "auth/wif-jwt-bearer":

            async def assertion(audience: str) -> str:
                return str(given["valid_jwt"])

            return WorkloadIdentityOAuthProvider(url, memory, assertion)
        case _:
            if client_id:
                memory.client = OAuthClientInformationFull(
                    redirect_uris=[AnyUrl(REDIRECT_URI)], client_id=client_id, client_secret=given.get("client_secret")
                )
            metadata = OAuthClientMetadata(
                client_name="mcpbolt-everything-client", redirect_uris=[AnyUrl(REDIRECT_URI)]
            )
            browser = Browser()
            return OAuthClientProvider(
                url,
                metadata,
                memory,
                browser.show,
                browser.back,
                client_metadata_url=METADATA_URL if scenario == "auth/basic-cimd" else None,
                # Servers of 2025-03-26 publish less, or nothing.
                assume_endpoints=True if scenario.startswith("auth/2025-03-26") else None,
                # Off unless asked for: it follows a draft.
                dpop=DpopKey() if scenario.startswith("auth/dpop") else None,
            )
