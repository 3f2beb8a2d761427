"""Clients that need a token: the same servers for our flow and the official one.

What is sent, in order, what is stored and how it ends are compared, with everything
random replaced. What only we promise is at the end.
"""

import asyncio
import importlib
import json
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
from bounds import WHOLE
from mcpbolt._engine import face
from mcpbolt._engine.face import Face


class Official(Face):
    """Authorization as in the official package, where the specification has since said more."""

    authorizes_like = "python"


@pytest.fixture(autouse=True)
def official_face():
    before = face.current
    face.use(Official())
    yield
    face.use(before)


RESOURCE = "https://mcp.example/api/mcp"
ISSUER = "https://as.example/tenant"
BACK = "http://localhost:3000/back"
RANDOM = {"state", "code_challenge", "code_verifier", "client_assertion"}


def package(name):
    """What a program imports, from either package."""
    at = lambda module: importlib.import_module(f"{name}.{module}")  # noqa: E731
    return SimpleNamespace(
        oauth=at("client.auth.oauth2"),
        utils=at("client.auth.utils"),
        errors=at("client.auth"),
        machines=at("client.auth.extensions.client_credentials"),
        auth=at("shared.auth"),
    )


def server_metadata(**changed):
    found = {
        "issuer": ISSUER,
        "authorization_endpoint": f"{ISSUER}/authorize",
        "token_endpoint": f"{ISSUER}/token",
        "registration_endpoint": f"{ISSUER}/register",
        **changed,
    }
    return {name: value for name, value in found.items() if value is not None}


def shown(name, value):
    """A field of a form, without what is random, and a resource as it was published."""
    if name == "resource":
        return value.rstrip("/")
    return "*" if name in RANDOM else value


class World:
    """A resource that takes the token `good`, and an authorization server that issues it."""

    def __init__(self, **pages):
        self.sent = []
        self.challenge = 'Bearer error="invalid_token"'
        self.tokens = iter([{"access_token": "good", "expires_in": 60, "refresh_token": "again", "scope": "read"}] * 9)
        self.pages = {
            "https://mcp.example/.well-known/oauth-protected-resource/api/mcp": {
                "resource": RESOURCE,
                "authorization_servers": [ISSUER],
                "scopes_supported": ["read", "write"],
            },
            "https://as.example/.well-known/oauth-authorization-server/tenant": server_metadata(),
            f"{ISSUER}/register": (201, {"client_id": "new", "redirect_uris": [BACK], "issuer": "https://evil.example"}),
            **pages,
        }

    def __call__(self, request):
        url, body = str(request.url), request.content.decode()
        form = dict(parse_qsl(body)) if "urlencoded" in request.headers.get("content-type", "") else body
        if isinstance(form, dict):
            form = {name: shown(name, value) for name, value in form.items()}
        elif form and url.endswith("/register"):
            # Since 2026-07-28 clients say what kind of program they are.
            form = {name: value for name, value in json.loads(form).items() if name != "application_type"}
        kept = ("authorization", "mcp-protocol-version", "content-type")
        headers = {name: request.headers[name] for name in kept if name in request.headers}
        if request.method == "GET" and url != RESOURCE:
            # Each package says its own newest revision.
            headers["mcp-protocol-version"] = "*"
        self.sent.append((request.method, url, headers, form))
        if url == RESOURCE:
            return self.resource(request)
        page = self.pages.get(url, 404)
        if page == "token":
            page = next(self.tokens)
        if isinstance(page, int):
            page = (page, {"error": "no"})
        if isinstance(page, str):
            return httpx.Response(307, headers={"location": page})
        status, body = page if isinstance(page, tuple) else (200, page)
        return httpx.Response(status, content=body if isinstance(body, bytes) else json.dumps(body).encode())

    def resource(self, request):
        if request.headers.get("authorization") == "Bearer good":
            return httpx.Response(200, text="welcome")
        return httpx.Response(401, headers={"www-authenticate": self.challenge})


class Storage:
    def __init__(self, tokens=None, info=None):
        self.tokens, self.info = tokens, info

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.info

    async def set_client_info(self, client_info):
        self.info = client_info


class User:
    """Agrees to everything."""

    def __init__(self, state=None, code="the-code"):
        self.seen, self.state, self.code = [], state, code

    async def show(self, url):
        parts = urlsplit(url)
        self.asked = dict(parse_qsl(parts.query))
        masked = {name: shown(name, value) for name, value in self.asked.items()}
        self.seen.append((f"{parts.scheme}://{parts.netloc}{parts.path}", masked))

    async def back(self):
        return self.code, self.state if self.state is not None else self.asked["state"]


def client_metadata(of, **changed):
    return of.auth.OAuthClientMetadata(**{"redirect_uris": [BACK], "client_name": "t", **changed})


def with_user(of, storage, user, **more):
    return of.oauth.OAuthClientProvider(RESOURCE, client_metadata(of), storage, user.show, user.back, **more)


async def run(of, world, storage=None, user=None, make=with_user, times=1, version="2025-11-25", **more):
    """How requests end, and all that can be seen of the way there."""
    storage, user = storage or Storage(), user or User()
    provider = make(of, storage, user, **more)
    ends = []
    async with httpx.AsyncClient(transport=httpx.MockTransport(world), auth=provider) as http:
        for _ in range(times):
            try:
                headers = {"mcp-protocol-version": version} if version else {}
                answer = await http.post(RESOURCE, json={"id": 1}, headers=headers)
                ends.append((answer.status_code, answer.text))
            except Exception as error:
                # The engine says more than the official package, and never what a server sent.
                assert str(error)
                ends.append(type(error).__name__)
    dumped = [model and model.model_dump(mode="json") for model in (storage.tokens, storage.info)]
    return ends, world.sent, user.seen, dumped


WELL_KNOWN = "https://mcp.example/.well-known"
PRM = f"{WELL_KNOWN}/oauth-protected-resource/api/mcp"
ASM = "https://as.example/.well-known/oauth-authorization-server/tenant"
OIDC = "https://as.example/.well-known/openid-configuration/tenant"
TOKEN = {f"{ISSUER}/token": "token"}
OTHER = {"resource": RESOURCE, "authorization_servers": ["https://two.example"]}

WORLDS = {
    "all is published": {},
    "the resource's metadata is at its root": {
        PRM: 404,
        f"{WELL_KNOWN}/oauth-protected-resource": {"resource": "https://mcp.example", "authorization_servers": [ISSUER]},
    },
    "the server's metadata is where OpenID has it": {ASM: 404, OIDC: server_metadata()},
    "the server's metadata is below its path": {
        ASM: 404,
        OIDC: 404,
        f"{ISSUER}/.well-known/openid-configuration": server_metadata(),
    },
    "nothing is published": {
        PRM: 404,
        "https://mcp.example/register": (201, {"client_id": "legacy", "redirect_uris": [BACK]}),
        "https://mcp.example/token": "token",
    },
    "only the server's metadata is published, at the resource": {
        PRM: 404,
        f"{WELL_KNOWN}/oauth-authorization-server": {
            "issuer": "https://mcp.example/",
            "authorization_endpoint": "https://mcp.example/a",
            "token_endpoint": "https://mcp.example/t",
        },
        "https://mcp.example/register": (200, {"client_id": "legacy", "redirect_uris": [BACK]}),
        "https://mcp.example/t": "token",
    },
    "the resource's metadata fails": {PRM: 500},
    "too many ask for the resource's metadata": {PRM: 429, f"{WELL_KNOWN}/oauth-protected-resource": 429},
    "the resource's metadata is no JSON": {PRM: (200, b"<html>")},
    "the metadata is another resource's": {PRM: {"resource": "https://evil.example", "authorization_servers": [ISSUER]}},
    "the server's metadata fails": {ASM: 503},
    "the server's metadata is another server's": {ASM: server_metadata(issuer="https://evil.example")},
    "nobody registers": {f"{ISSUER}/register": (403, {"error": "no"})},
    "a registration that is no JSON": {f"{ISSUER}/register": (201, b"<html>")},
    "a server that registers nobody": {ASM: server_metadata(registration_endpoint=None)},
    "a secret in a header": {
        f"{ISSUER}/register": (
            201,
            {
                "client_id": "a:b",
                "client_secret": "s %/",
                "redirect_uris": [BACK],
                "token_endpoint_auth_method": "client_secret_basic",
            },
        )
    },
    "a secret in the form": {
        f"{ISSUER}/register": (
            201,
            {
                "client_id": "a",
                "client_secret": "s",
                "redirect_uris": [BACK],
                "token_endpoint_auth_method": "client_secret_post",
            },
        )
    },
    "the token endpoint refuses": {f"{ISSUER}/token": (400, {"error": "invalid_grant"})},
    "the token endpoint answers nonsense": {f"{ISSUER}/token": (200, {"token": 1})},
    "the token endpoint is elsewhere in its origin": {f"{ISSUER}/token": f"{ISSUER}/token/", f"{ISSUER}/token/": "token"},
    "the token endpoint is in another origin": {f"{ISSUER}/token": "https://evil.example/token"},
    "the server reads clients' documents": {ASM: server_metadata(client_id_metadata_document_supported=True)},
}


async def both(name, **more):
    found = []
    for of in (package("mcp"), package("mcpbolt")):
        world = World(**{**TOKEN, **WORLDS[name]})
        found.append(await run(of, world, **more))
    return found


@pytest.mark.parametrize("version", ["2025-11-25", "2025-03-26", None])
@pytest.mark.parametrize("name", WORLDS)
def test_the_way_to_a_token_is_the_official_one(name, version):
    document = "https://client.example/me.json" if "documents" in name else None
    theirs, ours = asyncio.run(both(name, version=version, client_metadata_url=document, times=2))
    assert theirs == ours


CHALLENGES = [
    'Bearer resource_metadata="https://mcp.example/elsewhere", scope="read admin"',
    "Bearer scope=read, resource_metadata=https://mcp.example/elsewhere",
    "Bearer",
    "",
]


@pytest.mark.parametrize("challenge", CHALLENGES)
def test_what_a_challenge_says_is_done_as_officially(challenge):
    found = []
    for of in (package("mcp"), package("mcpbolt")):
        world = World(**TOKEN, **{"https://mcp.example/elsewhere": {"resource": RESOURCE, "authorization_servers": [ISSUER]}})
        world.challenge = challenge
        found.append(asyncio.run(run(of, world)))
    assert found[0] == found[1]


STORED = {
    "a good token": ({"access_token": "good"}, None),
    "an old token": ({"access_token": "old"}, None),
    "credentials": (None, {"client_id": "kept", "redirect_uris": [BACK]}),
    "credentials of the issuer": (None, {"client_id": "kept", "redirect_uris": [BACK], "issuer": ISSUER}),
    "credentials of another issuer": (
        {"access_token": "old", "refresh_token": "r"},
        {"client_id": "kept", "redirect_uris": [BACK], "issuer": "https://two.example"},
    ),
    "credentials that are a document": (
        None,
        {"client_id": "https://client.example/me.json", "redirect_uris": [BACK], "issuer": "https://two.example"},
    ),
}


@pytest.mark.parametrize("name", STORED)
def test_what_is_stored_is_used_as_officially(name):
    tokens, info = STORED[name]
    found = []
    for of in (package("mcp"), package("mcpbolt")):
        storage = Storage(
            tokens and of.auth.OAuthToken(**tokens), info and of.auth.OAuthClientInformationFull(**info)
        )
        more = {"client_metadata_url": "https://client.example/me.json"} if "document" in name else {}
        found.append(asyncio.run(run(of, World(**TOKEN), storage, times=2, **more)))
    assert found[0] == found[1]


@pytest.mark.parametrize("user", [{"state": "another"}, {"code": ""}])
def test_an_answer_that_is_not_the_users_is_refused(user):
    found = [asyncio.run(run(of, World(**TOKEN), user=User(**user))) for of in (package("mcp"), package("mcpbolt"))]
    assert found[0] == found[1]
    assert found[1][0] == ["OAuthFlowError"]


def refreshing(of, storage, user, **more):
    provider = with_user(of, storage, user, **more)
    provider.context.token_expiry_time = 1.0
    return provider


REFRESHES = {
    "succeeds": {"access_token": "good", "expires_in": 60, "refresh_token": "newer"},
    "is refused": (400, {"error": "invalid_grant"}),
    "is no token": {"token": 1},
}


@pytest.mark.parametrize("name", REFRESHES)
def test_a_token_that_has_ended_is_refreshed_as_officially(name):
    """But that the engine looks for the authorization server first, and never shows a refresh token
    to the MCP server in its place.
    """
    found, answer = [], REFRESHES[name]
    for of in (package("mcp"), package("mcpbolt")):
        storage = Storage(
            of.auth.OAuthToken(access_token="old", refresh_token="r"),
            of.auth.OAuthClientInformationFull(client_id="kept", redirect_uris=[BACK]),
        )
        world = World(**{"https://mcp.example/token": answer, **TOKEN})
        if of.oauth.__name__.startswith("mcpbolt"):
            world.tokens = iter([answer, *world.tokens])
        ends, sent, seen, dumped = asyncio.run(run(of, world, storage, make=refreshing))
        forms = [(form["grant_type"], form.get("refresh_token")) for *_, form in sent if "grant_type" in form]
        found.append((ends, forms, seen, dumped))
    assert found[0] == found[1]
    assert not [url for _, url, *_ in world.sent if url == "https://mcp.example/token"]


def by_secret(of, storage, user, **more):
    return of.machines.ClientCredentialsOAuthProvider(RESOURCE, storage, "id", "secret", **more)


def by_key(of, storage, user, **more):
    return of.machines.PrivateKeyJWTOAuthProvider(
        RESOURCE, storage, "id", of.machines.static_assertion_provider("signed"), **more
    )


MACHINES = {
    "a secret in a header": (by_secret, {"issuer": ISSUER, "scopes": "read"}),
    "a secret in the form": (by_secret, {"issuer": ISSUER, "token_endpoint_auth_method": "client_secret_post"}),
    "a signed token": (by_key, {"issuer": ISSUER}),
    "a secret of another server": (by_secret, {"issuer": "https://three.example"}),
    "a key of another server": (by_key, {"issuer": "https://three.example"}),
}


@pytest.mark.parametrize("name", MACHINES)
def test_programs_get_tokens_as_officially(name):
    make, more = MACHINES[name]
    theirs, ours = asyncio.run(both("all is published", make=make, times=2, **more))
    if "another" in name:
        # The engine sees it before it looks further.
        assert theirs[0] == ours[0] == ["OAuthFlowError"] * 2
    else:
        for *_, form in ours[1]:
            # The engine says who asks in every form, unless the header does.
            if "grant_type" in form and "header" not in name:
                assert form.pop("client_id") == "id"
        assert theirs == ours


@pytest.mark.parametrize("world", [{PRM: 404}, {ASM: 503}], ids=["nothing is published", "metadata fail"])
@pytest.mark.parametrize("name", MACHINES)
def test_programs_send_nothing_where_their_server_is_not_found(name, world):
    make, more = MACHINES[name]
    ends, sent, *_ = asyncio.run(run(package("mcpbolt"), World(**TOKEN, **world), make=make, **more))
    assert ends == ["OAuthFlowError"]
    assert not [url for method, url, *_ in sent if method == "POST" and url != RESOURCE]


def test_a_client_of_one_server_does_not_follow_the_resource_to_another():
    of = package("mcpbolt")
    two = {"resource": RESOURCE, "authorization_servers": ["https://two.example", ISSUER]}
    ends, sent, *_ = asyncio.run(run(of, World(**{**TOKEN, PRM: two}), make=by_secret, issuer=ISSUER))
    assert ends == [(200, "welcome")]
    assert not [url for _, url, *_ in sent if "two.example" in url]


def test_leaving_the_issuer_out_warns():
    for of in (package("mcp"), package("mcpbolt")):
        with pytest.warns(DeprecationWarning, match="issuer"):
            by_secret(of, Storage(), None)
        with pytest.raises(ValueError, match="issuer"):
            by_secret(of, Storage(), None, issuer="as.example")


def test_a_signed_token_says_who_and_for_whom():
    import jwt

    of = package("mcpbolt")
    parameters = of.machines.SignedJWTParameters(
        issuer="me", subject="me", signing_key="k" * 32, signing_algorithm="HS256", additional_claims={"x": 1}
    )
    token = asyncio.run(parameters.create_assertion_provider()("https://as.example"))
    claims = jwt.decode(token, "k" * 32, algorithms=["HS256"], audience="https://as.example")
    assert (claims["iss"], claims["sub"], claims["x"]) == ("me", "me", 1)
    assert claims["exp"] - claims["iat"] == 300


def test_requests_that_run_into_a_challenge_together_ask_the_user_once():
    of, user, storage = package("mcpbolt"), User(), Storage()
    world = World(**TOKEN)
    provider = with_user(of, storage, user)

    async def main():
        async with httpx.AsyncClient(transport=httpx.MockTransport(world), auth=provider) as http:
            answers = await asyncio.gather(*(http.post(RESOURCE, json={}) for _ in range(5)))
        assert [answer.status_code for answer in answers] == [200] * 5

    asyncio.run(asyncio.wait_for(main(), WHOLE))
    assert len(user.seen) == 1


def test_a_stream_that_does_not_begin_keeps_nobody_waiting():
    of = package("mcpbolt")
    begun, ended = asyncio.Event(), asyncio.Event()
    world = World(**TOKEN)

    async def answer(request):
        if request.method == "GET":
            begun.set()
            await ended.wait()
        return world(request)

    async def main():
        provider = with_user(of, Storage(of.auth.OAuthToken(access_token="good")), User())
        async with httpx.AsyncClient(transport=httpx.MockTransport(answer), auth=provider) as http:
            stream = asyncio.ensure_future(http.get(RESOURCE))
            await begun.wait()
            assert (await http.post(RESOURCE, json={})).status_code == 200
            ended.set()
            await stream

    asyncio.run(asyncio.wait_for(main(), WHOLE))


def test_a_refresh_that_says_nothing_of_the_refresh_token_keeps_it():
    of = package("mcpbolt")
    storage = Storage(
        of.auth.OAuthToken(access_token="old", refresh_token="r"),
        of.auth.OAuthClientInformationFull(client_id="kept", redirect_uris=[BACK]),
    )
    world = World(**{f"{ISSUER}/token": {"access_token": "good", "expires_in": 60}})
    ends, *_ = asyncio.run(run(of, world, storage, make=refreshing))
    assert ends == [(200, "welcome")]
    assert storage.tokens.refresh_token == "r"


def test_more_scopes_are_asked_for_at_the_server_we_know():
    found = []
    for of in (package("mcp"), package("mcpbolt")):
        world = World(**TOKEN)
        world.tokens = iter([{"access_token": "good"}, {"access_token": "better"}])

        def resource(request, world=world):
            token = request.headers.get("authorization")
            if token == "Bearer better":
                return httpx.Response(200, text="all of it")
            if token == "Bearer good":
                challenge = 'Bearer error="insufficient_scope", scope="read admin"'
                return httpx.Response(403, headers={"www-authenticate": challenge})
            return httpx.Response(401, headers={"www-authenticate": world.challenge})

        world.resource = resource
        found.append(asyncio.run(run(of, world, times=2)))
    assert found[0] == found[1]
    assert found[1][0] == [(403, ""), (200, "all of it")]
