"""The messages of one streamable HTTP endpoint, through an HTTP client of the program.

Owns: one request per message, the stream for messages that answer no request, and resuming a
broken stream. Must not know: which tasks run this, or sessions.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from anyio import sleep

from .._engine import face
from .._engine.json import dumps
from .._engine.protocol import METHODS
from .._mcpbolt import EventReader
from ..shared._httpx_utils import refuse_redirect
from ..shared._param_headers import KEY, Repeating, spelled
from ._carried import send_within_origin
from ._reach import message_text
from ._words import shown

if TYPE_CHECKING:
    import httpx

    from ..shared.message import SessionMessage

# Called with the text of each message that arrives.
Give: TypeAlias = Callable[[str], Awaitable[None]]

# Called with the id of each event, from which the stream could be resumed.
Told: TypeAlias = Callable[[str], Awaitable[None]]

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")

MAX_ATTEMPTS = 2
FIRST_DELAY = 1.0
# How many characters of a text that is not JSON an error shows.
SHOWN = 100
_ACCEPT = {"accept": "application/json, text/event-stream"}
_REVISION = "io.modelcontextprotocol/protocolVersion"


class _Events:
    """The messages on an event stream, and from which event and after how long to resume it."""

    def __init__(self) -> None:
        self.last: str | None = None
        self.delay = FIRST_DELAY
        self._reader = EventReader()

    def begin(self) -> None:
        """Start again: the next bytes belong to a new response."""
        self._reader = EventReader()

    def messages(self, part: bytes) -> Iterator[tuple[str, str | None]]:
        """Return the messages that some bytes complete, and the id of the event of each. An
        event may have an id and no message; its text is empty then.
        """
        for event, event_id, data in self._reader.feed(part):
            if event == "retry":
                self.delay = data
                continue
            self.last = event_id or self.last
            if event == "message" and (data or event_id):
                yield data, event_id


class Exchange:
    """One endpoint, and the session id that it assigned."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session_id: str | None = None
        self.protocol_version: str | None = None
        self._repeating = Repeating()

    def headers(self, root: Any = None) -> dict[str, str]:
        """The headers for a message, or for a request without one."""
        headers = dict(_ACCEPT)
        if self.session_id:
            headers["mcp-session-id"] = self.session_id
        params: dict[str, Any] = getattr(root, "params", None) or {}
        meta: dict[str, Any] = params.get("_meta") or {}
        revision = meta.get(_REVISION)
        if revision is not None:
            method = root.method
            headers["mcp-method"] = method
            row = METHODS.get(method)
            if row and row.name_param and row.name_param in params:
                headers["mcp-name"] = spelled(str(params[row.name_param]))
            if method == "tools/call":
                headers.update(self._repeating.headers(params))
        if revision or self.protocol_version:
            headers["mcp-protocol-version"] = revision or self.protocol_version or ""
        return headers

    async def post(self, client: httpx.AsyncClient, item: SessionMessage, give: Give) -> None:
        """Send a message and pass on everything that arrives for it; the answer comes last.

        Raises:
            httpx.HTTPError: The message was not sent, or was refused without an answer.
        """
        root: Any = item.message.root
        number = getattr(root, "id", None) if hasattr(root, "method") else None
        resumed: str | None = getattr(item.metadata, "resumption_token", None)
        told: Told | None = getattr(item.metadata, "on_resumption_token_update", None)
        if resumed is not None:
            await self._resume(client, resumed, number, give, told)
            return
        more: dict[str, str] = getattr(item.metadata, "headers", None) or {}
        headers = {**more, **self.headers(root), "content-type": "application/json"}
        response = await send_within_origin(client, "POST", self.url, headers, message_text(item))
        try:
            if response.status_code >= 400 and number is not None and face.current.answers_statuses:
                await give(await self._refused(response, number))
                return
            if response.status_code == 404 and number is not None and (self.session_id or face.current.gone_is_answer):
                await give(refusal(number, face.current.gone_code, "Session terminated"))
                return
            if response.status_code == 202:
                if number is not None:
                    await give(refusal(number, -32600, "server answered a request with 202 Accepted"))
                return
            kind = response.headers.get("content-type", "").lower()
            refuse_redirect(response)
            if getattr(root, "method", None) == "initialize":
                self.session_id = response.headers.get("mcp-session-id") or self.session_id
            if number is None or (face.current.raises_statuses and not response.is_success):
                response.raise_for_status()
            elif kind.startswith("application/json"):
                await self._document((await response.aread()).decode(errors="replace"), response, number, give)
            elif not response.is_success:
                response.raise_for_status()
            elif kind.startswith("text/event-stream"):
                await self._stream(client, response, number, give, told)
            else:
                place = f" ({shown(self.url)})" if face.current.own_words else ""
                await give(refusal(number, -32600, f"Unexpected content type: {kind}{place}"))
        finally:
            await response.aclose()

    async def _document(self, text: str, response: httpx.Response, number: Any, give: Give) -> None:
        """Pass on an answer that came in one piece, with any HTTP status."""
        parts = _parts(text)
        if any(part.get("id") == number and "method" not in part for part in parts):
            await self._answer(text, give)
            return
        # A request that was refused before it was parsed is answered without an id.
        error: Any = next((part["error"] for part in parts if isinstance(part.get("error"), dict)), None)
        if error is None:
            response.raise_for_status()
            if not parts and face.current.answers_statuses:
                await give(refusal(number, -32700, f"Failed to parse JSON response: {text[:SHOWN]!r}"))
                return
            error = {}
        words = str(error.get("message") or "The response has no answer in it")
        code = error.get("code")
        await give(refusal(number, code if isinstance(code, int) else -32600, words))

    async def _refused(self, response: httpx.Response, number: Any) -> str:
        """What a request is answered with that an HTTP status refuses."""
        if response.headers.get("content-type", "").lower().startswith("application/json"):
            for part in _parts((await response.aread()).decode(errors="replace")):
                if isinstance(part.get("error"), dict):
                    return dumps({"jsonrpc": "2.0", "id": number, "error": part["error"]})
        if response.status_code != 404:
            return refusal(number, -32603, "Server returned an error response")
        if self.session_id is None:
            return refusal(number, -32601, "Not Found")
        return refusal(number, -32600, "Session terminated")

    async def _answer(self, text: str, give: Give) -> None:
        if '"tools"' in text and (KEY in text or self._repeating.knows):
            self._repeating.saw_answer(text)
        if self.protocol_version is None and "protocolVersion" in text:
            from .._mcpbolt import loads

            answer = loads(text)
            if isinstance(answer, dict):
                members = cast("dict[str, Any]", answer)
                result: dict[str, Any] = members.get("result") or {}
                self.protocol_version = result.get("protocolVersion")
        await give(text)

    async def _stream(
        self, client: httpx.AsyncClient, response: httpx.Response, number: Any, give: Give, told: Told | None
    ) -> None:
        """Read a stream until the answer arrives; resume it where it breaks."""
        events, failed = _Events(), 0
        while failed <= MAX_ATTEMPTS:
            before = events.last
            try:
                events.begin()
                async for part in response.aiter_bytes():
                    for message, event_id in events.messages(part):
                        if message:
                            await self._answer(message, give)
                        if event_id and told is not None:
                            await told(event_id)
                        if message and _answers(message, number):
                            return
            except Exception as error:
                logger.debug("the stream of a request broke: %s", error)
            finally:
                await response.aclose()
            if events.last is None:
                break
            # A stream that got on counts as a new one: a server may end it time and again.
            failed = failed + 1 if events.last == before else 1
            if failed <= MAX_ATTEMPTS:
                await sleep(events.delay)
                response = await self._again(client, events.last)
        await give(refusal(number, -32000, "the stream ended without an answer"))

    async def _resume(
        self, client: httpx.AsyncClient, last: str, number: Any, give: Give, told: Told | None
    ) -> None:
        """Go on with the stream of an earlier request; its answer becomes that of this one."""
        from .._mcpbolt import loads

        response = await self._again(client, last)
        try:
            refuse_redirect(response)
            response.raise_for_status()
            events = _Events()
            async for part in response.aiter_bytes():
                for message, event_id in events.messages(part):
                    is_answer = bool(message) and any("method" not in one for one in _parts(message))
                    if message:
                        await give(dumps({**cast("dict[str, Any]", loads(message)), "id": number}) if is_answer else message)
                    if event_id and told is not None:
                        await told(event_id)
                    if is_answer:
                        return
        finally:
            await response.aclose()

    async def _again(self, client: httpx.AsyncClient, last: str | None) -> httpx.Response:
        headers = self.headers()
        if last is not None:
            headers["last-event-id"] = last
        accepted = {**headers, "accept": "text/event-stream"}
        return await send_within_origin(client, "GET", self.url, accepted, None)

    async def listen(self, client: httpx.AsyncClient, give: Give) -> None:
        """Pass on the messages that the server sends on its own, for as long as it offers a
        stream.
        """
        events, failed = _Events(), 0
        while failed < MAX_ATTEMPTS:
            try:
                response = await self._again(client, events.last)
                try:
                    if not response.is_success:
                        return
                    failed = 0
                    events.begin()
                    async for part in response.aiter_bytes():
                        for message, _ in events.messages(part):
                            if message:
                                await give(message)
                finally:
                    await response.aclose()
            except Exception as error:
                logger.debug("GET stream error: %s", error)
                failed += 1
            await sleep(events.delay)

    async def end(self, client: httpx.AsyncClient) -> None:
        """Tell the server that the session is over."""
        if not self.session_id:
            return
        try:
            response = await send_within_origin(client, "DELETE", self.url, self.headers(), None)
            await response.aclose()
            if response.status_code not in (200, 202, 204, 405):
                logger.warning("Session termination failed: %s", response.status_code)
        except Exception as error:
            logger.warning("Session termination failed: %s", error)


def is_modern(root: Any) -> bool:
    """Whether a message names its revision itself, as those of the modern era do."""
    params: dict[str, Any] = getattr(root, "params", None) or {}
    return _REVISION in (params.get("_meta") or {})


def refusal(number: Any, code: int, words: str) -> str:
    """Make an error response that the server did not send."""
    error = {"code": code, "message": words}
    return dumps({"jsonrpc": "2.0", "id": number, "error": error})


def _answers(text: str, number: Any) -> bool:
    return any("method" not in part and part.get("id") == number for part in _parts(text))


def _parts(text: str) -> list[dict[str, Any]]:
    """The messages of a text: one, or all of a batch; empty if the text is not JSON-RPC."""
    from .._mcpbolt import EngineError, loads

    try:
        message = loads(text)
    except (EngineError, ValueError):
        return []
    every: list[Any] = message if isinstance(message, list) else [message]  # pyright: ignore
    return [cast("dict[str, Any]", part) for part in every if isinstance(part, dict)]
