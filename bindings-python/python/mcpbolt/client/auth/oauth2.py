"""The authorization code flow with PKCE, as authentication for `httpx` (OAuth 2.1).

Owns: the steps after a 401 or a request for more scopes, and that concurrent requests ask the
user only once. Must not know: how metadata is found (`utils`).
"""

from __future__ import annotations

import base64
import hashlib
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any
from urllib.parse import urlencode, urljoin

import httpx
from pydantic import AnyHttpUrl, BaseModel, Field, ValidationError

from ...shared._httpx_utils import redirect_note
from ...shared.auth import OAuthClientMetadata, OAuthMetadata, OAuthToken, ProtectedResourceMetadata
from ...shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from . import utils
from ._context import OAuthContext as OAuthContext
from ._context import TokenStorage as TokenStorage
from ._redirects import RedirectAwareAuth
from .exceptions import OAuthFlowError, OAuthTokenError

logger: logging.Logger = logging.getLogger("mcp.client.auth.oauth2")

_FORM = {"Content-Type": "application/x-www-form-urlencoded"}
_Steps = AsyncGenerator[httpx.Request, httpx.Response]


class PKCEParameters(BaseModel):
    """A code verifier and its S256 challenge (RFC 7636)."""

    code_verifier: str = Field(..., min_length=43, max_length=128)
    code_challenge: str = Field(..., min_length=43, max_length=128)

    @classmethod
    def generate(cls) -> PKCEParameters:
        """Make a new random pair."""
        verifier = secrets.token_urlsafe(96)
        digest = hashlib.sha256(verifier.encode()).digest()
        return cls(code_verifier=verifier, code_challenge=base64.urlsafe_b64encode(digest).decode().rstrip("="))


class OAuthClientProvider(RedirectAwareAuth):
    """Authentication for `httpx` with OAuth: takes tokens from storage, refreshes them, or
    gets new ones through the user's browser.

    Args:
        server_url: The endpoint of the MCP server.
        client_metadata: What the client sends about itself when it registers.
        storage: Stores tokens and credentials.
        redirect_handler: Shows a URL to the user, usually in a browser.
        callback_handler: Waits for the browser to come back; returns the code and the state.
        timeout: Seconds. Has no effect by itself; kept in the context for programs that read it.
        client_metadata_url: The URL of the client's own metadata document, which is its client
            id at servers that support that.

    Raises:
        ValueError: `client_metadata_url` is not HTTPS, or has no path.
    """

    requires_response_body = True

    def __init__(
        self,
        server_url: str,
        client_metadata: OAuthClientMetadata,
        storage: TokenStorage,
        redirect_handler: Callable[[str], Awaitable[None]] | None = None,
        callback_handler: Callable[[], Awaitable[tuple[str, str | None]]] | None = None,
        timeout: float = 300.0,
        client_metadata_url: str | None = None,
    ) -> None:
        if client_metadata_url is not None and not utils.is_valid_client_metadata_url(client_metadata_url):
            raise ValueError(
                f"client_metadata_url must be a valid HTTPS URL with a non-root pathname, got: {client_metadata_url}"
            )
        self.context: OAuthContext = OAuthContext(
            server_url=server_url,
            client_metadata=client_metadata,
            storage=storage,
            redirect_handler=redirect_handler,
            callback_handler=callback_handler,
            timeout=timeout,
            client_metadata_url=client_metadata_url,
        )
        self._initialized = False

    async def _auth_flow(self, request: httpx.Request) -> _Steps:
        context = self.context
        async with context.lock:
            await self._begin(request)
            if not context.is_token_valid() and context.can_refresh_token():
                refreshed = yield await self._refresh_token()
                # If refreshing failed, the next request starts again with what is stored.
                self._initialized = await self._handle_refresh_response(refreshed)
            if context.is_token_valid():
                self._add_auth_header(request)
        # The lock is not held here: a stream may take hours to answer.
        response = yield request
        if not _asks_for_more(response):
            return
        async with context.lock:
            # Another request may have asked the user in the meantime.
            if not self._has_newer_token(request):
                await self._begin(request)
                for step in (self._discover, self._introduce, self._obtain):
                    part = step(response)
                    try:
                        outgoing = await part.__anext__()
                        while True:
                            outgoing = await part.asend((yield outgoing))
                    except StopAsyncIteration:
                        pass
            self._add_auth_header(request)
        yield request

    async def _begin(self, request: httpx.Request) -> None:
        if not self._initialized:
            await self._initialize()
        self.context.protocol_version = request.headers.get(utils.MCP_PROTOCOL_VERSION)

    async def _initialize(self) -> None:
        """Load tokens and credentials from storage."""
        self.context.current_tokens = await self.context.storage.get_tokens()
        self.context.client_info = await self.context.storage.get_client_info()
        self._initialized = True

    def _add_auth_header(self, request: httpx.Request) -> None:
        tokens = self.context.current_tokens
        if tokens is not None and tokens.access_token:
            request.headers["Authorization"] = f"Bearer {tokens.access_token}"

    def _has_newer_token(self, request: httpx.Request) -> bool:
        tokens, sent = self.context.current_tokens, request.headers.get("Authorization")
        return tokens is not None and self.context.is_token_valid() and sent != f"Bearer {tokens.access_token}"

    # Step 1: find the authorization server of the resource, and its endpoints.

    async def _discover(self, response: httpx.Response) -> _Steps:
        context = self.context
        if response.status_code != 401 and context.oauth_metadata is not None:
            # More scopes are needed from the authorization server that is already known.
            return
        published = utils.extract_resource_metadata_from_www_auth(response)
        failed: int | None = None
        for url in utils.build_protected_resource_metadata_discovery_urls(published, context.server_url):
            answer = yield utils.create_oauth_metadata_request(url)
            if answer.status_code >= 500 or answer.status_code == 429:
                failed = answer.status_code
            if await self._handle_protected_resource_response(answer):
                break
        else:
            if failed is not None:
                # After a failure of the server it would be a guess that there is no document.
                raise OAuthFlowError(f"Protected resource metadata request failed: HTTP {failed}")
        issuer = self._expected_issuer()
        self._forget_foreign_credentials(issuer)
        urls = utils.build_oauth_authorization_server_metadata_discovery_urls(
            context.auth_server_url, context.server_url
        )
        for url in urls:
            look_on, metadata = await utils.handle_auth_metadata_response((yield utils.create_oauth_metadata_request(url)))
            if metadata is not None:
                utils.validate_metadata_issuer(metadata, issuer)
                context.oauth_metadata = metadata
            if metadata is not None or not look_on:
                break

    async def _handle_protected_resource_response(self, response: httpx.Response) -> bool:
        """Use the resource's metadata; returns whether the response had any."""
        metadata = await utils.handle_protected_resource_response(response)
        if metadata is None:
            logger.debug("No protected resource metadata at %s", response.request.url)
            return False
        await self._validate_resource_match(metadata)
        self.context.protected_resource_metadata = metadata
        self.context.auth_server_url = self._select_authorization_server(
            [str(url) for url in metadata.authorization_servers]
        )
        return True

    async def _handle_oauth_metadata_response(self, response: httpx.Response) -> None:
        """Use an authorization server's metadata."""
        self.context.oauth_metadata = OAuthMetadata.model_validate_json(await response.aread())

    async def _validate_resource_match(self, prm: ProtectedResourceMetadata) -> None:
        """Check that the metadata is for the server that this client talks to (RFC 9728 §3.3)."""
        published = str(prm.resource)
        expected = resource_url_from_server_url(self.context.server_url)
        if not check_resource_allowed(requested_resource=expected, configured_resource=published):
            raise OAuthFlowError(f"Protected resource {published} does not match expected {expected}")

    def _select_authorization_server(self, advertised: list[str]) -> str:
        """Choose one of a resource's authorization servers, of which there is at least one:
        the first.
        """
        return advertised[0]

    def _expected_issuer(self) -> str:
        """The issuer that metadata and credentials must belong to: the published authorization
        server, else the origin of the resource.
        """
        base = self.context.get_authorization_base_url(self.context.server_url)
        return self.context.auth_server_url or str(AnyHttpUrl(base))

    def _forget_foreign_credentials(self, issuer: str) -> None:
        """Forget credentials of another issuer; they are never shown to this one (SEP-2352)."""
        context = self.context
        info = context.client_info
        if info is None or utils.credentials_match_issuer(info, issuer, context.client_metadata_url):
            return
        logger.debug("The authorization server is another one: its client registers anew")
        context.client_info = context.oauth_metadata = None
        context.clear_tokens()

    # Step 2: get credentials at that server.

    async def _introduce(self, response: httpx.Response) -> _Steps:
        context = self.context
        context.client_metadata.scope = utils.get_client_metadata_scopes(
            utils.extract_scope_from_www_auth(response), context.protected_resource_metadata, context.oauth_metadata
        )
        if context.client_info:
            return
        issuer = self._expected_issuer() if context.oauth_metadata is not None else None
        own = context.client_metadata_url
        if own and utils.should_use_client_metadata_url(context.oauth_metadata, own):
            info = utils.create_client_info_from_metadata_url(own, context.client_metadata.redirect_uris)
            info.issuer = issuer
        else:
            base = context.get_authorization_base_url(context.server_url)
            answer = yield utils.create_client_registration_request(
                context.oauth_metadata, context.client_metadata, base
            )
            info = await utils.handle_registration_response(answer)
            if issuer is not None and self._registers_at(issuer, base):
                info.issuer = issuer
        context.client_info = info
        await context.storage.set_client_info(info)

    def _registers_at(self, issuer: str, base: str) -> bool:
        """Whether a registration was sent to the issuer: to its published endpoint, or to
        `/register` at its origin.
        """
        metadata = self.context.oauth_metadata
        published = metadata is not None and metadata.registration_endpoint is not None
        return published or self.context.get_authorization_base_url(issuer) == base

    # Step 3: get a token.

    async def _obtain(self, response: httpx.Response) -> _Steps:
        answer = yield await self._perform_authorization()
        await self._handle_token_response(answer)

    async def _perform_authorization(self) -> httpx.Request:
        """Make the token request, after the user has agreed."""
        code, verifier = await self._perform_authorization_code_grant()
        return await self._exchange_token_authorization_code(code, verifier)

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        """Send the user to the server and wait; returns the code and the PKCE verifier."""
        context = self.context
        show, wait = context.redirect_handler, context.callback_handler
        if show is None:
            raise OAuthFlowError("No redirect handler provided for authorization code grant")
        if wait is None:
            raise OAuthFlowError("No callback handler provided for authorization code grant")
        if context.client_info is None:
            raise OAuthFlowError("No client info available for authorization")
        pkce, state = PKCEParameters.generate(), secrets.token_urlsafe(32)
        params = {
            "response_type": "code",
            "client_id": context.client_info.client_id,
            "redirect_uri": self._redirect_uri(),
            "state": state,
            "code_challenge": pkce.code_challenge,
            "code_challenge_method": "S256",
            **self._resource(),
        }
        if context.client_metadata.scope:
            params["scope"] = context.client_metadata.scope
        await show(f"{self._endpoint('authorization_endpoint', '/authorize')}?{urlencode(params)}")
        code, returned = await wait()
        if returned is None or not secrets.compare_digest(returned.encode(), state.encode()):
            # The values are left out of messages and logs.
            raise OAuthFlowError("State parameter mismatch: the answer belongs to another request")
        if not code:
            raise OAuthFlowError("No authorization code received")
        return code, pkce.code_verifier

    async def _exchange_token_authorization_code(
        self, auth_code: str, code_verifier: str, *, token_data: dict[str, Any] | None = None
    ) -> httpx.Request:
        """Make the request that exchanges a code for a token."""
        if self.context.client_info is None:
            raise OAuthFlowError("Missing client info")
        return self._token_request(
            {
                **(token_data or {}),
                "grant_type": "authorization_code",
                "code": auth_code,
                "redirect_uri": self._redirect_uri(),
                "client_id": self.context.client_info.client_id,
                "code_verifier": code_verifier,
                **self._resource(),
            }
        )

    async def _handle_token_response(self, response: httpx.Response) -> None:
        """Store the token of a response."""
        if response.status_code != 200:
            said = (await response.aread()).decode("utf-8", "replace")
            raise OAuthTokenError(f"Token exchange failed ({response.status_code}){redirect_note(response)}: {said}")
        await self._keep(await utils.handle_token_response_scopes(response))

    async def _refresh_token(self) -> httpx.Request:
        """Make the request that refreshes the token."""
        tokens, info = self.context.current_tokens, self.context.client_info
        if tokens is None or not tokens.refresh_token:
            raise OAuthTokenError("No refresh token available")
        if info is None or not info.client_id:
            raise OAuthTokenError("No client info available")
        form = {"grant_type": "refresh_token", "refresh_token": tokens.refresh_token, "client_id": info.client_id}
        return self._token_request({**form, **self._resource()})

    async def _handle_refresh_response(self, response: httpx.Response) -> bool:
        """Store the refreshed token; returns whether there was one. If not, the old ones are
        forgotten.
        """
        if response.status_code == 200:
            try:
                token = OAuthToken.model_validate_json(await response.aread())
                if token.refresh_token is None and self.context.current_tokens is not None:
                    # If the server sends no new refresh token, the old one stays valid
                    # (RFC 6749 §6).
                    token.refresh_token = self.context.current_tokens.refresh_token
                await self._keep(token)
                return True
            except ValidationError:
                logger.warning("The answer to a refresh is no token")
        else:
            logger.warning("Token refresh failed: %s%s", response.status_code, redirect_note(response))
        self.context.clear_tokens()
        return False

    async def _keep(self, token: OAuthToken) -> None:
        self.context.current_tokens = token
        self.context.update_token_expiry(token)
        await self.context.storage.set_tokens(token)

    def _token_request(self, form: dict[str, Any]) -> httpx.Request:
        data, headers = self.context.prepare_token_auth(form, dict(_FORM))
        return httpx.Request("POST", self._get_token_endpoint(), data=data, headers=headers)

    def _get_token_endpoint(self) -> str:
        return self._endpoint("token_endpoint", "/token")

    def _endpoint(self, name: str, path: str) -> str:
        """A published endpoint, else the default path of revision 2025-03-26."""
        published = getattr(self.context.oauth_metadata, name, None)
        return str(published) if published else urljoin(
            self.context.get_authorization_base_url(self.context.server_url), path
        )

    def _redirect_uri(self) -> str:
        addresses = self.context.client_metadata.redirect_uris
        if not addresses:
            raise OAuthFlowError("No redirect URIs provided for authorization code grant")
        return str(addresses[0])

    def _resource(self) -> dict[str, str]:
        """The form field that names the resource, if one is to be sent (RFC 8707)."""
        if not self.context.should_include_resource_param(self.context.protocol_version):
            return {}
        return {"resource": self.context.get_resource_url()}


def _asks_for_more(response: httpx.Response) -> bool:
    """Whether a response is a 401, or a 403 that asks for more scopes."""
    if response.status_code == 403:
        return utils.extract_field_from_www_auth(response, "error") == "insufficient_scope"
    return response.status_code == 401
