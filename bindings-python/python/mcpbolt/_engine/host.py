"""The Python side of one engine server.

Owns: its slots and snapshots, its connections, and the way from an item to the face of the
server and back. Must not know: which transport an item came from, what a handler is given, or
what an error is called; its `ServerFace` does.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any

from .. import _mcpbolt
from . import face, otel
from .context import request_ctx
from .driver import Driver
from .hooks import run_hooks
from .items import Item, NotificationItem, RequestItem, Row
from .json import dumps
from .lasting import Lasting
from .methods import DECLARING, ENGINES, INITIALIZED, LIST_OF, LISTEN, LISTS, OWNERS, REQUESTS
from .protocol import LATEST_LEGACY
from .questions import is_question

if TYPE_CHECKING:
    from .registry import Live, Registry, ServerFace, Table

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")


class ServerHost:
    """The Python side of one engine server."""

    def __init__(
        self,
        server: Registry,
        server_face: ServerFace,
        driver: Driver,
        about: dict[str, Any],
        lifespan_context: Any = None,
        raise_exceptions: bool = False,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.server = server
        self.face = server_face
        self.table: Table = server.request_handlers
        self.driver = driver
        self._said = about
        self.about: dict[str, Any] = self._introduction()
        self.lifespan_context = lifespan_context
        self.context: contextvars.Context = contextvars.copy_context()
        self.live: dict[int, Live] = {}
        self.outgoing: dict[int, Callable[[], None]] = {}
        self.error: BaseException | None = None
        self.over: asyncio.Event = driver.event()
        # The connections and listeners whose end ends the host.
        self.essential: set[int] = set()
        self._raise = raise_exceptions
        self.stateless = False  # Whether each request of a client has a session of its own.
        self._sessions: dict[int, Any] = {}
        self.lasting: Lasting = Lasting("server")
        own = {"unknown_tool": server.unknown_tool, "fast_path": self._is_fast(), **face.current.server_norm()}
        every = {**own, **face.current.server_options(self.table.has), **(options or {}), **server.options}
        self._services: list[str] = []
        if server.guarding is not None:
            every, self._services = server.guarding.serve(driver, every)
        try:
            self.engine: _mcpbolt.Server = self._check(_mcpbolt.Server, dumps(every), [driver.inbox])
        except BaseException:
            driver.forget(self._services)
            raise
        self.engine.set_snapshot("server", 0, dumps(self.about))
        self._scopes: dict[str, Any] = {}
        self._show_scopes()
        server.hosts.append(self)
        beside = (LISTEN, INITIALIZED) if server.awaits_initialized else (LISTEN,)
        for method in {*self.table.methods(), *self._unhandled(), *server.hooks, *beside}:
            self._set_slot(method)
        self.engine.set_slot("*", bool(server.middleware))  # It may answer what nobody handles.
        # Deferred: starting a thread takes longer than all of this, and no client is there yet.
        if self._show_lists():
            driver.loop.call_soon(self._start_workers)
        # Pass on changes that the program publishes to clients.
        self._unsubscribe = server.bus.subscribe(self.published) if server.bus is not None else None

    def _is_fast(self) -> bool:
        """Whether the engine may answer by itself, because nothing has to see every message."""
        return self.server.fast_path and not self.server.middleware and not otel.is_on()

    def middleware_changed(self) -> None:
        """Called when the first middleware was added or the last one removed."""
        self.engine.set_fast_path(self._is_fast())
        self._set_slot(LISTEN)
        self.engine.set_slot("*", bool(self.server.middleware))
        self.registry_changed("tools", told=False)

    def published(self, event: Any) -> None:
        """Notify clients of a published change."""
        self.announce(*self.face.announcement(event))

    def announce(self, change: str, uri: str | None = None) -> None:
        """Notify all clients that want to know of a change. May be called on any thread."""
        if not self.over.is_set():
            self.engine.announce(change, uri)

    def stream_failed(self, error: Exception) -> None:
        """Handle something from a transport that is not a message."""
        logger.error("Received exception from stream: %s", error)
        if self._raise:
            self._fail(error)

    def _check(self, call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except _mcpbolt.EngineError as error:
            raise self.face.error(error) from None

    # Slots and snapshots

    def handlers_changed(self, method: str) -> None:
        """Called when a handler was set or removed."""
        self._set_slot(method)
        about = self._introduction()
        if about != self.about:
            self.about = about
            self.engine.set_snapshot("server", 0, dumps(about))
        kind = LISTS.get(method)
        if kind:
            self.registry_changed(kind)

    def _introduction(self) -> dict[str, Any]:
        capabilities: dict[str, Any] = self._said["capabilities"]
        uses: list[str] = []
        if face.current.declares_logging:
            capabilities = {"logging": {}, **capabilities}
        if face.current.declares_uses:
            uses = [method for method in self.table.methods() if method not in DECLARING]
        hints = self.face.hints(self.server) if self.server.cache_hints else {}
        legacy = self.server.legacy_capabilities(capabilities)
        told: dict[str, Any] = {} if legacy is None else {"legacyCapabilities": legacy}
        if self.server.extension_methods:
            told["extensionMethods"] = self.server.extension_methods
        return {**self._said, "capabilities": capabilities, **told, "uses": uses, **hints}

    def introduction(self) -> dict[str, Any]:
        """What clients are told of the server."""
        return {**self.about, "capabilities": self.engine.capabilities()}

    @staticmethod
    def _unhandled() -> Iterable[str]:
        """The methods that the engine must not answer if they have no handler."""
        return [method for method in REQUESTS if method not in ENGINES] if not face.current.fills_in else ()

    def _set_slot(self, method: str) -> None:
        if method == INITIALIZED:
            # Clients of the modern era never send it; the engine reports it in their place.
            self.engine.set_slot(method, self.server.awaits_initialized)
        else:
            self.engine.set_slot(method, not self._is_ours(method))

    def _is_ours(self, method: str) -> bool:
        """Whether the engine may answer in place of the registered handler."""
        decided = self.face.engine_may_answer(self.server, method)
        if method in self.server.hooks:
            return False
        if decided is not None:
            return decided
        if not self.table.has(method):
            # What a registry does not have, the engine refuses by itself.
            return face.current.fills_in and (method in LISTS or method in OWNERS)
        if method in face.current.asks_programs:
            return False
        provider = self.server.provider
        return provider is not None and provider.answers(method) and self._provides(OWNERS.get(method, method))

    # Used by a face that looks at messages

    def handles(self, method: str) -> bool:
        """Whether the program has a handler for a method."""
        return self.table.has(method)

    def answers_whole(self, method: str) -> bool:
        """Whether the engine answers a list request, with the whole list in one page."""
        return method in LISTS and self._is_ours(method)

    def _provides(self, method: str) -> bool:
        return bool(self.server.provider.answers(method))

    def registry_changed(self, kind: str, told: bool = True) -> None:
        """Read a list again that has changed; until then the host answers. May be called on any thread."""
        told = told and face.current.announces_changes
        if kind == "tools":
            self._show_scopes()
        if self.engine.list_changed(kind, told) and not self.driver.loop.is_closed():
            self.driver.loop.call_soon_threadsafe(self._refresh)

    def _show_scopes(self) -> None:
        """Tell the engine which scopes tokens need: at once, whoever answers the lists."""
        scopes: dict[str, Any] = {} if self.server.provider is None else self.server.provider.scopes()
        if scopes != self._scopes:
            self.engine.set_snapshot("scopes", 0, dumps(scopes))
            self._scopes = scopes

    def _refresh(self) -> None:
        if not self.over.is_set() and self._show_lists():
            self._start_workers()

    def _show_lists(self) -> bool:
        """Give the engine the lists it asks for; returns whether an entry needs worker threads."""
        needs = [self._snapshot(kind, generation) for kind, generation in self.engine.refresh_lists()]
        return any(needs)

    def _snapshot(self, kind: str, generation: int) -> bool:
        provider = self.server.provider
        # A registry that is not loaded yet gets its snapshot after the first request.
        if provider is None or not provider.answers(LIST_OF[kind]) or not provider.is_ready(kind):
            return False
        rows, needs_workers = provider.snapshot(kind, bool(self.server.middleware or self.server.hooks))
        self.engine.set_snapshot(kind, generation, dumps(rows))
        return bool(needs_workers)

    def _start_workers(self) -> None:
        if self.over.is_set():
            return
        if self.driver.workers is None:
            from .workers import Workers

            self.driver.workers = Workers(self.driver)
        self.driver.workers.ensure()

    # Connections

    def listen_stdio(self) -> int:
        """Serve the process's standard streams."""
        connection: int = self._check(self.engine.listen_stdio)
        self._serve(connection)
        return connection

    def _serve(self, connection: int) -> None:
        self.essential.add(connection)
        self.driver.serve(connection, self)

    def listen_http(self, options: dict[str, Any]) -> tuple[int, tuple[str, int], str | None]:
        """Serve HTTP from the engine; returns the listener, its address, and its page's URL, if any."""
        listener, address, docs = self._check(self.engine.listen_http, dumps(options))
        self._serve(listener)
        return listener, address, docs

    def connect(self, outgoing: Callable[[], None]) -> int:
        """Open a connection whose messages the caller carries. `outgoing` is called if some
        wait.
        """
        return self._carry(self._check(self.engine.connect, False), outgoing)

    def connect_streams(self, outgoing: Callable[[], None], stateless: bool) -> int:
        """Open such a connection with streams that the caller numbers. Each message begins
        with its stream, a space, its kind and a space; if only a stream ends, the message is
        empty. With `stateless` no handshake is expected.
        """
        return self._carry(self._check(self.engine.connect_streams, LATEST_LEGACY if stateless else None), outgoing)

    def _carry(self, connection: int, outgoing: Callable[[], None]) -> int:
        self.outgoing[connection] = outgoing
        self._serve(connection)
        return connection

    def session(self, connection: int) -> Any:
        """The session of a connection, as the face has it."""
        # Functions on other threads ask too, while the connection ends on this one.
        session = self._sessions.get(connection)
        return session or self._sessions.setdefault(connection, self.face.session(self, connection))

    async def close(self) -> None:
        """End everything that still runs, and wait for the handlers to finish."""
        self.over.set()
        if self in self.server.hosts:
            self.server.hosts.remove(self)
        if self._unsubscribe is not None:
            self._unsubscribe()
        self.driver.flush()
        self.engine.close()
        await self.driver.stop([task for call in list(self.live) if (task := self.driver.tasks.get(call))])
        if self._services:
            # The last audit records are queued by now; async functions finish on their own.
            self.driver.forget(self._services)
            from anyio import CancelScope
            from anyio.lowlevel import checkpoint

            with CancelScope(shield=True):
                await checkpoint()
        for connection in [n for n, host in self.driver.hosts.items() if host is self]:
            self.driver.leave(connection)
        self.lasting.end_all()
        for session in [session for session in self._sessions.values() if session.keeps]:
            await session.ended()

    # Items

    async def run(self, item: RequestItem) -> None:
        """Answer a request, as a task."""
        call, driver = item.call, self.driver
        live = self.live[call] = self.face.live(self, item)
        request_ctx.set(live)
        try:
            row = self._row(live, await self.face.answer(self, live))
        except asyncio.CancelledError:
            row = (call, None, "cancelled", -32800, "the request was cancelled", None)
        except Exception as error:
            row = self.face.failure(self, live, error)
            if self._raise and not self.face.is_meant(error):
                row = self._raised(row, error)
        except BaseException as error:
            self._end(call)
            driver.finish(self.face.failure(self, live, error))
            raise
        self._end(call)
        if row is not None:
            driver.finish(row)

    def _row(self, live: Live, answer: Any) -> Row | None:
        """The row that completes a call; `None` if it goes on with the answers to questions."""
        if not is_question(answer):
            return live.call, answer
        questions, state = self.face.questions(self, live, answer)
        self.driver.inbox.ask_input(live.call, questions, state)
        return None

    def _end(self, call: int) -> None:
        self.live.pop(call, None)
        self.driver.tasks.pop(call, None)

    def _raised(self, row: Row, error: Exception) -> Row:
        """The row for an exception that the program wants to see."""
        about = self.driver.inbox.describe(row[0]) or {}
        if not face.current.chains_errors or about.get("era") != "modern":
            self._fail(error)
            return row
        from .raised import keep

        return (*row[:3], -32603, str(error), dumps(keep(error)))

    def _fail(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        self.over.set()

    def asked_for(self, method: str) -> None:
        """Called before a handler answers. If the engine does not know the list yet, a
        snapshot of it is made afterwards.
        """
        provider, kind = self.server.provider, LISTS.get(method)
        if kind and self.server.fast_path and provider is not None and not provider.is_ready(kind):
            self.driver.loop.call_soon(self._refresh_later)

    def _refresh_later(self) -> None:
        # After the handler has run, since that loads the registry.
        self.driver.loop.call_soon(self._refresh)

    def run_sync(self, item: RequestItem) -> Row:
        """Answer a tool call on a worker thread."""
        context = (self.driver.contexts.get(item.cause) or self.context).copy()
        return context.run(self._run_sync, item)

    def _run_sync(self, item: RequestItem) -> Row:
        call = item.call
        self.live[call] = live = self.face.live(self, item)
        request_ctx.set(live)
        try:
            # If the call asked questions it is over for now, and the row has no effect.
            return self._row(live, self.face.answer_sync(self, live)) or (call, "{}")
        except BaseException as error:
            return self.face.failure(self, live, error)
        finally:
            self.live.pop(call, None)

    def notified(self, item: NotificationItem) -> Coroutine[Any, Any, None] | None:
        """Handle a notification of the client."""
        return self.face.notified(self, item)

    def event(self, item: Item) -> None:
        """Handle any other item of a connection."""
        kind, connection, *members = item
        if kind == "outgoing":
            self.outgoing[connection]()
        elif kind == "log":
            logger.debug("%s: %s", *members)
        elif kind == "subscription":
            uri, active = members
            run_hooks(self.server.subscription_hooks[active], uri, self.context, self.driver)
        elif kind == "closed":
            self.lasting.end(connection)
            session = self._sessions.pop(connection, None)
            if session is not None and session.keeps:
                self.driver.background(session.ended(), self.context.copy())
            self.outgoing.pop(connection, None)
            if connection in self.essential:
                self.over.set()
