"""Streamable HTTP through the program's own HTTP client, so that its proxies, certificates,
credentials, mocks and instrumentation keep working.

Owns: the tasks, and the order in which messages are sent. Must not know: sessions.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from ._carried import CarriedTransport
from ._exchange import Exchange, is_modern, refusal
from ._faults import words_of

if TYPE_CHECKING:
    import httpx

    from ..shared.message import SessionMessage

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")

# The engine tries these one after the other until the server understands one.
_OPENING = ("server/discover", "initialize")
# Refusals for credentials or load: the server did not even look at the request.
_NOBODY_LOOKED = (401, 403, 407, 408, 429)


def _tells_the_era(error: Exception) -> bool:
    """Whether a server that refuses with this status may understand the other opening."""
    status: int = getattr(getattr(error, "response", None), "status_code", 0)
    return 400 <= status < 500 and status not in _NOBODY_LOOKED


class HttpxTransport(CarriedTransport):
    """One streamable HTTP endpoint, reached through the program's HTTP client."""

    def __init__(self, url: str, client: httpx.AsyncClient, terminate_on_close: bool) -> None:
        super().__init__(url, client)
        self._terminate = terminate_on_close
        self._endpoint = Exchange(url)
        self._listening = False
        # The requests under way that end with their response, by id.
        self._posts: dict[Any, Any] = {}
        # The exception that the client raised for a request.
        self.fault: Exception | None = None
        # The exception for the first request, if trying the other opening would not help.
        self._final: Exception | None = None
        self.run(self._write())

    @property
    def refusal(self) -> Exception | None:
        """The exception that the handshake failed with."""
        return self.fault if self._endpoint.protocol_version is None else None

    def get_session_id(self) -> str | None:
        """The session id that the server assigned, if any."""
        return self._endpoint.session_id

    async def _write(self) -> None:
        while (item := await self.next_unsent()) is not None:
            root: Any = item.message.root
            method = getattr(root, "method", None)
            if hasattr(root, "id"):
                task = self.run(self._post(item))
                if is_modern(root) and not task.done():
                    self._posts[root.id] = task
                    task.add_done_callback(lambda _, number=root.id: self._posts.pop(number, None))
            elif method != "notifications/cancelled" or not self._ended(root):
                # Sent before anything else, since later messages may depend on it.
                await self._post(item)
            if method == "notifications/initialized":
                self._listen()
        self.incoming.close()

    def _ended(self, root: Any) -> bool:
        """End the request that a notification cancels, if closing its response tells the server."""
        params: dict[str, Any] = getattr(root, "params", None) or {}
        task = self._posts.get(params.get("requestId"))
        if task is not None:
            task.cancel()
        return task is not None

    async def _post(self, item: SessionMessage) -> None:
        root: Any = item.message.root
        opens = getattr(root, "method", None) in _OPENING
        try:
            if opens and self._final is not None:
                raise self._final
            await self._endpoint.post(self.client, item, self._take)
        except Exception as error:
            logger.debug("POST failed: %s", error)
            if opens and not _tells_the_era(error):
                self._final = error
            if hasattr(root, "method") and hasattr(root, "id"):
                self.fault = error
                self.give(refusal(root.id, -32000, words_of(error, self._endpoint.url)))
            else:
                self.give_item(error)

    async def _take(self, text: str) -> None:
        self.give(text)

    def _listen(self) -> None:
        if self._endpoint.session_id and not self._listening:
            self._listening = True
            self.run(self._endpoint.listen(self.client, self._take))

    async def goodbye(self) -> None:
        """Tell the server that the session is over."""
        if self._terminate:
            await self._endpoint.end(self.client)
