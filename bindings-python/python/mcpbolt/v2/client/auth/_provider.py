"""OAuth for HTTP clients of `httpx2`.

Owns: whose requests and documents a provider has. Must not know: how it signs in. Under the alias of
2.x the provider that both lines share is of `httpx2` already, and is handed on.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from ....client.auth.extensions.dpop import DpopKey
from ....client.auth.loopback import LoopbackRedirect
from ....client.auth.oauth2 import OAuthClientProvider as _OAuthClientProvider
from ....client.auth.oauth2 import TokenStorage
from ....client.auth.sign_in import OAuth as _OAuth
from ....shared.auth import AuthorizationCodeResult
from ....shared.auth import OAuthClientInformationFull as AnyInformation
from ....shared.auth import OAuthClientMetadata as AnyMetadata
from ....shared._httpx_utils import newest_http_library
from ...shared.auth import OAuthClientInformationFull, OAuthMetadata

if TYPE_CHECKING:
    import httpx
else:
    httpx = newest_http_library()

__all__ = ["OAuth", "OAuthClientProvider"]


class OAuthClientProvider(_OAuthClientProvider, httpx.Auth):
    """Authentication for `httpx2` with OAuth, for a program with a user: takes tokens from storage,
    refreshes them, or gets new ones through the user's browser. Use it as `auth=` of an
    `httpx2.AsyncClient` that is passed to `streamable_http_client`. Where `httpx2` is not
    installed, it is for `httpx`.

    Args:
        server_url: The URL of the MCP server's endpoint.
        client_metadata: The name, redirect URIs and so on that the client registers with.
        storage: Stores tokens, and the credentials that the client got when it registered.
        redirect_handler: Async function that shows a URL to the user, usually in a browser. Default:
            none; signing in then fails.
        callback_handler: Async function that waits until the browser comes back to the redirect
            URI, and returns an `AuthorizationCodeResult`. Default: none; signing in then fails.
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
        client_metadata: AnyMetadata,
        storage: TokenStorage,
        redirect_handler: Callable[[str], Awaitable[None]] | None = None,
        callback_handler: Callable[[], Awaitable[AuthorizationCodeResult | tuple[str, str | None]]] | None = None,
        client_metadata_url: str | None = None,
        validate_resource_url: Callable[[str, str | None], Awaitable[None]] | None = None,
        *,
        assume_endpoints: bool | None = None,
        dpop: DpopKey | None = None,
        redirect: LoopbackRedirect | None = None,
    ) -> None:
        super().__init__(
            server_url,
            client_metadata,
            storage,
            redirect_handler,
            callback_handler,
            client_metadata_url=client_metadata_url,
            validate_resource_url=validate_resource_url,
            assume_endpoints=assume_endpoints,
            dpop=dpop,
            redirect=redirect,
        )
        self._package: Any = httpx

    @property
    def _library(self) -> Any:
        return self._package

    async def _begin(self, request: httpx.Request) -> None:
        # It is an authentication for `httpx` as well, and its own requests go through the same client.
        tops = (kind.__module__.partition(".")[0] for kind in type(request).__mro__)
        self._package = import_module(next((top for top in tops if top in ("httpx", "httpx2")), httpx.__name__))
        await super()._begin(request)

    async def _handle_oauth_metadata_response(self, response: httpx.Response) -> None:
        self.context.oauth_metadata = OAuthMetadata.model_validate_json(await response.aread())

    async def _keep_client(self, info: AnyInformation) -> None:
        registered = getattr(self.context.client_metadata, "application_type", None)
        values = {"application_type": registered, **info.model_dump(exclude_unset=True)}
        await super()._keep_client(OAuthClientInformationFull.model_validate(values))


if not TYPE_CHECKING and issubclass(_OAuthClientProvider, httpx.Auth) and httpx.__name__ == "httpx2":
    OAuthClientProvider = _OAuthClientProvider


class OAuth(_OAuth):
    """Signing in with a browser on this machine, with tokens that are kept in files, for HTTP clients of
    `httpx2`.

    Args:
        client_name: The name to register with, which servers show to the user. Default: `mcpbolt`.
        folder: Where tokens and registrations are kept. Default: a folder of the user for each
            `client_name`.
        redirect: The browser and its way back. Default: that of the system, and a free port.
        client_metadata_url: An HTTPS URL with the client's metadata, used as its client id by servers
            that support this instead of registration. Default: none.
        dpop: The key to bind tokens to, if the authorization server supports it (RFC 9449; a draft
            for the protocol, SEP-1932). Default: none.
    """

    _provider_type: ClassVar[type[_OAuthClientProvider]] = OAuthClientProvider
