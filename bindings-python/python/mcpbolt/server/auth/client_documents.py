"""Clients whose id is the HTTPS URL of a document about them (client id metadata documents), for an
authorization server. Not in the official package.

Owns: that such clients are known beside those that the program stores. Must not know: which documents
are good, where they may be and for how long, which the engine says.
"""

from __future__ import annotations

from typing import Any

from anyio import CapacityLimiter, to_thread
from pydantic import Field, ValidationError

from ..._engine.json import dumps
from ..._mcpbolt import ClientDocuments as _Engine
from ..._mcpbolt import EngineError
from ...shared._authorization import Refused, decide
from ...shared.auth import OAuthClientInformationFull
from .provider import OAuthAuthorizationServerProvider
from .settings import ClientDocumentOptions

__all__ = ["ClientDocumentOptions", "ClientDocuments", "DocumentClient"]


# Anybody can have a slow document asked for: these threads are no others that a program may need.
_THREADS = 32


class DocumentClient(OAuthClientInformationFull):
    """A client that its document describes. Anybody can publish a document with any `client_name`: show
    users the `host` when they are asked, and where the browser goes afterwards.
    """

    host: str = Field(exclude=True)
    """The host of the client's id."""

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:
        """Check the scopes of a request and return them as a list; `None` if the request named none. Where
        the document names no scopes, the client may ask for any: the provider says which it grants.

        Args:
            requested_scope: The scopes, separated by spaces; `None` if the request named none.

        Raises:
            InvalidScopeError: The document names scopes, and not this one.
        """
        if self.scope is None:
            return None if requested_scope is None else requested_scope.split(" ")
        return super().validate_scope(requested_scope)


class ClientDocuments:
    """Looks clients up by their documents: from the public internet, over HTTPS, without redirects and up to
    16 KiB. The document must name exactly its URL as `client_id`; it is kept as long as its `Cache-Control`
    says, 5 minutes if it says nothing, 24 hours at most.

    Args:
        options: Where documents may be. Default: the public internet.
    """

    def __init__(self, options: ClientDocumentOptions | None = None) -> None:
        places = (options or ClientDocumentOptions()).model_dump(exclude={"enabled"})
        self._engine = _Engine(dumps(places))
        self._threads: CapacityLimiter | None = None

    async def client(self, client_id: str) -> DocumentClient | None:
        """Return the client of an id; `None` if the id is no URL.

        Args:
            client_id: The client's id.

        Raises:
            Refused: The id or its document is not valid (`invalid_request`), or the document cannot be had
                now (`temporarily_unavailable`).
        """
        if not decide("names_document", client_id=client_id):
            return None
        try:
            found, wait = self._engine.client(client_id)
            if wait is not None:
                self._threads = self._threads or CapacityLimiter(_THREADS)
                found = await to_thread.run_sync(wait.wait, abandon_on_cancel=True, limiter=self._threads)
        except EngineError as error:
            why: dict[str, Any] = error.args[3] or {}
            raise Refused(why.get("error", "invalid_request"), why.get("error_description")) from None
        assert found is not None
        try:
            return DocumentClient.model_validate({**found["client"], "host": found["host"]})
        except ValidationError as error:
            fields = ", ".join(sorted({".".join(map(str, one["loc"])) for one in error.errors()}))
            raise Refused("invalid_request", f"client_id: its document is not valid: {fields}") from None


class WithDocuments:
    """A provider that also knows clients by their documents. All else is the program's provider.

    Args:
        provider: The provider of the program.
        documents: What looks clients up that the program has not stored.
    """

    def __init__(self, provider: OAuthAuthorizationServerProvider[Any, Any, Any], documents: ClientDocuments) -> None:
        self._provider = provider
        self._documents = documents

    def __getattr__(self, name: str) -> Any:
        return getattr(self._provider, name)

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return the client that the program has stored, else the one of the document.

        Args:
            client_id: The client's id.

        Raises:
            Refused: The id or its document is not valid, or the document cannot be had now.
        """
        return await self._provider.get_client(client_id) or await self._documents.client(client_id)
