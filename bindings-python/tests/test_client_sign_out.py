"""Signing out: tokens are forgotten and revoked (RFC 7009)."""

import asyncio
from urllib.parse import parse_qsl

import httpx
import pytest
from mcpbolt.client.auth import OAuthClientProvider, OAuthFlowError
from mcpbolt.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

SERVER = "https://mcp.example/mcp"
ISSUER = "https://as.example"
REVOKE = f"{ISSUER}/revoke"
METADATA = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "revocation_endpoint": REVOKE,
    "code_challenge_methods_supported": ["S256"],
}


class Storage:
    def __init__(self, issuer=ISSUER):
        self.tokens = OAuthToken(access_token="a", refresh_token="r")
        self.client = OAuthClientInformationFull(
            client_id="c", client_secret="s", redirect_uris=["http://localhost:1/back"], issuer=issuer
        )

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client_info):
        self.client = client_info


def signed_out(storage, status=200, metadata=METADATA):
    """Sign out; what was asked of the authorization server, or the error."""
    revoked = []

    def answer(request):
        url = str(request.url)
        if "oauth-protected-resource" in url:
            return httpx.Response(200, json={"resource": SERVER, "authorization_servers": [ISSUER]})
        if "oauth-authorization-server" in url:
            return httpx.Response(200, json=metadata)
        assert url == REVOKE, url
        revoked.append((dict(parse_qsl(request.content.decode())), request.headers.get("authorization")))
        return httpx.Response(status, headers={"location": "https://evil.example"})

    async def main():
        client = OAuthClientMetadata(redirect_uris=["http://localhost:1/back"])
        provider = OAuthClientProvider(SERVER, client, storage)
        async with httpx.AsyncClient(
            transport=httpx.MockTransport(answer), auth=provider, follow_redirects=True
        ) as http:
            await provider.sign_out(http)

    asyncio.run(main())
    return revoked


def test_tokens_are_revoked_and_forgotten():
    storage = Storage()
    revoked = signed_out(storage)
    assert [form for form, _ in revoked] == [
        {"token": "r", "token_type_hint": "refresh_token"},
        {"token": "a", "token_type_hint": "access_token"},
    ]
    assert all(proof.startswith("Basic ") for _, proof in revoked)
    assert (storage.tokens.access_token, storage.tokens.refresh_token) == ("", None)
    assert storage.client.client_id == "c"
    assert signed_out(storage) == []


def test_a_server_without_revocation_is_asked_for_none():
    storage = Storage()
    assert signed_out(storage, metadata={**METADATA, "revocation_endpoint": None}) == []
    assert storage.tokens.access_token == ""


@pytest.mark.parametrize("status", [302, 400, 503])
def test_tokens_that_were_not_revoked_are_forgotten_all_the_same(status):
    storage = Storage()
    with pytest.raises(OAuthFlowError):
        signed_out(storage, status)
    assert storage.tokens.access_token == ""


def test_tokens_are_shown_to_no_other_issuer():
    storage = Storage(issuer="https://other.example")
    assert signed_out(storage) == []
    assert storage.tokens.access_token == ""
