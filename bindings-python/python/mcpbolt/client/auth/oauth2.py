"""The authorization code flow with PKCE, as authentication for `httpx` (OAuth 2.1).

Owns: the hooks that programs give and subclasses replace. Must not know: which step follows which,
which the engine says.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pydantic import AnyHttpUrl, BaseModel, Field
from pydantic_core import from_json

from ..._engine import face
from ...shared._httpx_utils import redirect_note
from ...shared.auth import (
    AuthorizationCodeResult,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from ...shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from .._http_package import httpx
from . import utils
from ._context import OAuthContext as OAuthContext
from ._context import TokenStorage as TokenStorage
from ._decisions import as_exception, decide
from ._flow import refusal
from ._sign_out import SignsOut
from .exceptions import OAuthFlowError, OAuthTokenError
from .extensions.dpop import DpopKey
from .loopback import LoopbackRedirect, as_told

logger: logging.Logger = logging.getLogger("mcp.client.auth.oauth2")

_Steps = AsyncGenerator[httpx.Request, httpx.Response]


class PKCEParameters(BaseModel):
    """A code verifier and its S256 challenge (RFC 7636)."""

    code_verifier: str = Field(..., min_length=43, max_length=128)
    """The secret, 43 to 128 characters."""
    code_challenge: str = Field(..., min_length=43, max_length=128)
    """The SHA-256 hash of the verifier, sent with the authorization request."""

    @classmethod
    def generate(cls) -> PKCEParameters:
        """Make a new random pair."""
        return cls.model_validate(decide("pkce"))


class Provider(SignsOut):
    """The base class of the OAuth providers: authentication for `httpx`, with methods that
    subclasses may override.

    Args:
        context: The state of the flow: the server, the client, its tokens.
        validate_resource_url: Async function that is called with the server's URL and the resource
            that the server publishes; raises to refuse it. Default: the resource must be the
            server's URL or a parent of it.
        assume_endpoints: Whether `/authorize`, `/token` and `/register` are tried if a server
            publishes no metadata. Default: no.
        dpop: The key to bind tokens to (RFC 9449). Default: none.
        redirect: The browser and its way back. Default: the handlers of the context.
    """

    requires_response_body = True

    def __init__(
        self,
        context: OAuthContext,
        validate_resource_url: Callable[[str, str | None], Awaitable[None]] | None = None,
        assume_endpoints: bool | None = None,
        dpop: DpopKey | None = None,
        redirect: LoopbackRedirect | None = None,
    ) -> None:
        super().__init__(context, assume_endpoints, dpop, redirect)
        self._validate_resource_url_callback = validate_resource_url
        self._initialized = False

    async def _auth_flow(self, request: httpx.Request) -> _Steps:
        context = self.context
        async with context.lock:
            await self._begin(request)
            if not context.is_token_valid() and context.can_refresh_token():
                async with self._exclusively():
                    # Another program may have got new tokens while this one waited.
                    stale = not context.is_token_valid() and context.can_refresh_token()
                    outgoing = await self._start("request") if stale else None
                    while outgoing is not None:
                        outgoing = await self._go_on((yield outgoing))
            if context.is_token_valid():
                self._add_auth_header(request)
        # The lock is not held here: a stream may take hours to answer.
        response = yield request
        if not self._notice(request, response):
            return
        async with context.lock:
            await self._begin(request)
            async with self._exclusively(), self._listening():
                outgoing = await self._start(refusal(request, response))
                while outgoing is not None:
                    outgoing = await self._go_on((yield outgoing))
            if self._step.get("kind") == "not_about_authorization":
                return
            self._add_auth_header(request)
        self._notice(request, (yield request))

    async def _begin(self, request: httpx.Request) -> None:
        if not self._initialized:
            await self._initialize()
        self.context.protocol_version = request.headers.get(utils.MCP_PROTOCOL_VERSION)

    async def _initialize(self) -> None:
        """Load tokens and credentials from storage."""
        self.context.current_tokens = await self.context.storage.get_tokens()
        self.context.client_info = await self.context.storage.get_client_info()
        self._note_what_is_left()
        self._initialized = True

    def _add_auth_header(self, request: httpx.Request) -> None:
        tokens = self.context.current_tokens
        if tokens is not None and tokens.access_token:
            request.headers["Authorization"] = f"{tokens.token_type} {tokens.access_token}"

    # Hooks.

    def _checks_resource(self) -> bool:
        own = type(self)._validate_resource_match is not Provider._validate_resource_match
        return own or self._validate_resource_url_callback is not None

    async def _handle_protected_resource_response(self, response: httpx.Response) -> bool:
        """Keep the resource's metadata; returns whether the response had any."""
        metadata = await utils.handle_protected_resource_response(response)
        if metadata is None:
            logger.debug("No protected resource metadata")
            return False
        if self._flow is None:
            await self._validate_resource_match(metadata)
        self.context.protected_resource_metadata = metadata
        servers = [str(url) for url in metadata.authorization_servers]
        searched = self._step.get("issuer", servers[0])
        # The engine may have chosen another than the first.
        self.context.auth_server_url = next((url for url in servers if utils.issuers_match(url, searched)), servers[0])
        self._documents["resource"] = from_json(await response.aread())
        return True

    async def _handle_oauth_metadata_response(self, response: httpx.Response) -> None:
        """Keep an authorization server's metadata."""
        self.context.oauth_metadata = OAuthMetadata.model_validate_json(await response.aread())

    async def _validate_resource_match(self, prm: ProtectedResourceMetadata) -> None:
        """Check that the metadata is for the server that this client talks to (RFC 9728 §3.3)."""
        published = str(prm.resource)
        if self._validate_resource_url_callback is not None:
            await self._validate_resource_url_callback(self.context.server_url, published)
            return
        expected = resource_url_from_server_url(self.context.server_url)
        if not check_resource_allowed(requested_resource=expected, configured_resource=published):
            raise OAuthFlowError(f"Protected resource {published} does not match expected {expected}")

    def _expected_issuer(self) -> str:
        """The issuer that metadata and credentials must belong to: the published authorization
        server, else the origin of the resource.
        """
        base = self.context.get_authorization_base_url(self.context.server_url)
        origin = str(AnyHttpUrl(base))
        # As the models of the line write it.
        return self.context.auth_server_url or (origin.rstrip("/") if face.current.api == 2 else origin)

    def _forget_foreign_credentials(self) -> None:
        """Let go of credentials that the engine does not show to this issuer (SEP-2352)."""
        context, issuer = self.context, self._expected_issuer()
        info = context.client_info
        if info is not None and not utils.credentials_match_issuer(info, issuer, context.client_metadata_url):
            context.client_info = context.oauth_metadata = None
            context.clear_tokens()

    async def _perform_authorization(self) -> httpx.Request:
        """Make the token request, after the user has agreed."""
        if self._grant == "authorization_code":
            code, verifier = await self._perform_authorization_code_grant()
            return await self._exchange_token_authorization_code(code, verifier)
        if self._flow is None:
            if not self._initialized:
                await self._initialize()
            self._open({"authorize": {}}, None if self._issuer else self._assumed_server())
        # Where a token of the user becomes a grant may have to be found first.
        supplies = self._step["step"] == "supply"
        await self._supply_all()
        if self._step.get("asks_for") != "tokens" and not supplies:
            raise OAuthFlowError(f"No authorization server metadata discovered for configured issuer {self._issuer}")
        return self._request()

    async def _supply_all(self) -> None:
        """Give the engine what only this program has."""
        while self._step["step"] in ("supply", "ask_user"):
            supplied = await self._supply(self._step) if self._step["step"] == "supply" else None
            self._tell({"supplied": supplied} if supplied else "gave_up")
        if self._step["step"] == "fail":
            self._end()
            raise as_exception(self._step)

    async def _supply(self, need: dict[str, Any]) -> str | None:
        """Something secret that the engine asks for; `None` if there is none."""
        return None

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        """Send the user to the server and wait; returns the code and the PKCE verifier."""
        context = self.context
        show, wait = context.redirect_handler, context.callback_handler
        if context.client_metadata.redirect_uris is None:
            raise OAuthFlowError("No redirect URIs provided for authorization code grant")
        if show is None:
            raise OAuthFlowError("No redirect handler provided for authorization code grant")
        if wait is None:
            raise OAuthFlowError("No callback handler provided for authorization code grant")
        if self._flow is None:
            self._open({"authorize": {}}, self._assumed_server())
        if self._step["step"] == "remember":
            self._tell("done")
        if self._step["step"] == "open_browser":
            await show(self._step["url"])
            self._tell(as_told(await wait()))
        await self._supply_all()
        return self._step["code"], self._step["code_verifier"]

    def _assumed_server(self) -> dict[str, Any]:
        base = self.context.get_authorization_base_url(self.context.server_url)
        return {"metadata": {"issuer": base}, "is_assumed": True}

    async def _exchange_token_authorization_code(
        self, auth_code: str, code_verifier: str, *, token_data: dict[str, Any] | None = None
    ) -> httpx.Request:
        """Make the request that exchanges a code for a token."""
        if self._flow is not None and self._step.get("code") == auth_code and not token_data:
            return self._request()
        addresses = self.context.client_metadata.redirect_uris
        if not addresses:
            raise OAuthFlowError("No redirect URIs provided for authorization code grant")
        if self.context.client_info is None:
            raise OAuthFlowError("Missing client info")
        grant = {
            "grant_type": "authorization_code",
            "code": auth_code,
            "code_verifier": code_verifier,
            "redirect_uri": str(addresses[0]),
        }
        return self._token_request(grant, extra=token_data)

    async def _refresh_token(self) -> httpx.Request:
        """Make the request that refreshes the token."""
        if self._flow is not None and self._step.get("grant") == "refresh_token":
            return self._request()
        tokens, info = self.context.current_tokens, self.context.client_info
        if tokens is None or not tokens.refresh_token:
            raise OAuthTokenError("No refresh token available")
        if info is None or not info.client_id:
            raise OAuthTokenError("No client info available")
        return self._token_request({"grant_type": "refresh_token", "refresh_token": tokens.refresh_token})

    def _token_request(self, grant: dict[str, Any], **more: Any) -> httpx.Request:
        """A token request outside a flow, for subclasses that ask for tokens by themselves."""
        context, server = self.context, self._server()
        info = context.client_info
        named = context.should_include_resource_param(context.protocol_version)
        given: dict[str, Any] = {
            "server_url": context.server_url,
            "base": context.get_authorization_base_url(context.server_url),
            "grant": grant,
            "client": info and info.model_dump(mode="json", exclude_none=True),
            "metadata": server and server["metadata"],
            "resource": context.get_resource_url() if named else None,
            "like": face.current.authorizes_like,
        }
        step = decide("token_request", **{**given, **more})
        return self._made(step)

    async def _handle_token_response(self, response: httpx.Response) -> None:
        """Store the token of a response."""
        await self._keep(await utils.handle_token_response_scopes(response), self.context.client_metadata.scope)

    async def _handle_refresh_response(self, response: httpx.Response) -> bool:
        """Store the refreshed token; returns whether there was one. If not, the old ones are
        forgotten.
        """
        try:
            token = await utils.handle_token_response_scopes(response)
        except OAuthTokenError as error:
            logger.warning("Token refresh failed: %s%s", error, redirect_note(response))
            self.context.clear_tokens()
            return False
        before = self.context.current_tokens
        if token.refresh_token is None and before is not None:
            # If the server sends no new refresh token, the old one stays valid (RFC 6749 §6).
            token.refresh_token = before.refresh_token
        await self._keep(token, None if before is None else before.scope)
        return True

    async def _keep(self, token: OAuthToken, scope: str | None) -> None:
        """Store a token. A server that does not name its scope granted what was asked for."""
        if face.current.api == 2 and token.scope is None:
            token.scope = scope
        self.context.current_tokens = token
        self.context.update_token_expiry(token)
        await self.context.storage.set_tokens(token)


class OAuthClientProvider(Provider):
    """Authentication for `httpx` with OAuth, for a program with a user: takes tokens from storage,
    refreshes them, or gets new ones through the user's browser. Use it as `auth=` of an
    `httpx.AsyncClient` that is passed to `streamable_http_client`.

    Args:
        server_url: The URL of the MCP server's endpoint.
        client_metadata: The name, redirect URIs and so on that the client registers with.
        storage: Stores tokens, and the credentials that the client got when it registered.
        redirect_handler: Async function that shows a URL to the user, usually in a browser. Default:
            none; signing in then fails.
        callback_handler: Async function that waits until the browser comes back to the redirect
            URI, and returns the `code` and `state` from there, or an `AuthorizationCodeResult`, which
            also has the `iss` (RFC 9207). Default: none; signing in then fails.
        timeout: Has no effect; kept in the context. Default: 300.
        client_metadata_url: An HTTPS URL with the client's metadata, used as its client id by
            servers that support this instead of registration. Default: none.
        validate_resource_url: Async function that is called with the server's URL and the resource
            that the server publishes; raises to refuse it. Default: the resource must be the
            server's URL or a parent of it.
        assume_endpoints: Whether `/authorize`, `/token` and `/register` are tried if a server
            publishes no metadata, as in 2025-03-26. Default: no.
        dpop: The key to bind tokens to, if the authorization server supports it (RFC 9449; a draft
            for the protocol, SEP-1932). Default: none.
        redirect: Opens the browser and receives its answer on this machine, in place of both handlers;
            the metadata then need no redirect URI. Default: none.

    Raises:
        ValueError: `client_metadata_url` is not HTTPS, or has no path; or there are handlers beside
            `redirect`.
    """

    def __init__(
        self,
        server_url: str,
        client_metadata: OAuthClientMetadata,
        storage: TokenStorage,
        redirect_handler: Callable[[str], Awaitable[None]] | None = None,
        callback_handler: Callable[[], Awaitable[AuthorizationCodeResult | tuple[str, str | None]]] | None = None,
        timeout: float = 300.0,
        client_metadata_url: str | None = None,
        validate_resource_url: Callable[[str, str | None], Awaitable[None]] | None = None,
        *,
        assume_endpoints: bool | None = None,
        dpop: DpopKey | None = None,
        redirect: LoopbackRedirect | None = None,
    ) -> None:
        if redirect is not None:
            if redirect_handler is not None or callback_handler is not None:
                raise ValueError("redirect: it has the place of redirect_handler and callback_handler; pass either")
            redirect_handler, callback_handler = redirect.show, redirect.wait
        if client_metadata_url is not None and not utils.is_valid_client_metadata_url(client_metadata_url):
            raise ValueError(
                f"client_metadata_url must be a valid HTTPS URL with a non-root pathname, got: {client_metadata_url}"
            )
        context = OAuthContext(
            server_url=server_url,
            client_metadata=client_metadata,
            storage=storage,
            redirect_handler=redirect_handler,
            callback_handler=callback_handler,
            timeout=timeout,
            client_metadata_url=client_metadata_url,
        )
        super().__init__(context, validate_resource_url, assume_endpoints, dpop, redirect)

    if not TYPE_CHECKING and face.current.api == 2:
        _init_of_1 = __init__

        def __init__(
            self,
            server_url,
            client_metadata,
            storage,
            redirect_handler=None,
            callback_handler=None,
            client_metadata_url=None,
            validate_resource_url=None,
            *,
            dpop=None,
            redirect=None,
        ) -> None:
            # Programs give them by position, and 2.x has no `timeout` among them.
            given = {"client_metadata_url": client_metadata_url, "validate_resource_url": validate_resource_url}
            given.update(dpop=dpop, redirect=redirect)
            self._init_of_1(server_url, client_metadata, storage, redirect_handler, callback_handler, **given)
