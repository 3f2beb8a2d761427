"""What is held while tokens are got: the storage for this program alone, and the port that the browser comes
back to.

Owns: for how long. Must not know: which step follows which; how a storage keeps others out.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from pydantic import AnyUrl

from ...shared.auth_utils import calculate_token_expiry
from ._context import OAuthContext
from ._flow import FlowOfEngine
from .extensions.dpop import DpopKey
from .file_storage import SharedTokenStorage
from .loopback import LoopbackRedirect


class HoldsParts(FlowOfEngine):
    """The part of an OAuth provider that takes turns with other programs, and listens for the browser.

    Args:
        context: The state of the flow: the server, the client, its tokens.
        assume_endpoints: Whether endpoints are tried if a server publishes no metadata; `None` for the
            engine's rule.
        dpop: The key to bind tokens to (RFC 9449). Default: none.
        redirect: The browser and its way back. Default: the handlers of the context.
    """

    def __init__(
        self,
        context: OAuthContext,
        assume_endpoints: bool | None,
        dpop: DpopKey | None = None,
        redirect: LoopbackRedirect | None = None,
    ) -> None:
        super().__init__(context, assume_endpoints, dpop)
        self._redirect = redirect

    @abstractmethod
    async def _initialize(self) -> None: ...

    def _note_what_is_left(self) -> None:
        """Other storages return the `expires_in` of the day that tokens were got."""
        context = self.context
        if isinstance(context.storage, SharedTokenStorage):
            tokens = context.current_tokens
            context.token_expiry_time = None if tokens is None else calculate_token_expiry(tokens.expires_in)

    @asynccontextmanager
    async def _exclusively(self) -> AsyncGenerator[None, None]:
        """Keep other programs with the same storage from renewing the tokens, and read what they left."""
        storage = self.context.storage
        if not isinstance(storage, SharedTokenStorage):
            yield
            return
        async with storage.exclusively():
            await self._initialize()
            yield

    @asynccontextmanager
    async def _listening(self) -> AsyncGenerator[None, None]:
        """Have the port ready before the authorization server is told of it."""
        if self._redirect is None:
            yield
            return
        try:
            self.context.client_metadata.redirect_uris = [AnyUrl(await self._redirect.listen())]
            yield
        finally:
            self._redirect.close()
