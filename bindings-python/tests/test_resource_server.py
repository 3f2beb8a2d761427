"""Servers whose tokens the engine verifies: a real issuer with keys, and requests with its tokens."""

import asyncio
import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from mcpbolt.server.auth.identity_assertions import IdentityAssertions
from mcpbolt.server.auth.middleware.auth_context import get_access_token
from mcpbolt.server.auth.provider import IdentityAssertionParams, TokenError
from mcpbolt.server.auth.resource_server import ResourceServer, TokenIntrospection
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.shared.auth import OAuthClientInformationFull

pytestmark = pytest.mark.anyio

RESOURCE = "http://127.0.0.1:8000/mcp"
# On trio too, where the package is asked to wait.
ON_EITHER_LOOP = pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])


@pytest.fixture
def anyio_backend():
    return "asyncio"


def part(value):
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class Issuer:
    """An authorization server of which there are only its documents and its keys."""

    def __init__(self):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.asked = []
        self.active = True
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer()

            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                self.answer()

            def answer(self):
                issuer.asked.append(self.path)
                body = json.dumps(issuer.documents().get(self.path, {})).encode()
                self.send_response(200 if self.path in issuer.documents() else 404)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def documents(self):
        numbers = self.key.public_key().public_numbers()
        x, y = (part(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
        key = {"kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": "k", "alg": "ES256", "use": "sig"}
        return {
            "/.well-known/oauth-authorization-server": {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "introspection_endpoint": f"{self.url}/introspect",
                "jwks_uri": f"{self.url}/keys",
                "response_types_supported": ["code"],
            },
            "/keys": {"keys": [key]},
            "/introspect": {"active": self.active, **self.claims()},
        }

    def claims(self, **changed):
        claims = {
            "iss": self.url,
            "aud": RESOURCE,
            "sub": "ann",
            "client_id": "editor",
            "scope": "notes",
            "exp": int(time.time()) + 60,
            "team": "blue",
            **changed,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, kind="at+jwt", alg="ES256", **changed):
        text = part({"alg": alg, "typ": kind, "kid": "k"}) + "." + part(self.claims(**changed))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        return text + "." + part(r.to_bytes(32, "big") + s.to_bytes(32, "big"))


@pytest.fixture
def issuer():
    made = Issuer()
    yield made
    made.server.shutdown()
    made.server.server_close()


def settings(issuer, **more):
    return ResourceServer(issuer_url=issuer.url, resource_server_url=RESOURCE, required_scopes=["notes"], **more)


def served(auth):
    mcp = FastMCP("notes", auth=auth, stateless_http=True, json_response=True)

    @mcp.tool()
    async def who() -> str:
        token = get_access_token()
        return f"{token.client_id} {token.subject} {token.claims['team']} {token.scopes}"

    return mcp


CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "who", "arguments": {}}}


async def answers(auth, *tokens):
    mcp = served(auth)
    app = mcp.streamable_http_app()
    headers = {"accept": "application/json, text/event-stream"}
    found = []
    async with mcp.session_manager.run():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
            for token in tokens:
                bearer = {} if token is None else {"authorization": f"Bearer {token}"}
                found.append(await http.post("/mcp", json=CALL, headers={**headers, **bearer}))
            found.append(await http.get("/.well-known/oauth-protected-resource/mcp"))
    return found


async def test_a_token_of_the_issuer_is_taken_and_handlers_see_its_claims(issuer):
    token = issuer.token()
    first, second, document = await answers(settings(issuer), token, token)
    said = "editor ann blue ['notes']"
    assert [answer.json()["result"]["content"][0]["text"] for answer in (first, second)] == [said, said]
    assert issuer.asked == ["/.well-known/oauth-authorization-server", "/keys"]
    assert document.json()["authorization_servers"] == [issuer.url]
    assert document.json()["scopes_supported"] == ["notes"]


async def test_other_tokens_are_refused_with_a_challenge(issuer):
    wrong = [
        None,
        "nonsense",
        issuer.token(aud="http://127.0.0.1:8000/other"),
        issuer.token(exp=int(time.time()) - 60),
        issuer.token(iss="https://other.example"),
        issuer.token()[:-8] + "AAAAAAAA",
        issuer.token(scope="mail"),
    ]
    *refused, _ = await answers(settings(issuer), *wrong)
    assert [answer.status_code for answer in refused] == [401] * 6 + [403]
    about = 'resource_metadata="http://127.0.0.1:8000/.well-known/oauth-protected-resource/mcp"'
    assert all(about in answer.headers["www-authenticate"] for answer in refused)
    assert 'error="insufficient_scope"' in refused[-1].headers["www-authenticate"]
    assert not any(token and token in answer.text for token, answer in zip(wrong, refused, strict=True))


async def test_a_scope_may_stand_for_another(issuer):
    answer, _ = await answers(settings(issuer, implied_scopes={"admin": ["notes"]}), issuer.token(scope="admin"))
    assert answer.status_code == 200


@ON_EITHER_LOOP
async def test_the_issuer_is_asked_about_tokens_that_only_it_can_read(issuer):
    ask = TokenIntrospection(client_id="server", client_secret="s3cret", remember=0)
    auth = settings(issuer, introspection=ask)
    answer, _ = await answers(auth, "opaque")
    assert answer.json()["result"]["content"][0]["text"].startswith("editor ann")
    issuer.active = False
    refused, _ = await answers(auth, "opaque")
    assert refused.status_code == 401
    assert "s3cret" not in repr(auth)


async def test_an_issuer_that_does_not_answer_is_not_the_clients_fault(issuer):
    issuer.server.shutdown()
    issuer.server.server_close()
    refused, _ = await answers(settings(issuer), issuer.token())
    assert refused.status_code == 503


async def test_many_requests_wait_for_the_keys_together(issuer):
    mcp = served(settings(issuer))
    app = mcp.streamable_http_app()
    bearer = {"authorization": f"Bearer {issuer.token()}", "accept": "application/json, text/event-stream"}
    async with mcp.session_manager.run():
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
            asked = [http.post("/mcp", json=CALL, headers=bearer) for _ in range(8)]
            statuses = [answer.status_code for answer in await asyncio.gather(*asked)]
    assert statuses == [200] * 8
    assert issuer.asked.count("/keys") == 1


def test_settings_that_cannot_be(issuer):
    with pytest.raises(ValueError, match="verify tokens themselves"):
        FastMCP("x", auth=settings(issuer), token_verifier=object())
    with pytest.raises(ValueError, match="issuer"):
        settings(issuer, other_issuers=["nonsense"]).engine()


def test_presets_fill_in_the_issuer():
    auth = ResourceServer.of("auth0", RESOURCE, domain="a.example", audiences=["api"])
    assert (auth.issuer, auth.audiences) == ("https://a.example/", ["api"])
    entra = ResourceServer.of("entra", RESOURCE, tenant="contoso")
    assert entra.issuer == "https://login.microsoftonline.com/contoso/v2.0"
    assert ResourceServer.of("oidc", RESOURCE, issuer="https://id.example").issuer == "https://id.example"
    for provider, values in [("google", {}), ("entra", {}), ("nobody", {}), ("okta", {"domain": "a/b", "server": "x"})]:
        with pytest.raises(ValueError):
            ResourceServer.of(provider, RESOURCE, **values)


OURS = "https://login.example.com"
CLIENT = OAuthClientInformationFull(client_id="editor", client_secret="s", redirect_uris=["https://c.example/"])


def assertion(issuer, kind="oauth-id-jag+jwt", alg="ES256", **changed):
    claims = {"aud": OURS, "resource": RESOURCE, "jti": "1", "iat": int(time.time()), "scope": "notes mail", **changed}
    return IdentityAssertionParams(assertion=issuer.token(kind, alg, **claims), scopes=["notes", "admin"])


@ON_EITHER_LOOP
async def test_an_identity_assertion_is_redeemed_once(issuer):
    assertions = IdentityAssertions([issuer.url], OURS, [RESOURCE])
    granted = await assertions.redeem(CLIENT, assertion(issuer))
    assert (granted.subject, granted.scopes, granted.resource) == ("ann", ["notes"], RESOURCE)
    with pytest.raises(TokenError) as replayed:
        await assertions.redeem(CLIENT, assertion(issuer))
    assert replayed.value.error == "invalid_grant"
    assert "before" in (replayed.value.error_description or "")


async def test_an_identity_assertion_for_somebody_else_is_refused(issuer):
    assertions = IdentityAssertions([issuer.url], OURS, [RESOURCE])
    for number, changed in enumerate(
        [
            {"aud": "https://other.example"},
            {"resource": "https://other.example/mcp"},
            {"client_id": "other"},
            {"exp": 1},
            {"iss": "https://other.example"},
            {"kind": "at+jwt"},
            {"alg": "HS256"},
            {"alg": "none"},
        ]
    ):
        with pytest.raises(TokenError) as refused:
            await assertions.redeem(CLIENT, assertion(issuer, jti=str(number), **changed))
        assert refused.value.error == "invalid_grant", changed


def test_where_identity_assertions_are_noted_is_a_name_of_stores():
    with pytest.raises(ValueError, match="stores"):
        IdentityAssertions(["https://idp.example"], OURS, [RESOURCE], stores="nonsense")
