"""A server behind a mount, started for the loop of the first request and kept until closed.

Owns: its life. The server's lifespan and everything of the engine live in one task, so that it
does not matter which request starts it and which task closes it.
"""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._engine import face
from .._engine.json import dumps
from .._engine.life import ended, event, own_driver, start
from ._about import about_of
from ._asgi import Exchange, Headers, Receive, Scope, Send
from ._events import Events, Store
from ._face import host_of
from ._works import works_of

if TYPE_CHECKING:
    from types import TracebackType

    from .._engine.driver import Driver
    from .._engine.registry import Registry
    from .._mcpbolt import Mount
    from .models import InitializationOptions

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http_manager")

# The endpoint's path as the engine sees it; clients may use any other.
PATH = "/mcp"
# Its pages, likewise: without a route nobody gets there.
_PAGES = {"health": "/health", "ready": "/ready", "metrics": "/metrics"}


class Endpoint:
    """One server on one loop."""

    def __init__(
        self,
        server: Registry,
        http: dict[str, Any],
        engine: dict[str, Any],
        about: InitializationOptions | None = None,
        event_store: Store | None = None,
    ) -> None:
        self._about = about
        self._event_store = event_store
        self._server = server
        self._http = {"path": PATH, "guard": False, **_PAGES, **http}
        self._engine = engine
        self._stop = event()
        self._settled = event()
        self._found: tuple[Driver, Mount] | None = None
        self._error: Exception | None = None
        self._traceback: TracebackType | None = None
        # Exchanges under way, among them streams that stay open.
        self._open: set[Exchange] = set()
        # Whether it has ended, possibly because its loop ended.
        self.over = False
        # Runs in an empty context, not in that of the first request.
        self._task = start(self._live(), contextvars.Context())

    async def _live(self) -> None:
        try:
            server = self._server
            async with (
                server.lifespan(server) as lifespan_context,
                own_driver() as driver,
                works_of(server, ends=True),
            ):
                options = self._about or self._server.create_initialization_options()
                host = host_of(self._server, driver, about_of(options), lifespan_context, options=self._engine)
                host.stateless = self._http.get("sessions") == "none"
                driver.default = host
                driver.services.update(face.current.services())
                if self._event_store is not None:
                    Events(self._event_store).serve(driver)
                mount = host.engine.mount(dumps(self._http), driver.inbox)
                self._found = driver, mount
                self._settled.set()
                try:
                    await self._stop.wait()
                finally:
                    mount.close()
                    # What ends with it is told now: the inbox may be closed before the loop runs again.
                    driver.catch_up()
                    try:
                        await host.close()
                    finally:
                        for exchange in list(self._open):
                            exchange.end()
        except Exception as error:
            if self._found is not None:
                raise
            self._error, self._traceback = error, error.__traceback__
        finally:
            self.over = True
            self._settled.set()

    async def started(self) -> tuple[Driver, Mount]:
        """Wait until it serves.

        Raises:
            Exception: What its lifespan raised.
        """
        if self._found is None:
            await self._settled.wait()
        if self._found is not None:
            return self._found
        if self._error is None:
            raise RuntimeError("the server did not start")
        # Each request that waited raises it, and adds to no other's traceback.
        raise self._error.with_traceback(self._traceback)

    async def handle(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        body: bytes,
        headers: Headers | None = None,
        on_head: Callable[[Headers], Headers] | None = None,
        page: str | None = None,
    ) -> None:
        """Answer one request, for the endpoint or a page of this name; see `Exchange.carry`."""
        driver, mount = await self.started()
        exchange = Exchange(driver, scope, receive, send)
        self._open.add(exchange)
        try:
            await exchange.carry(mount, PATH if page is None else _PAGES[page], body, headers, on_head)
        finally:
            self._open.discard(exchange)

    def sessions(self) -> int:
        """How many sessions are open."""
        return 0 if self._found is None or self.over else self._found[1].sessions()

    def has_session(self, session_id: str) -> bool:
        """Whether the session with this id is open."""
        return self._found is not None and not self.over and self._found[1].has_session(session_id)

    async def end_session(self, session_id: str, user: Any) -> None:
        """End a session as the user that opened it."""
        scope: Scope = {
            "type": "http",
            "method": "DELETE",
            "path": PATH,
            "query_string": b"",
            "headers": [(b"mcp-session-id", session_id.encode("latin-1"))],
            "user": user,
        }

        async def receive() -> Scope:
            await event().wait()
            return {"type": "http.disconnect"}

        async def send(_: Scope) -> None:
            """Nobody reads the answer."""

        await self.handle(scope, receive, send, b"")

    async def close(self) -> None:
        """End all sessions and the lifespan."""
        self._stop.set()
        await ended(self._task)
