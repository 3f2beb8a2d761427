"""One authorization server, and apps it guards, made of the official package or of ours."""

import hashlib
import importlib
import time
from base64 import urlsafe_b64encode
from types import SimpleNamespace

import httpx

VERIFIER = "v" * 43
CHALLENGE = urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
BACK = "https://client.example/back"
COMPARED = ("location", "cache-control", "pragma", "www-authenticate", "access-control-allow-origin", "allow")


def package(name):
    """What a program imports, from either package."""
    at = lambda module: importlib.import_module(f"{name}.{module}")  # noqa: E731
    return SimpleNamespace(
        name=name,
        provider=at("server.auth.provider"),
        settings=at("server.auth.settings"),
        context=at("server.auth.middleware.auth_context"),
        auth=at("shared.auth"),
        utils=at("shared.auth_utils"),
        routes=at("server.auth.routes"),
        FastMCP=at("server.fastmcp").FastMCP,
    )


def make_provider(of):
    """An authorization server that knows three clients, and codes and tokens by fixed names."""

    class Provider:
        def __init__(self):
            make = of.auth.OAuthClientInformationFull
            common = {"redirect_uris": [BACK], "scope": "read write"}
            self.clients = {
                "posts": make(
                    client_id="posts", client_secret="s3", token_endpoint_auth_method="client_secret_post", **common
                ),
                "basic": make(
                    client_id="basic", client_secret="p%:x", token_endpoint_auth_method="client_secret_basic", **common
                ),
                "public": make(client_id="public", token_endpoint_auth_method="none", **common),
                "late": make(
                    client_id="late",
                    client_secret="s",
                    client_secret_expires_at=1,
                    token_endpoint_auth_method="client_secret_post",
                    **common,
                ),
                "narrow": make(
                    client_id="narrow",
                    token_endpoint_auth_method="none",
                    grant_types=["refresh_token"],
                    redirect_uris=[BACK, BACK + "2"],
                ),
            }
            self.revoked = []

        async def get_client(self, client_id):
            if client_id == "broken":
                raise RuntimeError("the database is down")
            return self.clients.get(client_id)

        async def register_client(self, client_info):
            if client_info.client_name == "refused":
                raise of.provider.RegistrationError("unapproved_software_statement", "not you")
            self.clients[client_info.client_id] = client_info

        async def authorize(self, client, params):
            if params.state == "deny":
                raise of.provider.AuthorizeError("access_denied", "the user said no")
            self.asked = params
            return of.provider.construct_redirect_uri(str(params.redirect_uri), code="new", state=params.state)

        async def load_authorization_code(self, client, authorization_code):
            if authorization_code == "unknown":
                return None
            return of.provider.AuthorizationCode(
                code=authorization_code,
                scopes=["read"],
                expires_at=1 if authorization_code == "old" else time.time() + 60,
                client_id="other" if authorization_code == "stolen" else client.client_id,
                code_challenge=CHALLENGE,
                redirect_uri=BACK,
                redirect_uri_provided_explicitly=authorization_code != "implicit",
            )

        async def exchange_authorization_code(self, client, authorization_code):
            if authorization_code.code == "refused":
                raise of.provider.TokenError("invalid_grant", "used already")
            return of.auth.OAuthToken(access_token="at", expires_in=60, scope="read", refresh_token="rt")

        async def load_refresh_token(self, client, refresh_token):
            if not refresh_token.startswith("rt"):
                return None
            return of.provider.RefreshToken(
                token=refresh_token,
                client_id="other" if refresh_token == "rt-stolen" else client.client_id,
                scopes=["read", "write"],
                expires_at=1 if refresh_token == "rt-old" else None,
            )

        async def exchange_refresh_token(self, client, refresh_token, scopes):
            return of.auth.OAuthToken(access_token="at2", token_type="bearer", scope=" ".join(scopes))

        async def load_access_token(self, token):
            if not token.startswith("at"):
                return None
            return of.provider.AccessToken(
                token=token,
                client_id="posts" if token != "at-other" else "someone",
                scopes=[] if token == "at-none" else ["read"],
                expires_at=1 if token == "at-old" else None,
                resource="http://localhost:8000/other" if token == "at-elsewhere" else "HTTP://LOCALHOST:8000/mcp/",
                subject=token,
            )

        async def revoke_token(self, token):
            self.revoked.append(token.token)

    return Provider()


def make_app(of, **settings):
    options = {
        "issuer_url": "https://as.example/base",
        "resource_server_url": "http://localhost:8000/mcp",
        "required_scopes": ["read"],
        "validate_token_resource": True,
        "client_registration_options": of.settings.ClientRegistrationOptions(
            enabled=True, client_secret_expiry_seconds=60, valid_scopes=["read", "write"], default_scopes=["read"]
        ),
        "revocation_options": of.settings.RevocationOptions(enabled=True),
        **settings,
    }
    provider = make_provider(of)
    server = of.FastMCP("guarded", auth=of.settings.AuthSettings(**options), auth_server_provider=provider)

    @server.tool()
    def who() -> str:
        token = of.context.get_access_token()
        return f"{token.client_id} {token.subject}"

    return server, provider


def client_of(app):
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8000")


async def seen(http, method, url, **parts):
    answer = await http.request(method, url, **parts)
    headers = {name: answer.headers[name] for name in COMPARED if name in answer.headers}
    return answer.status_code, headers, answer.text
