"""Tokens that are bound to a key: an authorization server and a resource that check each proof."""

import base64
import hashlib

import httpx
import jwt
import pytest
from mcpbolt.client.auth.extensions.dpop import DpopKey
from test_client_auth_official import ASM, ISSUER, RESOURCE, Storage, User, World, server_metadata
from test_client_auth_strict import PKCE, ask, with_user


class Bound(World):
    """Gives tokens that are bound to the key of the proof, and wants a nonce where there is one."""

    def __init__(self, kind="DPoP", issuer_nonce=None, resource_nonce=None):
        super().__init__(**{ASM: server_metadata(**PKCE)})
        self.kind, self.issuer_nonce, self.resource_nonce = kind, issuer_nonce, resource_nonce
        self.seen, self.keys, self.proofs = [], set(), set()

    def proved(self, request, url, token, nonce):
        """The answer that refuses a proof; `None` for a good one."""
        text = request.headers.get("dpop")
        if text is None:
            return httpx.Response(400, json={"error": "invalid_dpop_proof"})
        head = jwt.get_unverified_header(text)
        assert (head["typ"], head["alg"]) == ("dpop+jwt", "ES256")
        claims = jwt.decode(text, jwt.PyJWK(head["jwk"]).key, algorithms=["ES256"])
        ath = token and base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()).decode().rstrip("=")
        assert (claims["htm"], claims["htu"], claims.get("ath")) == ("POST", url, ath)
        assert claims["jti"] not in self.proofs
        self.proofs.add(claims["jti"])
        self.keys.add(head["jwk"]["x"])
        if nonce is None or claims.get("nonce") == nonce:
            return None
        headers = {"dpop-nonce": nonce, "www-authenticate": 'DPoP error="use_dpop_nonce"'}
        return httpx.Response(401 if token else 400, headers=headers, json={"error": "use_dpop_nonce"})

    def __call__(self, request):
        url = str(request.url)
        if url != f"{ISSUER}/token":
            return super().__call__(request)
        self.seen.append("token")
        refused = None if self.kind == "Bearer" else self.proved(request, url, None, self.issuer_nonce)
        tokens = {"access_token": "good", "token_type": self.kind, "expires_in": 60, "scope": "read"}
        return refused or httpx.Response(200, json=tokens)

    def resource(self, request):
        sent = request.headers.get("authorization")
        self.seen.append(sent)
        if sent != f"{self.kind} good":
            return httpx.Response(401, headers={"www-authenticate": self.challenge})
        refused = None if self.kind == "Bearer" else self.proved(request, RESOURCE, "good", self.resource_nonce)
        return refused or httpx.Response(200, text="welcome")


def test_bound_tokens_go_with_a_proof_each_time():
    world, storage = Bound(), Storage()
    assert ask(world, with_user(User(), storage, dpop=DpopKey()), times=2) == 200
    assert world.seen == [None, "token", "DPoP good", "DPoP good"]
    assert (len(world.proofs), len(world.keys)) == (3, 1)
    assert storage.tokens.token_type == "DPoP"


def test_each_server_has_nonces_of_its_own():
    world = Bound(issuer_nonce="of-the-issuer", resource_nonce="of-the-resource")
    assert ask(world, with_user(User(), dpop=DpopKey()), times=2) == 200
    assert world.seen == [None, "token", "token", "DPoP good", "DPoP good", "DPoP good"]


def test_a_server_that_binds_nothing_gives_tokens_as_before():
    world = Bound(kind="Bearer")
    assert ask(world, with_user(User(), dpop=DpopKey())) == 200
    assert world.seen == [None, "token", "Bearer good"]


def test_a_client_without_a_key_gets_no_bound_token():
    world = Bound()
    assert "invalid_dpop_proof" in ask(world, with_user(User()))
    assert world.seen == [None, "token"]


def test_a_key_that_was_kept_is_the_same():
    key = DpopKey()
    assert DpopKey(key.pkcs8).thumbprint == key.thumbprint != DpopKey().thumbprint
    with pytest.raises(Exception, match="PKCS#8"):
        DpopKey(b"no key")
