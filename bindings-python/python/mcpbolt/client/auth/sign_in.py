"""Signing in with a browser, in one line: `Client(url, auth="oauth")`. Not in the official package.

Owns: the parts that are usual for a program with a user. Must not know: how they work.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from ...shared.auth import OAuthClientMetadata
from .extensions.dpop import DpopKey
from .file_storage import FileTokenStorage, default_folder
from .loopback import LoopbackRedirect
from .oauth2 import OAuthClientProvider

if TYPE_CHECKING:
    import httpx

__all__ = ["OAuth"]

_NAME = "mcpbolt"


class OAuth:
    """Signs the user in where a server wants a token: opens the browser, receives its answer on a port of
    this machine, and stores tokens in a file. `Client(url, auth="oauth")` is short for
    `Client(url, auth=OAuth())`. For other parts, put together an `OAuthClientProvider`.

    Example:
        ```python
        async with Client("https://mcp.example.com/mcp", auth=OAuth("Example")) as client:
            print(await client.list_tools())
        ```

    Args:
        client_name: The name of this program, which users see when they are asked. Default: `mcpbolt`.
        folder: The folder for tokens and credentials, see `FileTokenStorage`. Default: one for each
            `client_name`; that of `mcpbolt` is the one that the program of this name uses.
        redirect: The browser and its way back. Default: that of the system, and a free port.
        client_metadata_url: An HTTPS URL with the client's metadata, used as its client id by servers
            that support this instead of registration. Default: none.
        dpop: The key to bind tokens to, if the authorization server supports it (RFC 9449; a draft
            for the protocol, SEP-1932). Default: none.
    """

    # What signs in; another line may have another.
    _provider_type: ClassVar[type[OAuthClientProvider]] = OAuthClientProvider

    def __init__(
        self,
        client_name: str = _NAME,
        *,
        folder: str | os.PathLike[str] | None = None,
        redirect: LoopbackRedirect | None = None,
        client_metadata_url: str | None = None,
        dpop: DpopKey | None = None,
    ) -> None:
        self.client_name: str = client_name
        self._folder = folder
        self._redirect = redirect
        self._client_metadata_url = client_metadata_url
        self._dpop = dpop

    def provider(self, server_url: str) -> httpx.Auth:
        """Make the provider for one server, an `OAuthClientProvider`: authentication for `httpx`.

        Args:
            server_url: The URL of the MCP server's endpoint.
        """
        return self._provider(server_url)

    async def sign_out(self, server_url: str, http_client: httpx.AsyncClient | None = None) -> None:
        """Forget the tokens for one server, then have the authorization server revoke them, if it offers
        that (RFC 7009). The client stays registered; the next request signs in anew.

        Args:
            server_url: The URL of the MCP server's endpoint.
            http_client: Sends the requests. Default: a new one.

        Raises:
            OAuthFlowError: The authorization server did not revoke a token. It is forgotten all the same.
            httpx.HTTPError: It could not be reached. The tokens are forgotten all the same.
        """
        await self._provider(server_url).sign_out(http_client)

    def _provider(self, server_url: str) -> OAuthClientProvider:
        folder = self._folder
        if folder is None:
            # Programs with names of their own are clients of their own.
            own = "" if self.client_name == _NAME else quote(self.client_name, safe=" ")
            folder = default_folder() / own
        return self._provider_type(
            server_url,
            OAuthClientMetadata(client_name=self.client_name, redirect_uris=None),
            FileTokenStorage(server_url, folder),
            client_metadata_url=self._client_metadata_url,
            redirect=self._redirect or LoopbackRedirect(),
            dpop=self._dpop,
        )
