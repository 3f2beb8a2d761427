"""Servers whose tokens the engine verifies. Not in the official package.

Owns: the options, and what a verified token is for handlers. Must not know: what makes a token
good, and how a refusal is worded, which the engine says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import quote

from anyio import to_thread
from pydantic import AnyHttpUrl, BaseModel, Field, PrivateAttr
from starlette.authentication import AuthCredentials
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send
from typing_extensions import Self

from ..._engine.json import dumps
from ..._mcpbolt import EngineError
from ..._mcpbolt import ResourceServer as _Engine
from ...shared._authorization import decide
from .._requests import GRANT
from .middleware.auth_context import AuthContextMiddleware
from .middleware.bearer_auth import AuthenticatedUser
from .provider import AccessToken
from .routes import cors_middleware
from .settings import AuthSettings

if TYPE_CHECKING:
    from .._requests import Grant

    _Seen = tuple[AuthCredentials, AuthenticatedUser, Grant]

# How many tokens are kept as objects; the engine remembers fewer.
_KEPT = 20_000
_CREDENTIALS = (b"authorization", b"dpop")


class TokenIntrospection(BaseModel):
    """Verification of tokens by asking their issuer (RFC 7662), for tokens that only the issuer can
    read.
    """

    client_id: str
    """The id of this server at the issuer."""
    client_secret: str = Field(repr=False)
    """The secret of this server at the issuer."""
    endpoint: str | None = None
    """The introspection endpoint of the issuer. Default: that of its published metadata."""
    remember: float = 30.0
    """For how many seconds an answer is reused; a revoked token is refused after this time at the latest.
    Default: 30.
    """


class DpopSettings(BaseModel):
    """Tokens that clients bind to a key, so that stolen ones are useless (RFC 9449; a draft for the
    protocol, SEP-1932).
    """

    required: bool = False
    """Whether tokens that are not bound to a key are refused. Default: no."""
    nonces: list[str] | None = Field(default=None, repr=False)
    """Makes clients repeat a nonce of this server in each proof. The secrets protect the nonces, and are
    the same on all nodes; an empty list means a random secret. Default: no nonces.
    """


class ResourceServer(AuthSettings):
    """Authorization settings for tokens that the engine verifies: JWTs by the keys that their
    issuer publishes, or by introspection. No token verifier is needed.

    ```python
    auth = ResourceServer(
        issuer_url="https://login.example.com",
        resource_server_url="https://mcp.example.com/mcp",
        required_scopes=["notes"],
    )
    mcp = FastMCP("notes", auth=auth)
    ```

    Handlers find the token in `get_access_token()`, with all its claims.
    """

    verifies_tokens: ClassVar[bool] = True

    issuer: str | None = Field(
        default=None,
        description="The issuer exactly as tokens name it, where `issuer_url` is not: an origin has no slash at its "
        "end there.",
    )
    other_issuers: list[str] = Field(default=[], description="More issuers whose tokens are taken.")
    audiences: list[str] = Field(
        default=[],
        description="What tokens may name as their audience instead of `resource_server_url`, for issuers that do "
        "not write that URL into tokens.",
    )
    scopes_supported: list[str] = Field(
        default=[], description="The scopes that the metadata name; the required ones unless set."
    )
    implied_scopes: dict[str, list[str]] = Field(
        default={}, description="The scopes that a granted scope stands for as well."
    )
    resource_name: str | None = Field(default=None, description="The server's name for people.")
    leeway: float = Field(default=30.0, description="How far clocks may differ, in seconds.")
    introspection: TokenIntrospection | None = None
    dpop: DpopSettings | None = None
    private_networks: bool = Field(
        default=False,
        description="Whether the documents of an issuer with a public name may be on a private network.",
    )
    validate_token_resource: bool | None = True
    _engine: _Engine | None = PrivateAttr(default=None)

    @classmethod
    def of(cls, provider: str, resource_server_url: str, **options: Any) -> Self:
        """Make settings for a known provider. Only Keycloak is tested against a real one.

        Args:
            provider: The name of the provider: `oidc`, `auth0`, `cognito`, `entra`, `keycloak`, `okta`
                or `workos`.
            resource_server_url: The URL of this server as clients know it.
            **options: The parts of the issuer's URL: `issuer` for `oidc`, `domain` for `auth0` and
                `workos`, `region` and `pool` for `cognito`, `tenant` for `entra`, `url` and `realm`
                for `keycloak`, `domain` and `server` for `okta`. Beside these, further settings.

        Raises:
            ValueError: The provider is unknown, a value is missing, or its tokens can be verified only
                with `introspection`.
        """
        names = [name for name in options if name == "issuer" or name not in cls.model_fields]
        values = {name: str(options.pop(name)) for name in names}
        preset = decide("provider_preset", provider=provider, values=values)
        if not preset["signed"] and options.get("introspection") is None:
            raise ValueError(f"{provider}: {preset['note']}")
        issuer = preset["issuer"]
        return cls.model_validate(
            {"issuer_url": issuer, "issuer": issuer, "resource_server_url": resource_server_url, **options}
        )

    def engine(self) -> _Engine:
        """The engine's verifier of these settings.

        Raises:
            ValueError: A URL or a list of scopes is not valid.
        """
        if self._engine is None:
            try:
                self._engine = _Engine(dumps(self._options()))
            except EngineError as error:
                raise ValueError(error.args[2]) from None
        return self._engine

    def _options(self) -> dict[str, Any]:
        page = self.service_documentation_url
        options = {
            "resource": str(self.resource_server_url),
            "issuers": [self.issuer or _exact(self.issuer_url), *self.other_issuers],
            "audiences": self.audiences,
            "scopes": self.required_scopes,
            "scopes_supported": self.scopes_supported,
            "implies": self.implied_scopes,
            "name": self.resource_name,
            "documentation": None if page is None else str(page),
            "leeway": self.leeway,
            "introspection": self.introspection and self.introspection.model_dump(exclude_none=True),
            "dpop": self.dpop and self.dpop.model_dump(exclude_none=True),
            "private_networks": self.private_networks,
        }
        return {name: value for name, value in options.items() if value is not None}

    def demand(self, app: ASGIApp) -> ASGIApp:
        """Wrap an endpoint so that it requires a token.

        Args:
            app: The application to protect.
        """
        return EngineTokens(AuthContextMiddleware(app), self.engine())

    def routes(self) -> list[Route]:
        """The route of the metadata through which clients find the issuer."""
        path, text = self.engine().document()

        def handle(_: Request) -> Response:
            return Response(text, media_type="application/json", headers={"Cache-Control": "public, max-age=3600"})

        methods = ["GET", "OPTIONS"]
        return [Route(path, endpoint=cors_middleware(handle, methods), methods=methods)]


def _exact(issuer: AnyHttpUrl) -> str:
    # An issuer is compared as a text, and pydantic adds a slash to an origin.
    text = str(issuer)
    return text[:-1] if issuer.path == "/" and text.count("/") == 3 else text


class EngineTokens:
    """ASGI middleware that lets requests with a valid token through, and refuses others.

    Args:
        app: The application to protect.
        engine: The verifier of tokens.
    """

    def __init__(self, app: ASGIApp, engine: _Engine) -> None:
        self._app = app
        self._engine = engine
        self._known: dict[int, _Seen] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one ASGI request."""
        headers = [(name, value) for name, value in scope["headers"] if name in _CREDENTIALS]
        number, refused, wait = self._engine.check(scope["method"], _target(scope), headers)
        if wait is not None:
            number, refused, _ = await to_thread.run_sync(wait.wait, abandon_on_cancel=True)
        known = None if number is None else self._of(number, headers)
        if known is None:
            await _refuse(send, refused or {"status": 503, "headers": {"Retry-After": "1"}})
            return
        scope["auth"], scope["user"], scope[GRANT] = known
        await self._app(scope, receive, send)

    def _of(self, number: int, headers: list[tuple[bytes, bytes]]) -> _Seen | None:
        known = self._known.get(number)
        if known is None:
            said = self._engine.claims(number)
            if said is None:
                return None
            if len(self._known) >= _KEPT:
                self._known.clear()
            known = self._known[number] = _seen(said, headers)
        return known


def _seen(said: dict[str, Any], headers: list[tuple[bytes, bytes]]) -> _Seen:
    sent = next((value for name, value in headers if name == b"authorization"), b"")
    token = AccessToken(
        token=sent.decode("latin-1").partition(" ")[2].strip(),
        client_id=said.get("client_id") or said.get("principal") or "",
        scopes=said.get("scopes") or [],
        expires_at=said.get("expires_at"),
        resource=said.get("resource"),
        subject=said.get("subject"),
        claims=said.get("claims"),
    )
    grant = said["grant"]
    allowed = (grant["scopes"], grant["required"], grant["metadata_url"])
    return AuthCredentials(token.scopes), AuthenticatedUser(token), allowed


def _target(scope: Scope) -> str:
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    query: bytes = scope.get("query_string", b"")
    path = raw.partition(b"?")[0]
    return (path + b"?" + query if query else path).decode("latin-1")


async def _refuse(send: Send, refused: dict[str, Any]) -> None:
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in refused["headers"].items()]
    headers.append((b"content-length", b"0"))
    await send({"type": "http.response.start", "status": refused["status"], "headers": headers})
    await send({"type": "http.response.body", "body": b""})
