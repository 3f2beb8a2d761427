"""Streamable HTTP through an HTTP client of the program's: proxies, certificates,
credentials, mocks and instrumentation that live in it keep working.

Owns: one request per message, the stream for what the server says on its own, taking a
broken stream up again. Must not know: sessions.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from anyio import sleep

from .._json import dumps
from .._mcpbolt import EventReader
from .._switches import switches
from ..shared._httpx_utils import refuse_redirect
from ._carried import CarriedTransport
from ._faults import words_of
from ._reach import message_text

if TYPE_CHECKING:
    import httpx

    from ..shared.message import SessionMessage

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")

MAX_ATTEMPTS = 2
FIRST_DELAY = 1.0
_ACCEPT = {"accept": "application/json, text/event-stream"}
_REVISION = "io.modelcontextprotocol/protocolVersion"
# Which member of the params names what a request is about.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}


class _Events:
    """The messages on a stream of events, and where and when to take it up again."""

    def __init__(self) -> None:
        self.last: str | None = None
        self.delay = FIRST_DELAY
        self._reader = EventReader()

    def begin(self) -> None:
        """The bytes that follow are those of a new response."""
        self._reader = EventReader()

    def messages(self, part: bytes) -> Iterator[str]:
        """What some bytes complete."""
        for event, event_id, data in self._reader.feed(part):
            if event == "retry":
                self.delay = data
                continue
            self.last = event_id or self.last
            if data and event == "message":
                yield data


class HttpxTransport(CarriedTransport):
    """One endpoint."""

    def __init__(self, url: str, client: httpx.AsyncClient, terminate_on_close: bool) -> None:
        super().__init__(url, client)
        self._terminate = terminate_on_close
        self._session_id: str | None = None
        self._revision: str | None = None
        self._listening = False
        # What the client raised for a request.
        self.fault: Exception | None = None
        self.run(self._write())

    def get_session_id(self) -> str | None:
        """What the server called the session."""
        return self._session_id

    def _headers(self, root: Any = None) -> dict[str, str]:
        headers = dict(_ACCEPT)
        if self._session_id:
            headers["mcp-session-id"] = self._session_id
        params: dict[str, Any] = getattr(root, "params", None) or {}
        meta: dict[str, Any] = params.get("_meta") or {}
        revision = meta.get(_REVISION)
        if revision is not None:
            method = root.method
            headers["mcp-method"] = method
            if method in _NAMED and _NAMED[method] in params:
                headers["mcp-name"] = str(params[_NAMED[method]])
        if revision or self._revision:
            headers["mcp-protocol-version"] = revision or self._revision or ""
        return headers

    async def _write(self) -> None:
        while (item := await self.next_unsent()) is not None:
            method = getattr(item.message.root, "method", None)
            if method == "initialize" or hasattr(item.message.root, "id"):
                self.run(self._post(item))
            else:
                # In order: what follows may depend on it.
                await self._post(item)
            if method == "notifications/initialized":
                self._listen()
        self.incoming.close()

    async def _post(self, item: SessionMessage) -> None:
        root: Any = item.message.root
        number = getattr(root, "id", None) if hasattr(root, "method") else None
        try:
            await self._exchange(item, root, number)
        except Exception as error:
            logger.debug("POST failed: %s", error)
            if number is not None:
                self.fault = error
                self._refuse(number, -32000, words_of(error))
            else:
                self.give_item(error)

    async def _exchange(self, item: SessionMessage, root: Any, number: Any) -> None:
        headers = {**self._headers(root), "content-type": "application/json"}
        response = await self.request("POST", self.url, headers, message_text(item))
        try:
            if response.status_code == 404 and number is not None and (self._session_id or switches.official):
                self._refuse(number, 32600 if switches.official else -32600, "Session terminated")
                return
            if response.status_code == 202:
                return
            kind = response.headers.get("content-type", "").lower()
            refuse_redirect(response)
            if getattr(root, "method", None) == "initialize":
                self._session_id = response.headers.get("mcp-session-id") or self._session_id
            if number is None or (switches.official and not response.is_success):
                response.raise_for_status()
            elif kind.startswith("application/json"):
                self._document((await response.aread()).decode(errors="replace"), response, number)
            elif not response.is_success:
                response.raise_for_status()
            elif kind.startswith("text/event-stream"):
                await self._stream(response, number)
            else:
                self._refuse(number, -32600, f"Unexpected content type: {kind}")
        finally:
            await response.aclose()

    def _document(self, text: str, response: httpx.Response, number: Any) -> None:
        """Take an answer that came in one piece, with whatever status."""
        parts = _parts(text)
        if any(part.get("id") == number and "method" not in part for part in parts):
            self._answer(text)
            return
        # Refused before it was read, a request has no id in the answer.
        error: Any = next((part["error"] for part in parts if isinstance(part.get("error"), dict)), None)
        if error is None:
            response.raise_for_status()
            error = {}
        words = str(error.get("message") or "The response has no answer in it")
        code = error.get("code")
        self._refuse(number, code if isinstance(code, int) else -32600, words)

    def _refuse(self, number: Any, code: int, words: str) -> None:
        error = {"code": code, "message": words}
        self.give(dumps({"jsonrpc": "2.0", "id": number, "error": error}))

    def _answer(self, text: str) -> None:
        if self._revision is None and "protocolVersion" in text:
            from .._mcpbolt import loads

            answer = loads(text)
            if isinstance(answer, dict):
                members = cast("dict[str, Any]", answer)
                result: dict[str, Any] = members.get("result") or {}
                self._revision = result.get("protocolVersion")
        self.give(text)

    async def _stream(self, response: httpx.Response, number: Any) -> None:
        """Read a stream until the answer came, taking it up again where it broke."""
        events = _Events()
        for attempt in range(MAX_ATTEMPTS + 1):
            if attempt:
                await sleep(events.delay)
                response = await self._again(events.last)
            try:
                events.begin()
                async for part in response.aiter_bytes():
                    for message in events.messages(part):
                        self._answer(message)
                        if _answers(message, number):
                            return
            except Exception as error:
                logger.debug("the stream of a request broke: %s", error)
            finally:
                await response.aclose()
            if events.last is None:
                break
        self._refuse(number, -32000, "the stream ended without an answer")

    async def _again(self, last: str | None) -> httpx.Response:
        headers = self._headers()
        if last is not None:
            headers["last-event-id"] = last
        return await self.request("GET", self.url, {**headers, "accept": "text/event-stream"}, None)

    def _listen(self) -> None:
        if self._session_id and not self._listening:
            self._listening = True
            self.run(self._listen_on())

    async def _listen_on(self) -> None:
        """What the server says on its own, for as long as it wants to be listened to."""
        events, failed = _Events(), 0
        while failed < MAX_ATTEMPTS:
            try:
                response = await self._again(events.last)
                try:
                    if not response.is_success:
                        return
                    failed = 0
                    events.begin()
                    async for part in response.aiter_bytes():
                        for message in events.messages(part):
                            self.give(message)
                finally:
                    await response.aclose()
            except Exception as error:
                logger.debug("GET stream error: %s", error)
                failed += 1
            await sleep(events.delay)

    async def goodbye(self) -> None:
        """Tell the server that the session is over."""
        if not self._terminate or not self._session_id:
            return
        try:
            response = await self.request("DELETE", self.url, self._headers(), None)
            await response.aclose()
            if response.status_code not in (200, 202, 204, 405):
                logger.warning("Session termination failed: %s", response.status_code)
        except Exception as error:
            logger.warning("Session termination failed: %s", error)


def _answers(text: str, number: Any) -> bool:
    return any("method" not in part and part.get("id") == number for part in _parts(text))


def _parts(text: str) -> list[dict[str, Any]]:
    """The messages of a text: one, those of a batch, or none if it is something else."""
    from .._mcpbolt import EngineError, loads

    try:
        message = loads(text)
    except (EngineError, ValueError):
        return []
    every: list[Any] = message if isinstance(message, list) else [message]  # pyright: ignore
    return [cast("dict[str, Any]", part) for part in every if isinstance(part, dict)]
