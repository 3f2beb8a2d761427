"""HTTP served by the engine itself.

Owns: the listener, from binding to draining, and the routes beside the endpoint, which a
Starlette application answers.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._engine import face
from .._engine.driver import Driver
from .._engine.host import ServerHost
from .._engine.items import Item
from .._engine.runner import was_signalled
from ..shared.exceptions import ConnectError, UsageError
from ._about import about_of
from ._events import Events
from ._face import host_of
from ._pages import delay_of, pages_of
from ._works import works_of

if TYPE_CHECKING:
    from ._apps import Served

logger: logging.Logger = logging.getLogger("mcp.server.fastmcp.server")

# Where the engine serves the page of a server.
DOCS_PATH = "/docs"
# How many kinds of running calls are named while the shutdown waits for them.
MOST_SHOWN = 5
# How many seconds running calls may go on after a shutdown was requested.
DRAIN_SECONDS = 10.0


async def serve_http(mcp: Served, introduction: Callable[[Any], dict[str, Any] | None]) -> None:
    """Serve a high-level server over HTTP until cancelled. `introduction` returns what the
    server says of itself, or `None` if it has to be asked.
    """
    from ._apps import custom_routes, manager_of

    server = mcp._mcp_server  # pyright: ignore[reportPrivateUsage]
    manager = manager_of(mcp)
    routes = custom_routes(mcp)
    address, delay = _address(mcp), delay_of(mcp.settings)
    if mcp.settings.docs:
        _leave_docs_free(routes)
    async with server.lifespan(server) as lifespan_context, works_of(server, ends=True):
        # An inbox of its own, because the engine itself opens and numbers these connections.
        driver = Driver(asyncio.get_running_loop())
        about = introduction(server) or about_of(server.create_initialization_options())
        host = host_of(server, driver, about, lifespan_context, options=manager.engine_options())
        host.stateless = manager.stateless
        driver.default = host
        driver.services.update(face.current.services())
        if manager.event_store is not None:
            Events(manager.event_store).serve(driver)
        if routes:
            driver.pages = _Pages(driver, routes).serve
        try:
            ends = {"drain": DRAIN_SECONDS, "shutdown_delay": delay}
            options = {**address, **manager.http_options(), "fallback": bool(routes), **ends}
            listener, bound, docs = _listen(host, options)
            logger.info("Serving HTTP on http://%s:%s%s", *bound, mcp.settings.streamable_http_path)
            if docs is not None:
                # Not to the log, which is kept: the URL holds the key.
                words = "A page to try this server, for those who have its whole URL:"
                print(words, docs, file=sys.stderr, flush=True)
            await _until_stopped(host, listener, delay)
        finally:
            await host.close()
            driver.close()


def _listen(host: ServerHost, options: dict[str, Any]) -> tuple[int, Any, str | None]:
    try:
        return host.listen_http(options)
    except ConnectError as error:
        if not face.current.own_words:
            raise
        # The engine's remedy is for all languages; here it names the settings of Python.
        what, _, _ = error.message.partition(";")
        remedy = "say another address (host= and port= of run(), --host and --port of the command)"
        if "in use" in what or "10048" in what:
            remedy = f"another program has port {options['port']}: end it, or {remedy}"
        raise ConnectError(f"{what}: {remedy}") from None


def _address(mcp: Served) -> dict[str, Any]:
    settings = mcp.settings
    found: dict[str, Any] = {
        "host": settings.host,
        "port": _number(settings.port),
        "path": settings.streamable_http_path,
        **pages_of(settings),
    }
    if settings.legacy_sse:
        found |= {"sse": True, "sse_path": settings.sse_path, "message_path": settings.message_path}
    if settings.docs:
        found["docs"] = True
    guard = settings.guard()
    if guard is None:
        found["guard"] = False
    else:
        found["allowed_hosts"], found["allowed_origins"] = guard
    return found


def _number(port: Any) -> Any:
    """A port that a program set as text, which sockets of Python take too, as a number."""
    return int(port) if isinstance(port, str) and port.isdecimal() else port


def _leave_docs_free(routes: list[Any]) -> None:
    """Refuse routes that the page would hide.

    Raises:
        UsageError: A custom route is where the page is.
    """
    for path in (route.path for route in routes):
        if path == DOCS_PATH or path.startswith(f"{DOCS_PATH}/"):
            raise UsageError(
                f"docs: {DOCS_PATH} and what is below it is the page's, and a custom route is at {path}: give the "
                "route another path, or leave docs out"
            )


async def _until_stopped(host: ServerHost, listener: int, delay: float) -> None:
    try:
        await host.over.wait()
    except asyncio.CancelledError:
        host.engine.stop_http(listener)
        _tell_of_delay(delay)
        _tell_what_runs(host)
        try:
            await asyncio.wait_for(host.over.wait(), delay + DRAIN_SECONDS + 1)
        except asyncio.TimeoutError:
            logger.warning("calls that did not end in time are cancelled")
        raise


def _tell_of_delay(delay: float) -> None:
    """Print that the server serves on, and how to end it now."""
    if delay:
        _tell(f"Stopping: serving on for {delay:g} s, until balancers notice.")


def _tell(words: str) -> None:
    if was_signalled():
        print(f"{words} Ctrl-C again ends at once.", file=sys.stderr, flush=True)
    else:
        logger.warning("%s Ctrl-C again, or cancelling again, ends at once.", words)


def _tell_what_runs(host: ServerHost) -> None:
    """Print which calls the shutdown waits for, and how to skip them."""
    calls = sorted({" ".join(filter(None, (live.item.method, live.item.name))) for live in list(host.live.values())})
    if not calls:
        return
    count, shown = len(host.live), ", ".join(calls[:MOST_SHOWN]) + (", ..." if len(calls) > MOST_SHOWN else "")
    _tell(f"Stopping: up to {DRAIN_SECONDS:g} s for {count} call{'s' * (count != 1)} to end ({shown}).")


class _Pages:
    """Answers requests beside the endpoint with the program's routes."""

    def __init__(self, driver: Driver, routes: list[Any]) -> None:
        from starlette.applications import Starlette

        self._driver = driver
        self._app = Starlette(routes=routes)

    def serve(self, item: Item) -> None:
        """Start a task that answers an `http_request` item."""
        self._driver.background(self._answer(item), contextvars.Context())

    async def _answer(self, item: Item) -> None:
        _, number, head, body = item
        left = asyncio.Event()
        self._driver.exchanges[number] = lambda _: left.set()
        parts = [body]

        async def receive() -> dict[str, Any]:
            if parts:
                return {"type": "http.request", "body": parts.pop(), "more_body": False}
            await left.wait()
            return {"type": "http.disconnect"}

        sender = _Sender(self._driver, number)
        try:
            try:
                await self._app(_scope(head), receive, sender)
            except Exception:
                logger.exception("a custom route failed")
            await sender.finish()
        finally:
            self._driver.exchanges.pop(number, None)


class _Sender:
    """Sends the response of an ASGI application through the engine."""

    def __init__(self, driver: Driver, number: int) -> None:
        self._driver = driver
        self._number = number
        self._head: tuple[int, list[tuple[bytes, bytes]]] | None = None
        self._has_begun = self._has_ended = False

    async def __call__(self, message: Any) -> None:
        inbox, number = self._driver.inbox, self._number
        if message["type"] == "http.response.start":
            self._head = message["status"], list(message["headers"])
            return
        part, end = message.get("body", b""), not message.get("more_body", False)
        self._has_ended = end
        if self._head is not None:
            head, self._head = self._head, None
            self._has_begun = True
            inbox.http_respond(number, *head, part, end)
            return
        while inbox.http_write(number, part, end) == "full":
            await self._driver.writable(number)

    async def finish(self) -> None:
        """Answer with an error if the application has not answered, and end what it left open: the
        client would wait for the rest.
        """
        if not self._has_begun:
            self._head = 500, [(b"content-type", b"text/plain; charset=utf-8")]
            await self({"type": "http.response.body", "body": b"Internal Server Error"})
        elif not self._has_ended:
            await self({"type": "http.response.body"})


def _scope(head: dict[str, Any]) -> dict[str, Any]:
    from urllib.parse import unquote

    path, _, query = head["target"].partition("?")
    peer = head.get("peer")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": head["method"],
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in head["headers"]],
        "client": None if peer is None else tuple(peer),
        "server": None,
    }
