"""Authorization as the specification has it, which is what this package does under its own name."""

import asyncio

import httpx
import pytest
from mcpbolt.client.auth import OAuthClientProvider, OAuthFlowError
from mcpbolt.client.auth.extensions.client_credentials import SignedJWTParameters
from mcpbolt.client.auth.extensions.enterprise_managed import (
    EnterpriseManagedOAuthProvider,
    IdentityProvider,
    WorkloadIdentityOAuthProvider,
)
from mcpbolt.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider
from mcpbolt.shared.auth import AuthorizationCodeResult
from test_client_auth_official import (
    ASM,
    BACK,
    ISSUER,
    PRM,
    RESOURCE,
    Storage,
    User,
    World,
    client_metadata,
    package,
    server_metadata,
)

OURS = package("mcpbolt")
PKCE = {"code_challenge_methods_supported": ["S256"]}
TOKENS = [{"access_token": "good", "token_type": "Bearer", "expires_in": 60, "scope": "read"}]


class Seeing(User):
    """A user whose callback sees all that the browser brings."""

    def __init__(self, iss):
        super().__init__()
        self.iss = iss

    async def back(self):
        return AuthorizationCodeResult(code="the-code", state=self.asked["state"], iss=self.iss)


def world(metadata=None, tokens=TOKENS, **pages):
    found = World(**{f"{ISSUER}/token": "token", ASM: server_metadata(**{**PKCE, **(metadata or {})}), **pages})
    found.tokens = iter(tokens)
    return found


def with_user(user, storage=None, **more):
    return OAuthClientProvider(RESOURCE, client_metadata(OURS), storage or Storage(), user.show, user.back, **more)


def ask(world, provider, times=1):
    """The last answer, or how asking failed."""

    async def main():
        async with httpx.AsyncClient(transport=httpx.MockTransport(world), auth=provider) as http:
            for _ in range(times):
                answer = await http.post(RESOURCE, json={"id": 1})
            return answer.status_code

    try:
        return asyncio.run(main())
    except OAuthFlowError as error:
        return str(error)


def forms(world):
    return [form for method, url, _, form in world.sent if "grant_type" in form]


def test_a_server_that_does_not_say_that_it_checks_pkce_is_refused():
    found, user = world({"code_challenge_methods_supported": None}), User()
    assert "code_challenge_methods_supported" in ask(found, with_user(user))
    assert not user.seen
    assert not [url for _, url, *_ in found.sent if url.endswith("/register")]


def test_endpoints_are_assumed_only_if_the_program_says_so():
    for allowed in (None, True):
        pages = {"https://mcp.example/register": (201, {"client_id": "c"}), "https://mcp.example/token": "token"}
        found = world(**{PRM: 404, ASM: 404, **pages})
        outcome = ask(found, with_user(User(), assume_endpoints=allowed))
        assert outcome == 200 if allowed else "protected resource metadata" in outcome


@pytest.mark.parametrize(
    ("iss", "good"), [(ISSUER, True), ("https://evil.example", False), (f"{ISSUER}/", False), (None, False)]
)
def test_the_issuer_of_an_answer_is_compared(iss, good):
    found = world({"authorization_response_iss_parameter_supported": True})
    outcome = ask(found, with_user(Seeing(iss)))
    assert outcome == 200 if good else ("issuer" in outcome and "evil" not in outcome)
    assert bool(forms(found)) is good


def test_a_callback_that_sees_only_the_code_is_good_as_well():
    found = world({"authorization_response_iss_parameter_supported": True})
    assert ask(found, with_user(User())) == 200


def test_more_is_asked_for_beside_what_was_granted():
    tokens = [{**TOKENS[0]}, {**TOKENS[0], "access_token": "better", "scope": "read admin"}]
    found, user = world(tokens=tokens), User()

    def resource(request):
        token = request.headers.get("authorization")
        if token == "Bearer better":
            return httpx.Response(200)
        challenge = 'Bearer error="insufficient_scope", scope="admin"'
        return httpx.Response(403 if token else 401, headers={"www-authenticate": challenge if token else "Bearer"})

    found.resource = resource
    assert ask(found, with_user(user), times=2) == 200
    assert [asked["scope"] for _, asked in user.seen] == ["read write", "read admin"]


def revoked_now_and_then(times):
    """A world whose tokens are good for two requests each, and that says nothing of it."""
    found = world(tokens=[{"access_token": f"t{n}", "token_type": "Bearer"} for n in range(times + 1)])
    uses = {}

    def resource(request):
        token = request.headers.get("authorization")
        uses[token] = uses.get(token, 0) + 1
        return httpx.Response(200 if token and uses[token] <= 2 else 401, headers={"www-authenticate": "Bearer"})

    found.resource = resource
    return found


def test_tokens_that_are_revoked_now_and_then_are_replaced_each_time():
    found, user = revoked_now_and_then(9), User()
    assert ask(found, with_user(user), times=16) == 200
    assert len(user.seen) == 8


def test_a_server_that_refuses_every_token_is_not_asked_for_ever():
    found, user = world(tokens=[{"access_token": f"t{n}", "token_type": "Bearer"} for n in range(9)]), User()
    found.resource = lambda request: httpx.Response(401, headers={"www-authenticate": "Bearer"})
    assert "just issued" in ask(found, with_user(user), times=9)
    assert len(user.seen) <= 4


def test_a_program_may_check_the_resource_itself():
    checked = []

    async def check(server, resource):
        checked.append((server, resource))
        if "evil" in resource:
            raise OAuthFlowError("not this one")

    for host, outcome in (("other.example", 200), ("evil.example", "not this one")):
        found = world(**{PRM: {"resource": f"https://{host}/x", "authorization_servers": [ISSUER]}})
        assert ask(found, with_user(User(), validate_resource_url=check)) == outcome
    assert [resource for _, resource in checked] == ["https://other.example/x", "https://evil.example/x"]


def test_an_identity_assertion_goes_to_the_configured_server_only():
    asked = []

    async def assertion(audience, resource):
        asked.append((audience, resource))
        return "id.jag.x"

    found = world(**{PRM: {"resource": RESOURCE, "authorization_servers": ["https://evil.example"]}})
    provider = IdentityAssertionOAuthProvider(RESOURCE, Storage(), "id", "secret", ISSUER, assertion, scope="read")
    assert ask(found, provider) == 200
    assert asked == [(ISSUER, RESOURCE)]
    (form,) = forms(found)
    assert form["assertion"] == "id.jag.x" and form["client_secret"] == "secret" and form["scope"] == "read"
    assert not [url for _, url, *_ in found.sent if "evil" in url or url == PRM]
    for wrong in ({"client_secret": ""}, {"issuer": ""}):
        given = {"client_secret": "s", "issuer": ISSUER, **wrong}
        with pytest.raises(ValueError, match=next(iter(wrong))):
            IdentityAssertionOAuthProvider(RESOURCE, Storage(), "id", assertion_provider=assertion, **given)


def test_a_company_speaks_for_its_users():
    async def subject(kind):
        return f"token of {kind.rpartition(':')[2]}"

    exchange = {"access_token": "id.jag.x", "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag"}
    found = world(**{"https://login.company.example/token": exchange})
    company = IdentityProvider("https://login.company.example", "app", token_endpoint="https://login.company.example/token")

    def provider(assume_grant):
        return EnterpriseManagedOAuthProvider(
            RESOURCE, Storage(), "id", None, company, subject, assume_grant=assume_grant
        )

    assert "authorization_grant_profiles_supported" in ask(found, provider(False))
    assert not forms(found)
    assert ask(found, provider(True)) == 200
    first, second = forms(found)
    assert first["subject_token"] == "token of id_token" and first["audience"] == ISSUER
    assert second["assertion"] == "id.jag.x" and second["client_id"] == "id"


def test_a_company_whose_token_endpoint_is_found_speaks_for_its_users():
    async def subject(kind):
        return "an ID token"

    login = "https://login.company.example"
    exchange = {"access_token": "id.jag.x", "issued_token_type": "urn:ietf:params:oauth:token-type:id-jag"}
    found = world(
        tokens=[*TOKENS, {**TOKENS[0], "access_token": "again"}],
        **{
            f"{login}/.well-known/oauth-authorization-server": {"issuer": login, "token_endpoint": f"{login}/exchange"},
            f"{login}/exchange": exchange,
        },
    )
    company = IdentityProvider(login, "app")
    provider = EnterpriseManagedOAuthProvider(RESOURCE, Storage(), "id", None, company, subject, assume_grant=True)
    assert ask(found, provider, times=2) == 200
    posts = [url for method, url, *_ in found.sent if method == "POST" and url != RESOURCE]
    assert posts == [f"{login}/exchange", f"{ISSUER}/token"]
    # The company's document does not pass for that of the server's issuer.
    assert provider.context.oauth_metadata.issuer.host == httpx.URL(ISSUER).host


def test_a_platform_vouches_for_its_programs():
    asked = []

    async def assertion(audience):
        asked.append(audience)
        return "a.b.c"

    found = world()
    assert ask(found, WorkloadIdentityOAuthProvider(RESOURCE, Storage(), assertion)) == 200
    assert asked == [f"{ISSUER}/token"]
    assert "client_id" not in forms(found)[0]


def test_keys_that_do_not_fit_are_named():
    for algorithm, key, word in (("none", "k", "algorithm"), ("RS256", "no key", "key")):
        parameters = SignedJWTParameters(issuer="me", subject="me", signing_key=key, signing_algorithm=algorithm)
        with pytest.raises(OAuthFlowError, match=word):
            asyncio.run(parameters.create_assertion_provider()("https://as.example"))


def test_where_users_come_back_to_is_this_machine_or_encrypted():
    found = world()
    metadata = OURS.auth.OAuthClientMetadata(redirect_uris=["http://app.example/back"])
    user = User()
    provider = OAuthClientProvider(RESOURCE, metadata, Storage(), user.show, user.back)
    assert "redirect_uri" in ask(found, provider)
    assert BACK not in str(found.sent)
