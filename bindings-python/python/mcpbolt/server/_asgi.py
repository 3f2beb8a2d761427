"""One ASGI request on the engine: head and body in, head and chunks out.

Owns: the exchange between an ASGI server and a mount. Must not know: which server is behind
the mount.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from .._engine import face
from .._engine.driver import MAX_BYTES, MAX_ITEMS, Driver
from .._engine.items import Item
from .._engine.json import dumps
from ._requests import carried_request, grant_of

if TYPE_CHECKING:
    from .._mcpbolt import Mount

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http_manager")

# The largest request body that is accepted, in bytes, where nothing else is said.
DEFAULT_MAX_REQUEST_BODY_SIZE = 4 * 1024 * 1024

# After how many seconds without an answer a task watches whether the client disconnects. Most
# requests are answered before that, and the task would double their cost.
_WATCH_AFTER = 0.02

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
_BODILESS = (204, 304)
Headers = list[tuple[bytes, bytes]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


async def read_body(receive: Receive, most: int) -> bytes | None:
    """Read the body of a request; `None` if it is larger than `most` or the client disconnected."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            return None
        parts.append(part)
        if not message.get("more_body", False):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def is_too_large(scope: Scope, most: int) -> bool:
    """Whether the headers of a request say that its body is larger than `most`."""
    for name, value in scope["headers"]:
        if name == b"content-length":
            return value.isdigit() and int(value) > most
    return False


async def bounded_body(scope: Scope, receive: Receive, send: Send, most: int) -> bytes | None:
    """Read the body of a request; `None` if it is larger than `most`, and the request is
    answered.
    """
    body = None if is_too_large(scope, most) else await read_body(receive, most)
    if body is None:
        await plain(send, 413, "Request body too large")
    return body


class Exchange:
    """One request on its way through a mount."""

    def __init__(self, driver: Driver, scope: Scope, receive: Receive, send: Send) -> None:
        self._driver = driver
        self._scope = scope
        self._receive = receive
        self._send = send
        self._items: deque[Item] = deque()
        self._waiter: asyncio.Future[None] | None = None
        self._left = False
        # Whether the answer has a head, and whether the engine has nothing more to say.
        self._begun = False
        self._ended = False
        self._watcher: asyncio.Task[None] | None = None
        self._on_head: Callable[[Headers], Headers] | None = None

    async def carry(
        self,
        mount: Mount,
        target: str,
        body: bytes,
        headers: Headers | None = None,
        on_head: Callable[[Headers], Headers] | None = None,
    ) -> None:
        """Run the exchange until the last chunk is sent or the client disconnects.

        Args:
            mount: Answers the request.
            target: The path that the mount answers at.
            body: The whole body.
            headers: The request's headers, if they differ from those of the scope.
            on_head: Changes the headers of the answer.
        """
        driver, scope = self._driver, self._scope
        self._on_head = on_head
        context = contextvars.copy_context()
        context.run(carried_request.set, (scope, self._receive, body))
        cause = driver.new_cause(context)
        query: bytes = scope.get("query_string", b"")
        whole = f"{target}?{query.decode('latin-1')}" if query else target
        # A pair may be any iterable of two; one that is a tuple is not copied.
        sent: Any = list(map(tuple, headers or scope["headers"]))
        peer, principal = _peer(scope), principal_of(scope)
        grant = grant_of(scope) if mount.has_scopes() else None
        begun = mount.request(scope["method"], whole, sent, peer, body, cause, MAX_ITEMS, MAX_BYTES, principal, grant)
        number, items, others = begun
        driver.exchanges[number] = self._push
        self._items.extend(items)
        timer: asyncio.TimerHandle | None = None
        over = False
        try:
            driver.take_in(others)
            while not (over := await self._send_all(number)):
                if self._ended:
                    await self._send_end()
                    return
                if timer is None:
                    timer = driver.loop.call_later(_WATCH_AFTER, self._begin_watching)
                # It may have left while the last part was sent.
                if not self._left:
                    self._waiter = driver.loop.create_future()
                    await self._waiter
                if self._left:
                    return
        finally:
            del driver.exchanges[number]
            if not over:
                driver.inbox.http_disconnect(number)
            if timer is not None:
                timer.cancel()
            if self._watcher is not None:
                self._watcher.cancel()

    def end(self) -> None:
        """End the exchange: the server is closed, and the engine says nothing more."""
        self._ended = True
        self._wake()

    async def _send_end(self) -> None:
        if self._begun:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
        else:
            await plain(self._send, 503, "the server has ended")

    def _push(self, item: Item) -> None:
        self._items.append(item)
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _begin_watching(self) -> None:
        self._watcher = self._driver.spawn(self._watch(), contextvars.copy_context())

    async def _watch(self) -> None:
        try:
            while (await self._receive())["type"] != "http.disconnect":
                from anyio.lowlevel import checkpoint

                # Lets other tasks run in case `receive` returns messages without ever waiting.
                await checkpoint()
        except Exception as error:
            logger.debug("nobody can tell whether the client leaves: %s", error)
            return
        self._left = True
        self._wake()

    async def _send_all(self, number: int) -> bool:
        """Send the chunks that are ready; returns whether the last one was among them."""
        items = self._items
        while items and not self._left:
            kind, _, *members = items.popleft()
            if kind == "http_head":
                status, headers, part, end = members
                if end and status >= 400:
                    status, headers, part = face.current.refused(status, headers, part)
                pairs = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
                if end and status not in _BODILESS and not any(name == b"content-length" for name, _ in pairs):
                    pairs.append((b"content-length", str(len(part)).encode()))
                if self._on_head is not None:
                    pairs = self._on_head(pairs)
                self._begun = True
                await self._send({"type": "http.response.start", "status": status, "headers": pairs})
                if end or part:
                    await self._send({"type": "http.response.body", "body": part, "more_body": not end})
            else:
                part, end = members
                await self._send({"type": "http.response.body", "body": part, "more_body": not end})
                if not end:
                    items.extend(self._driver.inbox.http_sent(number))
            if end:
                return True
        return False


def principal_of(scope: Scope) -> str | None:
    """The user or client that the token of a request belongs to, as text; `None` without a
    token.
    """
    if getattr(scope.get("user"), "access_token", None) is None:
        return None
    from .auth.middleware.bearer_auth import AuthenticatedUser, authorization_context

    user = scope["user"]
    return dumps(authorization_context(user)) if isinstance(user, AuthenticatedUser) else None


def _peer(scope: Scope) -> str | None:
    client = scope.get("client")
    if not client:
        return None
    host, port = client
    # Servers that learn it from elsewhere, such as those in front of functions, may not know it.
    if host is None:
        return None
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def plain(send: Send, status: int, text: str) -> None:
    """Send an answer of one line of text."""
    headers = [(b"content-length", str(len(text)).encode())]
    if face.current.own_words:
        headers.insert(0, (b"content-type", b"text/plain; charset=utf-8"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
