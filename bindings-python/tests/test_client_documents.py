"""Clients whose id is the URL of a document about them, at our own authorization server's endpoints."""

import asyncio
import base64
import hashlib
import json
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from mcpbolt.server.auth.client_documents import ClientDocuments, DocumentClient
from mcpbolt.server.auth.provider import AuthorizationCode, construct_redirect_uri
from mcpbolt.server.auth.routes import build_metadata, create_auth_routes
from mcpbolt.server.auth.settings import (
    AuthSettings,
    ClientDocumentOptions,
    ClientRegistrationOptions,
    RevocationOptions,
)
from mcpbolt.shared._authorization import Refused
from mcpbolt.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

BACK = "https://editor.example/back"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
DEVELOPMENT = ClientDocumentOptions(enabled=True, this_machine=True)


class Publisher:
    """Publishes documents on this machine, and counts who asks."""

    def __init__(self):
        self.asked, self.headers, self.status, self.changed = [], {}, 200, {}

    def document(self, url):
        return {"client_id": url, "client_name": "Editor", "redirect_uris": [BACK], **self.changed}


@pytest.fixture
def publisher():
    found = Publisher()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            found.asked.append(self.path)
            body = json.dumps(found.document(f"{found.base}{self.path}")).encode()
            self.send_response(found.status)
            for name, value in {"content-length": str(len(body)), **found.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.base = f"http://127.0.0.1:{server.server_port}"
    found.id = f"{found.base}/client.json"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


class Provider:
    """Its users agree to everything; it notes whom they agreed to."""

    def __init__(self):
        self.shown = []
        self.codes = {}
        self.stored = OAuthClientInformationFull(client_id="stored", redirect_uris=[BACK])

    async def get_client(self, client_id):
        return self.stored if client_id == self.stored.client_id else None

    async def authorize(self, client, params):
        self.shown.append(client)
        self.scopes = params.scopes
        self.codes["the-code"] = AuthorizationCode(
            code="the-code",
            scopes=[],
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
        )
        return construct_redirect_uri(str(params.redirect_uri), code="the-code", state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.pop(authorization_code, None)

    async def exchange_authorization_code(self, client, authorization_code):
        return OAuthToken(access_token="a", expires_in=60)


@contextmanager
def endpoints(provider, options):
    routes = create_auth_routes(provider, AnyHttpUrl("https://as.example"), client_document_options=options)
    transport = httpx.ASGITransport(app=Starlette(routes=routes))

    def ask(method, path, **given):
        async def main():
            async with httpx.AsyncClient(transport=transport, base_url="https://as.example") as http:
                return await http.request(method, path, **given)

        return asyncio.run(main())

    yield ask


def authorize(ask, client_id, **more):
    asked = {"client_id": client_id, "response_type": "code", "code_challenge": CHALLENGE, "state": "s", **more}
    return ask("GET", "/authorize", params=asked)


def test_a_client_is_known_by_its_document(publisher):
    provider = Provider()
    with endpoints(provider, DEVELOPMENT) as ask:
        answer = authorize(ask, publisher.id, redirect_uri=BACK)
        assert parse_qs(urlsplit(answer.headers["location"]).query) == {"code": ["the-code"], "state": ["s"]}
        # What users have to be shown.
        (client,) = provider.shown
        assert isinstance(client, DocumentClient)
        assert (client.host, client.client_name, client.client_id) == ("127.0.0.1", "Editor", publisher.id)
        form = {
            "grant_type": "authorization_code",
            "code": "the-code",
            "client_id": publisher.id,
            "code_verifier": VERIFIER,
            "redirect_uri": BACK,
        }
        answer = ask("POST", "/token", data=form)
        assert (answer.status_code, answer.json()["access_token"]) == (200, "a")
    # Once for both requests.
    assert publisher.asked == ["/client.json"]


def test_a_document_may_name_the_scopes(publisher):
    provider = Provider()
    with endpoints(provider, DEVELOPMENT) as ask:
        assert authorize(ask, publisher.id, scope="notes files").status_code == 302
        assert provider.scopes == ["notes", "files"]
        publisher.changed = {"scope": "notes"}
        other = publisher.id.replace("client", "other")
        refused = authorize(ask, other, redirect_uri=BACK, scope="files")
        assert parse_qs(urlsplit(refused.headers["location"]).query)["error"] == ["invalid_scope"]


def test_clients_that_are_stored_stay_known(publisher):
    provider = Provider()
    with endpoints(provider, DEVELOPMENT) as ask:
        assert authorize(ask, "stored").status_code == 302
        assert authorize(ask, "nobody").status_code == 400
    assert publisher.asked == []


def test_without_the_option_no_document_is_read(publisher):
    with endpoints(Provider(), None) as ask:
        assert authorize(ask, publisher.id).status_code == 400
        document = ask("GET", "/.well-known/oauth-authorization-server").json()
    assert publisher.asked == []
    assert "client_id_metadata_document_supported" not in document


def test_it_is_advertised_where_it_is_on():
    with endpoints(Provider(), DEVELOPMENT) as ask:
        document = ask("GET", "/.well-known/oauth-authorization-server").json()
    assert document["client_id_metadata_document_supported"] is True
    assert "none" in document["token_endpoint_auth_methods_supported"]
    made = build_metadata(AnyHttpUrl("https://as.example"), None, ClientRegistrationOptions(), RevocationOptions())
    assert made.client_id_metadata_document_supported is None
    settings = AuthSettings(
        issuer_url="https://as.example", resource_server_url=None, client_document_options=DEVELOPMENT
    )
    assert settings.client_document_options.enabled


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"client_id": "https://other.example/client.json"}, "client_id"),
        ({"redirect_uris": []}, "redirect_uris"),
        ({"redirect_uris": ["http://editor.example/back"]}, "redirect_uris"),
        ({"client_name": None}, "client_name"),
        ({"client_secret": "canary"}, "client_secret"),
        ({"contacts": "canary"}, "contacts"),
        ({"client_name": "canary" * 10_000}, "16384"),
    ],
)
def test_a_document_that_is_not_good_leads_nowhere(publisher, changed, named):
    publisher.changed = changed
    provider = Provider()
    with endpoints(provider, DEVELOPMENT) as ask:
        answer = authorize(ask, publisher.id, redirect_uri=BACK)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
    assert named in answer.json()["error_description"]
    assert "canary" not in answer.text
    assert provider.shown == []


def test_a_redirect_of_the_document_is_not_followed(publisher):
    publisher.status, publisher.headers = 302, {"location": "/other.json"}
    with endpoints(Provider(), DEVELOPMENT) as ask:
        assert "302" in authorize(ask, publisher.id).json()["error_description"]
    assert publisher.asked == ["/client.json"]


def test_a_redirect_uri_that_the_document_does_not_name_is_refused(publisher):
    with endpoints(Provider(), DEVELOPMENT) as ask:
        for other in (f"{BACK}/", f"{BACK}?x=1", "https://evil.example/back"):
            answer = authorize(ask, publisher.id, redirect_uri=other)
            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


def test_an_id_that_leads_into_a_private_network_is_not_fetched(publisher):
    with endpoints(Provider(), ClientDocumentOptions(enabled=True)) as ask:
        for client_id in (
            publisher.id,
            publisher.id.replace("http:", "https:"),
            "https://10.0.0.1/client.json",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/client.json",
        ):
            answer = authorize(ask, client_id)
            assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request"), client_id
    assert publisher.asked == []


@pytest.mark.parametrize(
    ("said", "times"), [({}, 1), ({"cache-control": "max-age=60"}, 1), ({"cache-control": "no-store"}, 2)]
)
def test_a_document_is_kept_as_long_as_it_says(publisher, said, times):
    publisher.headers = said
    documents = ClientDocuments(DEVELOPMENT)

    async def main():
        for _ in range(2):
            assert (await documents.client(publisher.id)).client_name == "Editor"
        assert await documents.client("an-id-of-the-server") is None

    asyncio.run(main())
    assert len(publisher.asked) == times


def test_what_was_refused_is_fetched_anew(publisher):
    documents = ClientDocuments(DEVELOPMENT)
    publisher.status = 500

    async def main():
        with pytest.raises(Refused):
            await documents.client(publisher.id)
        publisher.status = 200
        assert await documents.client(publisher.id) is not None

    asyncio.run(main())
