"""HTTP+SSE through the program's own HTTP client."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urljoin, urlparse

from anyio import Event

from .._mcpbolt import EventReader
from ..shared.exceptions import ConnectError
from ._carried import CarriedTransport
from ._reach import message_text

if TYPE_CHECKING:
    import httpx

logger: logging.Logger = logging.getLogger("mcp.client.sse")


class HttpxSseTransport(CarriedTransport):
    """An event stream, and the endpoint that it names for messages."""

    def __init__(
        self, url: str, client: httpx.AsyncClient, on_session_created: Callable[[str], None] | None
    ) -> None:
        super().__init__(url, client)
        self._on_session_created = on_session_created
        self._endpoint: str | None = None
        self._known = Event()
        self._failure: Exception | None = None
        # The exception that opening the stream failed with.
        self.fault: Exception | None = None

    async def open(self) -> None:
        """Connect, and wait until the server has named its endpoint.

        Raises:
            httpx.HTTPError: The server refused or cannot be reached.
            ConnectError: The stream ended before it named an endpoint.
        """
        try:
            await self._open()
        except Exception as error:
            self.fault = error
            raise
        self.run(self._write())

    async def _open(self) -> None:
        headers = {"accept": "text/event-stream", "cache-control": "no-store"}
        response = await self.request("GET", self.url, headers, None)
        if not response.is_success:
            await response.aclose()
            response.raise_for_status()
        self.run(self._read(response))
        await self._known.wait()
        if self._failure is not None:
            raise self._failure

    async def _read(self, response: httpx.Response) -> None:
        try:
            reader = EventReader()
            async for part in response.aiter_bytes():
                for event, _, data in reader.feed(part):
                    if event == "endpoint":
                        self._found(data)
                    elif event == "message" and data:
                        self.give(data)
        except Exception as error:
            logger.debug("the stream of events broke: %s", error)
            self._failure = error
        finally:
            if self._endpoint is None and self._failure is None:
                self._failure = ConnectError("the stream of events ended before it named an endpoint")
            self._known.set()
            self.incoming.close()
            await response.aclose()

    def _found(self, path: str) -> None:
        endpoint = urljoin(self.url, path)
        here, there = urlparse(self.url), urlparse(endpoint)
        if (here.scheme, here.netloc) != (there.scheme, there.netloc):
            raise ValueError(f"Endpoint origin does not match connection origin: {endpoint}")
        self._endpoint = endpoint
        if self._on_session_created is not None:
            query: dict[str, Any] = parse_qs(there.query)
            found = query.get("sessionId") or query.get("session_id")
            if found:
                self._on_session_created(found[0])
        self._known.set()

    async def _write(self) -> None:
        while (item := await self.next_unsent()) is not None:
            assert self._endpoint is not None
            try:
                headers = {"content-type": "application/json"}
                response = await self.request("POST", self._endpoint, headers, message_text(item))
                await response.aclose()
                response.raise_for_status()
            except Exception as error:
                logger.error("Error in post_writer: %s", error)
                self.give_item(error)
                self.incoming.close()
                return
