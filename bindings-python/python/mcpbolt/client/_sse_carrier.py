"""HTTP+SSE through the program's own HTTP client.

Owns: waiting until the server has named its endpoint, and the session id in it. Must not know:
where messages go, which the engine decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from anyio import Event

from .._mcpbolt import EventReader
from ..shared.exceptions import ConnectError
from ._carrier import Carrier

if TYPE_CHECKING:
    import httpx

logger: logging.Logger = logging.getLogger("mcp.client.sse")


class SseCarrier(Carrier):
    """The program's HTTP client for HTTP+SSE."""

    def __init__(self, client: httpx.AsyncClient, on_session_created: Callable[[str], None] | None) -> None:
        super().__init__(client)
        self._on_session_created = on_session_created
        self._reader = EventReader()
        self._is_named = False
        self._known = Event()

    async def opened(self) -> None:
        """Wait until the server has named its endpoint.

        Raises:
            httpx.HTTPError: The server refused or cannot be reached.
            ConnectError: The stream ended before it named an endpoint.
        """
        await self._known.wait()
        if not self._is_named:
            self.fault = self.fault or ConnectError("the stream of events ended before it named an endpoint")
            raise self.fault

    def failed(self, method: str, error: Exception) -> None:
        """Keep the exception of a request."""
        logger.log(logging.ERROR if method == "POST" else logging.DEBUG, "Error in post_writer: %s", error)
        self.fault = error
        self._known.set()

    def judge(self, method: str, response: httpx.Response) -> None:
        """Raise the exception of `httpx` for every status that is an error."""
        response.raise_for_status()

    async def pass_on(self, part: bytes, give: Callable[[bytes], None]) -> None:
        """Pass on a part of the stream, and look for the endpoint in it."""
        give(part)
        if self._is_named:
            return
        for event, _, data in self._reader.feed(part):
            if event == "endpoint":
                self._named(data)
                return

    def _named(self, endpoint: str) -> None:
        self._is_named = True
        query: dict[str, Any] = parse_qs(urlsplit(endpoint).query)
        found = query.get("sessionId") or query.get("session_id")
        if found and self._on_session_created is not None:
            self._on_session_created(found[0])
        self._known.set()

    def ended(self) -> None:
        """Called at the end of the stream."""
        self._known.set()
