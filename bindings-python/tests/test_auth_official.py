"""Authorization of servers: the same requests to an app of ours and one of the official package.

Status, headers that matter and bodies are compared; then what only we promise.
"""

import time
from base64 import b64encode

import pytest
from guarded import BACK, CHALLENGE, VERIFIER, client_of, make_app, package, seen

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.fixture(params=["mcp", "mcpbolt"])
def each(request):
    return package(request.param)


def authorize(**changed):
    params = {
        "client_id": "posts",
        "redirect_uri": BACK,
        "response_type": "code",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "state": "st",
        "scope": "read",
        "resource": "http://localhost:8000/mcp",
        **changed,
    }
    return {name: value for name, value in params.items() if value is not None}


AUTHORIZE = {
    "good": authorize(),
    "without what may be left out": authorize(redirect_uri=None, scope=None, state=None, resource=None),
    "plain PKCE": authorize(code_challenge_method="plain"),
    "no PKCE": authorize(code_challenge=None),
    "another response type": authorize(response_type="token"),
    "no response type": authorize(response_type=None),
    "a client nobody knows": authorize(client_id="nobody"),
    "no client": authorize(client_id=None),
    "an address nobody registered": authorize(redirect_uri="https://evil.example/"),
    "no address": authorize(redirect_uri="nonsense"),
    "two addresses to choose from": authorize(client_id="narrow", redirect_uri=None, scope=None),
    "a scope nobody registered": authorize(scope="read admin"),
    "the user says no": authorize(state="deny"),
    "the provider fails": authorize(client_id="broken"),
    "wrong, and nowhere to say so": authorize(client_id="nobody", response_type="token"),
}


@pytest.mark.parametrize("name", AUTHORIZE)
@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_authorization_endpoint_answers_as_the_official_one(name, method):
    answers = []
    for of in (package("mcp"), package("mcpbolt")):
        server, provider = make_app(of)
        async with client_of(server.streamable_http_app()) as http:
            where = "params" if method == "GET" else "data"
            try:
                answer = await seen(http, method, "/authorize", **{where: AUTHORIZE[name]})
            except RuntimeError as error:
                # The official handler asks a failing provider once more, and gives up.
                answer = str(error)
            asked = getattr(provider, "asked", None)
            answers.append((answer, asked and asked.model_dump(mode="json")))
    if name == "the provider fails":
        status, _, text = answers[1][0]
        assert answers[0][0] == "the database is down"
        assert (status, "server_error" in text, "database" in text) == (400, True, False)
    else:
        assert answers[0] == answers[1]


def code(**changed):
    form = {
        "grant_type": "authorization_code",
        "code": "good",
        "redirect_uri": BACK,
        "client_id": "public",
        "code_verifier": VERIFIER,
        **changed,
    }
    return {name: value for name, value in form.items() if value is not None}


def refresh(**changed):
    form = {"grant_type": "refresh_token", "refresh_token": "rt", "client_id": "public", **changed}
    return {name: value for name, value in form.items() if value is not None}


def basic(text):
    return {"authorization": "Basic " + b64encode(text.encode()).decode()}


TOKEN = {
    "a code": (code(), {}),
    "a code without a named address": (code(code="implicit", redirect_uri=None), {}),
    "a code with an address that was not named": (code(code="implicit"), {}),
    "an unknown code": (code(code="unknown"), {}),
    "an old code": (code(code="old"), {}),
    "somebody else's code": (code(code="stolen"), {}),
    "another address": (code(redirect_uri=BACK + "2"), {}),
    "no address": (code(redirect_uri=None), {}),
    "another verifier": (code(code_verifier="w" * 43), {}),
    "no verifier": (code(code_verifier=None), {}),
    "the provider refuses": (code(code="refused"), {}),
    "another grant": (code(grant_type="password"), {}),
    "no grant": (code(grant_type=None), {}),
    "a grant the client has not": (code(client_id="narrow"), {}),
    "no client": (code(client_id=None), {}),
    "an unknown client": (code(client_id="nobody"), {}),
    "a posted secret": (code(client_id="posts", client_secret="s3"), {}),
    "a wrong posted secret": (code(client_id="posts", client_secret="s4"), {}),
    "no posted secret": (code(client_id="posts"), {}),
    "an expired secret": (code(client_id="late", client_secret="s"), {}),
    "a basic secret": (code(client_id="basic"), basic("basic:p%25%3Ax")),
    "a wrong basic secret": (code(client_id="basic"), basic("basic:no")),
    "somebody else's basic secret": (code(client_id="basic"), basic("posts:s3")),
    "basic without a colon": (code(client_id="basic"), basic("basic")),
    "basic that is no base64": (code(client_id="basic"), {"authorization": "Basic a"}),
    "a missing basic secret": (code(client_id="basic"), {}),
    "a refresh": (refresh(), {}),
    "a refresh for less": (refresh(scope="read"), {}),
    "a refresh for more": (refresh(scope="read admin"), {}),
    "an unknown refresh token": (refresh(refresh_token="x"), {}),
    "an old refresh token": (refresh(refresh_token="rt-old"), {}),
    "somebody else's refresh token": (refresh(refresh_token="rt-stolen"), {}),
}


@pytest.mark.parametrize("name", TOKEN)
async def test_the_token_endpoint_answers_as_the_official_one(name):
    form, headers = TOKEN[name]
    answers = []
    for of in (package("mcp"), package("mcpbolt")):
        server, _ = make_app(of)
        async with client_of(server.streamable_http_app()) as http:
            answers.append(await seen(http, "POST", "/token", data=form, headers=headers))
    assert answers[0] == answers[1]


REVOKE = {
    "an access token": {"token": "at"},
    "a refresh token": {"token": "rt"},
    "a refresh token, looked for first": {"token": "rt", "token_type_hint": "refresh_token"},
    "a token nobody knows": {"token": "x"},
    "somebody else's token": {"token": "at-other"},
    "a wrong hint": {"token": "at", "token_type_hint": "cookie"},
    "no token": {},
    "no secret": {"token": "at", "client_secret": None},
}


@pytest.mark.parametrize("name", REVOKE)
async def test_the_revocation_endpoint_answers_as_the_official_one(name):
    form = {"client_id": "posts", "client_secret": "s3", **REVOKE[name]}
    form = {field: value for field, value in form.items() if value is not None}
    answers = []
    for of in (package("mcp"), package("mcpbolt")):
        server, provider = make_app(of)
        async with client_of(server.streamable_http_app()) as http:
            answers.append((await seen(http, "POST", "/revoke", data=form), provider.revoked))
    assert answers[0] == answers[1]


REGISTER = {
    "little": {"redirect_uris": [BACK]},
    "much": {
        "redirect_uris": [BACK],
        "token_endpoint_auth_method": "none",
        "scope": "read write",
        "client_name": "n",
        "client_uri": "https://client.example",
        "logo_uri": "",
        "contacts": ["a@b.example"],
        "software_id": "s",
        "grant_types": ["authorization_code", "refresh_token", "more"],
    },
    "a scope there is not": {"redirect_uris": [BACK], "scope": "read admin"},
    "too few grants": {"redirect_uris": [BACK], "grant_types": ["authorization_code"]},
    "another response type": {"redirect_uris": [BACK], "response_types": ["token"]},
    "no address": {"redirect_uris": []},
    "addresses that are none": {"redirect_uris": ["nonsense"]},
    "no addresses": {},
    "the provider refuses": {"redirect_uris": [BACK], "client_name": "refused"},
}


@pytest.mark.parametrize("name", REGISTER)
async def test_the_registration_endpoint_answers_as_the_official_one(name):
    answers = []
    for of in (package("mcp"), package("mcpbolt")):
        server, _ = make_app(of)
        async with client_of(server.streamable_http_app()) as http:
            answer = await http.post("/register", json=REGISTER[name])
            body = answer.json()
            fresh = {field: body.pop(field, None) for field in ("client_id", "client_secret")}
            times = [body.pop(field, 0) for field in ("client_id_issued_at", "client_secret_expires_at")]
            length = {field: value and len(value) for field, value in fresh.items()}
            answers.append((answer.status_code, body, length, times[1] - times[0]))
    assert answers[0] == answers[1]


async def test_a_registration_that_is_no_json_is_refused():
    server, _ = make_app(package("mcpbolt"))
    async with client_of(server.streamable_http_app()) as http:
        answer = await http.post("/register", content=b"{", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_client_metadata")


PAGES = ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp", "/token", "/nothing"]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("method", ["GET", "OPTIONS", "DELETE"])
async def test_documents_and_cors_are_the_official_ones(path, method):
    headers = {
        "origin": "https://page.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "mcp-protocol-version",
    }
    answers = []
    for of in (package("mcp"), package("mcpbolt")):
        server, _ = make_app(of)
        async with client_of(server.streamable_http_app()) as http:
            answers.append(await seen(http, method, path, headers=headers))
    assert answers[0] == answers[1]


TOKENS = ["at", "at-none", "at-old", "at-elsewhere", "x", None]
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
ACCEPT = {"accept": "application/json, text/event-stream"}


def bearing(token):
    return {**ACCEPT, **({"authorization": f"Bearer {token}"} if token else {})}


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("validate", [True, False])
async def test_what_a_token_opens_is_what_it_opens_officially(token, validate):
    answers = []
    for of in (package("mcp"), package("mcpbolt")):
        server, _ = make_app(of, validate_token_resource=validate)
        app = server.streamable_http_app()
        async with server.session_manager.run(), client_of(app) as http:
            status, headers, text = await seen(http, "POST", "/mcp", json=INITIALIZE, headers=bearing(token))
            headers.pop("cache-control", None)
            answers.append((status, headers, text if status != 200 else None))
    assert answers[0] == answers[1]


def call(number):
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": "who", "arguments": {}}}


async def test_a_session_belongs_to_the_principal_that_opened_it(each):
    server, _ = make_app(each)
    app = server.streamable_http_app()
    async with server.session_manager.run(), client_of(app) as http:
        opened = await http.post("/mcp", json=INITIALIZE, headers=bearing("at-one"))
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        mine = await http.post("/mcp", json=call(2), headers={**bearing("at-one"), **session})
        stolen = await http.post("/mcp", json=call(3), headers={**bearing("at-two"), **session})
    assert "posts at-one" in mine.text
    assert stolen.status_code == 404
    assert "posts" not in stolen.text


async def test_each_request_sees_its_own_token():
    server, _ = make_app(package("mcpbolt"))
    modern = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    head = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "who"}
    async with client_of(server.streamable_http_app()) as http:
        for token in ("at-one", "at-two"):
            asked = call(1)
            asked["params"]["_meta"] = modern
            answer = await http.post("/mcp", json=asked, headers={**bearing(token), **head})
            assert answer.json()["result"]["content"][0]["text"] == f"posts {token}"
        refused = await http.post("/mcp", json=asked, headers={**ACCEPT, **head})
    assert refused.status_code == 401


async def test_own_routes_need_no_token(each):
    server, _ = make_app(each)

    @server.custom_route("/health", methods=["GET"])
    async def health(request):
        from starlette.responses import PlainTextResponse

        return PlainTextResponse("fine")

    for app in (server.streamable_http_app(), server.sse_app()):
        async with client_of(app) as http:
            assert (await http.get("/health")).text == "fine"


async def test_the_older_transport_demands_a_token(each):
    server, _ = make_app(each)
    async with client_of(server.sse_app()) as http:
        stream = await http.get("/sse")
        post = await http.post("/messages/?session_id=0", json={})
    assert (stream.status_code, post.status_code) == (401, 401)
    assert 'resource_metadata="http://localhost:8000/.well-known/oauth-protected-resource/mcp"' in (
        stream.headers["www-authenticate"]
    )


URLS = [
    "https://Example.com/MCP#part",
    "https://example.com:443/a/?q=1",
    "http://h/api",
    "http://h/api/",
    "http://h/api123",
    "http://h/api/more",
    "http://H/",
    "http://h",
]


def test_resources_are_compared_as_officially():
    ours, theirs = package("mcpbolt").utils, package("mcp").utils
    for one in URLS:
        assert ours.resource_url_from_server_url(one) == theirs.resource_url_from_server_url(one)
        for other in URLS:
            assert ours.check_resource_allowed(one, other) == theirs.check_resource_allowed(one, other), (one, other)


def test_token_expiry_takes_text_and_nothing():
    assert package("mcpbolt").utils.calculate_token_expiry(None) is None
    assert package("mcpbolt").utils.calculate_token_expiry("60") == pytest.approx(time.time() + 60, abs=5)


@pytest.mark.parametrize(
    "url", ["https://a.example", "http://a.example", "http://127.0.0.1:1", "http://localhost", "https://a/?q", "https://a/#f"]
)
def test_issuers_are_judged_as_officially(url):
    from pydantic import AnyHttpUrl

    verdicts = []
    for of in (package("mcp"), package("mcpbolt")):
        try:
            of.routes.validate_issuer_url(AnyHttpUrl(url))
            verdicts.append(None)
        except ValueError as error:
            verdicts.append(str(error))
    assert verdicts[0] == verdicts[1]


def test_settings_warn_and_refuse_as_officially(each):
    make = each.settings.AuthSettings
    with pytest.warns(DeprecationWarning, match="validate_token_resource"):
        make(issuer_url="https://a.example", resource_server_url="https://b.example")
    with pytest.raises(ValueError, match="requires resource_server_url"):
        make(issuer_url="https://a.example", resource_server_url=None, validate_token_resource=True)
    assert make(issuer_url="https://a.example", resource_server_url=None).required_scopes is None


@pytest.mark.parametrize("named", [True, False])
async def test_responses_name_the_issuer_where_the_settings_say_so(named):
    from urllib.parse import parse_qs, urlsplit

    server, _ = make_app(package("mcpbolt"), issuer_in_responses=named)
    async with client_of(server.streamable_http_app()) as http:
        document = (await http.get("/.well-known/oauth-authorization-server")).json()
        answers = [await http.get("/authorize", params=authorize(state=state)) for state in ("st", "deny")]
    assert document.get("authorization_response_iss_parameter_supported") is (True if named else None)
    issuers = [parse_qs(urlsplit(answer.headers["location"]).query).get("iss") for answer in answers]
    assert issuers == [[document["issuer"]] if named else None] * 2
