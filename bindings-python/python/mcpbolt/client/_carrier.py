"""Requests of the engine that the program's own HTTP client sends, so that its proxies,
certificates, credentials, mocks and instrumentation keep working.

Owns: passing requests, answers and exceptions; redirects within an origin. Must not know:
sessions, which requests are made and when, what is in a message beyond its id.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from anyio import Lock
from anyio.lowlevel import checkpoint

from .._engine import face
from .._engine.json import dumps
from .._mcpbolt import loads
from ..shared._httpx_utils import next_request_within_origin, redirect_location, refuse_redirect
from ._event_bound import EventBound, EventTooLong
from ._faults import words_of
from ._resumable import Resumable
from ._statuses import error_for

if TYPE_CHECKING:
    import httpx

    from .._engine.driver import Driver
    from .._engine.items import Item

logger: logging.Logger = logging.getLogger("mcp.client.streamable_http")

# How many redirects within its origin one request may follow.
MAX_REDIRECTS = 5
# The client decodes bodies, and asks for the codings that it knows.
_CODING = frozenset({"accept-encoding", "content-encoding", "content-length", "transfer-encoding"})
# Bodies up to this size, in bytes, are passed in one piece.
_SMALL = 1 << 20
# So many requests with ids of events are remembered.
_REMEMBERED = 100
# If more requests than this are under way, one begins per turn of the loop: for each that it
# begins, `httpx` looks at all that wait for a connection.
_MANY = 20


class Carrier:
    """The program's HTTP client, in the place of the engine's own for one transport.

    Args:
        client: The HTTP client. The caller closes it.
        gone: The code of the error that answers a request whose session is gone; `None` leaves
            a 404 to the engine.
        raises: Whether any other status that refuses a message is an exception of the client.
        most: The longest event of a stream, in bytes; `None` for what the engine takes.
    """

    def __init__(
        self, client: httpx.AsyncClient, gone: int | None = None, raises: bool = False, most: int | None = None
    ) -> None:
        self.client = client
        self._bound = None if most is None else EventBound(most)
        # The exception that a message could not be sent for.
        self.fault: Exception | None = None
        # Whether the server has accepted any message.
        self.accepted = False
        self._gone = gone
        self._raises = raises
        self._context = copy_context()
        # By JSON-RPC id what the program said about requests that are still to be sent.
        self._metadata: dict[Any, Any] = {}
        # The latest, whose streams may be opened again.
        self._resumable: deque[Resumable] = deque(maxlen=_REMEMBERED)
        self._tasks: dict[int, Any] = {}
        self._turn = Lock()

    def serve(self, driver: Driver, connection: int) -> Callable[[], Coroutine[Any, Any, None]]:
        """Send the requests of a connection until the function is called that this returns."""

        def begin(item: Item) -> None:
            _, number, _, asked = item
            task: Any = driver.spawn(self._carry(driver, number, asked), self._context.copy())
            if task.done():
                return
            self._tasks[number] = task

            def stop(_: Item) -> None:
                """The engine does not want the rest."""
                task.cancel()

            def over(_: Any) -> None:
                self._tasks.pop(number, None)
                driver.exchanges.pop(number, None)

            driver.exchanges[number] = stop
            task.add_done_callback(over)

        async def leave() -> None:
            driver.exchanges.pop(connection, None)
            for task in list(self._tasks.values()):
                task.cancel()

        driver.exchanges[connection] = begin
        return leave

    def sends(self, number: Any, metadata: Any) -> None:
        """Note what the program said about the request with this JSON-RPC id."""
        said = ("resumption_token", "on_resumption_token_update", "headers")
        if any(getattr(metadata, name, None) for name in said):
            self._metadata[number] = metadata

    async def _carry(self, driver: Driver, number: int, asked: dict[str, Any]) -> None:
        try:
            resumable, headers = self._said_of(asked)
            if len(self._tasks) > _MANY:
                async with self._turn:
                    await checkpoint()
            response = await self._send(asked, resumable, headers)
        except Exception as error:
            answer = self._redirected(asked, error)
            if answer is not None:
                driver.finish((number, answer))
                return
            self.failed(asked["method"], error)
            kind = "peer" if face.current.hides_connections else "transport"
            driver.finish((number, None, kind, -32000, words_of(error, asked["url"]), None))
            return
        try:
            await self._answer(driver, number, asked, response, resumable)
        except Exception as error:
            logger.debug("an answer broke off: %s", error)
            driver.inbox.http_disconnect(number)
        finally:
            await response.aclose()

    async def _send(
        self, asked: dict[str, Any], resumable: Resumable | None, more: dict[str, str]
    ) -> httpx.Response:
        method, content = asked["method"], asked["body"]
        headers = {**more, **{name: value for name, value in asked["headers"] if name not in _CODING}}
        if resumable is not None and method == "POST" and resumable.token is not None:
            method, content = "GET", None
            headers = {**headers, "accept": "text/event-stream", "last-event-id": resumable.token}
            del headers["content-type"]
        response = await send_within_origin(self.client, method, asked["url"], headers, content)
        try:
            self.judge(asked["method"], response)
            if _is_small(response):
                await response.aread()
        except BaseException:
            await response.aclose()
            raise
        return response

    async def _answer(
        self, driver: Driver, number: int, asked: dict[str, Any], response: httpx.Response, resumable: Resumable | None
    ) -> None:
        """Hand the head of an answer to the engine, and its body as it comes."""
        if asked["method"] == "POST":
            self.accepted |= response.is_success
            instead = await self._instead(asked, response)
            if instead is not None:
                driver.finish((number, instead))
                return
        headers = [[name, value] for name, value in response.headers.multi_items() if name not in _CODING]
        head: dict[str, Any] = {"status": response.status_code, "headers": headers}
        if _is_small(response):
            driver.finish((number, dumps({**head, "body": response.content.decode(errors="replace")})))
            return
        driver.finish((number, dumps({**head, "more": True})))
        # The head has to arrive before parts of the body.
        driver.flush()

        def give(part: bytes, end: bool = False) -> None:
            driver.take_in(driver.inbox.http_body(number, part, end))

        async for part in self._parts(asked, response):
            await self.pass_on(part, give) if resumable is None else await resumable.read(part, give)
        self.ended()
        give(b"", end=True)

    async def _parts(self, asked: dict[str, Any], response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """The parts of a body; of a stream in whole events, where these have a limit."""
        bound = self._bound if _is_stream(response) else None
        if bound is None:
            async for part in response.aiter_bytes():
                yield part
            return
        events = bound.stream()
        try:
            async for part in response.aiter_bytes():
                yield events.take(part)
                bound.saw(asked, events.last_id)
        except EventTooLong as error:
            yield bound.refusal(asked, error)
            return
        yield events.rest()

    async def _instead(self, asked: dict[str, Any], response: httpx.Response) -> str | None:
        """The answer in place of a response that the engine is not to see."""
        if response.status_code == 200 and not face.current.answers_statuses:
            return None
        message: Any = loads(asked["body"])
        is_request = "id" in message and "method" in message
        in_session = "mcp-session-id" in dict(asked["headers"])
        error: dict[str, Any] | None = None
        if response.status_code == 404 and self._gone is not None and (in_session or face.current.gone_is_answer):
            if not is_request:
                # The next request says so.
                return dumps({"status": 202})
            error = {"code": self._gone, "message": "Session terminated"}
        elif is_request and face.current.answers_statuses:
            error = await error_for(response, in_session)
        if error is None:
            return None
        return _answered(message["id"], error)

    def _redirected(self, asked: dict[str, Any], error: Exception) -> str | None:
        """The answer in place of a redirect that was not followed, where it ends one request only."""
        response = getattr(error, "response", None)
        if response is None or not face.current.answers_statuses or asked["method"] != "POST":
            return None
        if redirect_location(response) is None:
            return None
        logger.warning(str(error))
        message: Any = loads(asked["body"])
        if "id" not in message or "method" not in message:
            return dumps({"status": 202})
        return _answered(message["id"], {"code": -32600, "message": str(error)})

    def _said_of(self, asked: dict[str, Any]) -> tuple[Resumable | None, dict[str, str]]:
        """What the program said about a request: its stream, if it wants to know its events, and
        headers.
        """
        if self._resumable and asked["method"] == "GET":
            last = dict(asked["headers"]).get("last-event-id")
            found = next((one for one in self._resumable if last is not None and one.last == last), None)
            if found is not None:
                found.begin()
            return found, {}
        if not self._metadata or not asked["body"]:
            return None, {}
        message: Any = loads(asked["body"])
        metadata = self._metadata.pop(message["id"], None) if "method" in message and "id" in message else None
        if metadata is None:
            return None, {}
        headers: dict[str, str] = metadata.headers or {}
        if not metadata.resumption_token and not metadata.on_resumption_token_update:
            return None, headers
        found = Resumable(message["id"], metadata.resumption_token, metadata.on_resumption_token_update)
        self._resumable.append(found)
        return found, headers

    # What differs for HTTP+SSE

    def failed(self, method: str, error: Exception) -> None:
        """Keep the exception of a request that was not sent, or was refused here."""
        logger.debug("%s failed: %s", method, error)
        if method == "POST":
            self.fault = error

    def judge(self, method: str, response: httpx.Response) -> None:
        """Raise an exception for an answer that the engine is not to see.

        Raises:
            httpx.HTTPStatusError: The answer is a redirect, or its status is to be raised.
        """
        refuse_redirect(response)
        if self._raises and method == "POST" and not response.is_success and response.status_code != 404:
            response.raise_for_status()

    async def pass_on(self, part: bytes, give: Callable[[bytes], None]) -> None:
        """Pass on a part of a stream."""
        give(part)

    def ended(self) -> None:
        """Called at the end of each stream."""


def _answered(number: Any, error: dict[str, Any]) -> str:
    """The response of a server that answers a request with an error."""
    text = dumps({"jsonrpc": "2.0", "id": number, "error": error})
    return dumps({"status": 200, "headers": [["content-type", "application/json"]], "body": text})


def _is_small(response: httpx.Response) -> bool:
    """Whether a body is passed in one piece: a short one, and not a stream. Short ones may become
    long where they are decoded.
    """
    size = response.headers.get("content-length", "")
    is_plain = "content-encoding" not in response.headers and not _is_stream(response)
    return is_plain and size.isdigit() and int(size) <= _SMALL


def _is_stream(response: httpx.Response) -> bool:
    kind: str = response.headers.get("content-type", "")
    return kind.lower().startswith("text/event-stream")


async def send_within_origin(
    client: httpx.AsyncClient, method: str, url: str, headers: dict[str, str], content: str | None
) -> httpx.Response:
    """Send a request, and follow redirects that stay within its origin and keep its method."""
    request = client.build_request(method, url, headers=headers, content=content)
    followed = 0
    while True:
        response = await client.send(request, stream=True, follow_redirects=False)
        following = next_request_within_origin(response)
        if following is None or followed == MAX_REDIRECTS:
            return response
        await response.aread()
        await response.aclose()
        request = following
        followed += 1
