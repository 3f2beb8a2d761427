"""A low-level server on the engine: which handler answers what.

Owns: one engine server, its slots and snapshots, and the way from an item to a handler
and back. Must not know: which transport brought an item.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, cast

from .. import _mcpbolt
from .._json import dumps, model_text
from .._loop import Driver, Item, Row
from ..shared.exceptions import McpError, from_engine
from ._answers import failure_row, introduction, invalid_params, method_not_found
from ._live import LiveContext
from .lowlevel._handlers import Handler
from .lowlevel.server import request_ctx

if TYPE_CHECKING:
    from .lowlevel._table import HandlerTable
    from .lowlevel.server import Server
    from .session import ServerSession

logger: logging.Logger = logging.getLogger("mcp.server.lowlevel.server")

LISTS = {
    "tools/list": "tools",
    "prompts/list": "prompts",
    "resources/list": "resources",
    "resources/templates/list": "resourceTemplates",
}
# A registry answers for these; what it does not have, the engine refuses by itself.
_OWNERS = {"tools/call": "tools/list", "prompts/get": "prompts/list", "resources/read": "resources/list"}
_FAMILIES = {
    "tools/call": "tools",
    "prompts/get": "prompts",
    "resources/read": "resources",
    "resources/templates/list": "resources",
    "resources/subscribe": "resources",
}
_ORDER = ("tools", "prompts", "resources", "logging", "completions", "tasks", "experimental", "extensions")


class ServerHost:
    """The Python side of one engine server."""

    def __init__(
        self,
        server: Server[Any, Any],
        driver: Driver,
        about: dict[str, Any],
        lifespan_context: Any = None,
        raise_exceptions: bool = False,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.server = server
        self._table = cast("HandlerTable", server.request_handlers)
        self.driver = driver
        self._said = about
        self.about: dict[str, Any] = self._introduction()
        self.lifespan_context = lifespan_context
        self.context: contextvars.Context = contextvars.copy_context()
        self.live: dict[int, LiveContext] = {}
        self.outgoing: dict[int, Callable[[], None]] = {}
        self.error: BaseException | None = None
        self.over: asyncio.Event = driver.event()
        # Connections and listeners whose end is the end of it all.
        self.essential: set[int] = set()
        self._raise = raise_exceptions
        self._sessions: dict[int, ServerSession] = {}
        self._generations = dict.fromkeys(LISTS.values(), 0)
        self._stale: set[str] = set()
        own: dict[str, Any] = {"unknown_tool": "result", "fast_path": server.fast_path}
        every = {**own, **(options or {}), **server.options}
        self.engine: _mcpbolt.Server = self._check(_mcpbolt.Server, dumps(every), [driver.inbox])
        self.engine.set_snapshot("server", 0, dumps(self.about))
        server.hosts.append(self)
        for method in self._table.methods():
            self._set_slot(method)
        for kind in LISTS.values():
            self._snapshot(kind)

    def stream_failed(self, error: Exception) -> None:
        """A transport handed over something that is no message."""
        logger.error("Received exception from stream: %s", error)
        if self._raise:
            self._fail(error)

    @staticmethod
    def _check(call: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return call(*arguments)
        except _mcpbolt.EngineError as error:
            raise from_engine(error) from None

    # Slots and snapshots

    def handlers_changed(self, method: str) -> None:
        """A handler was set or taken away."""
        self._set_slot(method)
        about = self._introduction()
        if about != self.about:
            self.about = about
            self.engine.set_snapshot("server", 0, dumps(about))
        kind = LISTS.get(method)
        if kind:
            self.registry_changed(kind)

    def _introduction(self) -> dict[str, Any]:
        return {**self._said, "capabilities": complete(self._said["capabilities"], self._table.methods())}

    def _set_slot(self, method: str) -> None:
        self.engine.set_slot(method, not self._is_ours(method))

    def _is_ours(self, method: str) -> bool:
        """Whether the engine may answer for the registered handler."""
        handler = self._table.of(method)
        if isinstance(handler, Handler) and handler.builtin:
            return True
        if handler is None:
            return method in LISTS or method in _OWNERS
        provider = self.server.provider
        return provider is not None and provider.answers(method) and self._provides(_OWNERS.get(method, method))

    def _provides(self, method: str) -> bool:
        return bool(self.server.provider.answers(method))

    def registry_changed(self, kind: str) -> None:
        """A list is not what it was: the host is asked until the next snapshot.

        May be called on any thread.
        """
        self._generations[kind] += 1
        self.engine.mark_stale(kind, self._generations[kind])
        if kind not in self._stale:
            self._stale.add(kind)
            if not self.driver.loop.is_closed():
                self.driver.loop.call_soon_threadsafe(self._refresh, kind)

    def _refresh(self, kind: str) -> None:
        changed = kind in self._stale
        self._stale.discard(kind)
        if not self.over.is_set():
            self._snapshot(kind)
            if not changed:
                return
            member = "resources" if kind == "resourceTemplates" else kind
            told: Any = self.about["capabilities"].get(member)
            if told and told.get("listChanged"):
                self.engine.announce(kind)

    def _snapshot(self, kind: str) -> None:
        provider = self.server.provider
        method = next(method for method, name in LISTS.items() if name == kind)
        if provider is None or not provider.answers(method):
            return
        generation = self._generations[kind]
        if not provider.is_ready(kind):
            # Asked once, the registry is loaded, and the engine knows it from then on.
            self.engine.mark_stale(kind, generation)
            return
        rows, needs_workers = provider.snapshot(kind)
        self.engine.set_snapshot(kind, generation, dumps(rows))
        if needs_workers:
            self._start_workers()

    def _start_workers(self) -> None:
        if self.driver.workers is None:
            from .._workers import Workers

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

    def listen_http(self, options: dict[str, Any]) -> tuple[int, tuple[str, int]]:
        """Serve HTTP from the engine: the listener and its address."""
        listener, address = self._check(self.engine.listen_http, dumps(options))
        self._serve(listener)
        return listener, address

    def connect(self, outgoing: Callable[[], None]) -> int:
        """A connection whose messages the caller carries; `outgoing` says some wait."""
        connection: int = self._check(self.engine.connect, False)
        self.outgoing[connection] = outgoing
        self._serve(connection)
        return connection

    def session(self, connection: int) -> ServerSession:
        """The session of a connection."""
        session = self._sessions.get(connection)
        if session is None:
            from .session import ServerSession

            session = self._sessions[connection] = ServerSession.attached(self, connection)
        return session

    async def close(self) -> None:
        """End everything that is left, and wait for the handlers to let go."""
        self.over.set()
        if self in self.server.hosts:
            self.server.hosts.remove(self)
        self.driver.flush()
        self.engine.close()
        tasks = [task for call in list(self.live) if (task := self.driver.tasks.get(call))]
        await self.driver.stop(tasks)
        for connection in [n for n, host in self.driver.hosts.items() if host is self]:
            self.driver.leave(connection)

    # Items

    async def run(self, item: Item) -> None:
        """Answer a request, as a task."""
        call, driver = item[1], self.driver
        live = self.live[call] = LiveContext(self, item)
        request_ctx.set(cast("Any", live))
        try:
            row: Row = (call, await (self._tool_call(item) or self._answer(item)))
        except asyncio.CancelledError:
            row = (call, None, "cancelled", -32800, "the request was cancelled", None)
        except Exception as error:
            row = failure_row(call, error)
            if self._raise and not isinstance(error, McpError):
                self._fail(error)
        except BaseException as error:
            self._end(call)
            driver.finish(failure_row(call, error))
            raise
        self._end(call)
        driver.finish(row)

    def _end(self, call: int) -> None:
        self.live.pop(call, None)
        self.driver.tasks.pop(call, None)

    def _fail(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        self.over.set()

    def _tool_call(self, item: Item) -> Awaitable[str] | None:
        """The short way to a tool, without models; `None` if this is no such call."""
        if item[4] != "tools/call":
            return None
        handler = self._table.of("tools/call")
        if not isinstance(handler, Handler) or handler.tool is None:
            return None
        params = item[6]
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not (arguments is None or isinstance(arguments, dict)):
            return None
        return handler.tool(name, cast("dict[str, Any]", arguments or {}))

    async def _answer(self, item: Item) -> str:
        method = item[4]
        handler = self._table.of(method)
        if handler is None:
            text = introduction(method, self.about)
            if text is None:
                raise method_not_found(method)
            return text
        if method in LISTS:
            self._note_listed(method)
        request = self._parse(self._table.class_of(method), method, item[6])
        call = handler.answer if isinstance(handler, Handler) else handler
        return result_text(await call(request))

    def _note_listed(self, method: str) -> None:
        provider, kind = self.server.provider, LISTS[method]
        if self.server.fast_path and provider is not None and not provider.is_ready(kind):
            self.driver.loop.call_soon(self._refresh_later, kind)

    def _refresh_later(self, kind: str) -> None:
        # After the handler has run: it is what loads the registry.
        self.driver.loop.call_soon(self._refresh, kind)

    @staticmethod
    def _parse(kind: Any, method: str, params: Any) -> Any:
        message = {"method": method} if params is None else {"method": method, "params": params}
        try:
            return kind.model_validate(message)
        except ValueError as error:
            logger.warning("Failed to validate request: %s", error)
            raise invalid_params() from None

    def run_sync(self, item: Item) -> Row:
        """Answer a call of a tool on a worker thread."""
        context = (self.driver.contexts.get(item[3]) or self.context).copy()
        return context.run(self._run_sync, item)

    def _run_sync(self, item: Item) -> Row:
        call = item[1]
        self.live[call] = live = LiveContext(self, item)
        request_ctx.set(cast("Any", live))
        try:
            params = item[6]
            return call, self.server.provider.call_sync(params["name"], params.get("arguments") or {})
        except BaseException as error:
            return failure_row(call, error)
        finally:
            self.live.pop(call, None)

    def notified(self, item: Item) -> Coroutine[Any, Any, None] | None:
        """Hand a notification to whoever registered for it."""
        table = cast("HandlerTable", self.server.notification_handlers)
        handler = table.of(item[3])
        if handler is None:
            return None
        return self._notify(handler, table.class_of(item[3]), item)

    async def _notify(self, handler: Callable[[Any], Any], cls: Any, item: Item) -> None:
        try:
            message = {"method": item[3]} if item[4] is None else {"method": item[3], "params": item[4]}
            await handler(cls.model_validate(message))
        except Exception:
            logger.exception("Uncaught exception in notification handler")

    def event(self, item: Item) -> None:
        """Take what else comes of a connection."""
        kind, connection = item[0], item[1]
        if kind == "outgoing":
            self.outgoing[connection]()
        elif kind == "log":
            logger.debug("%s: %s", item[2], item[3])
        elif kind == "closed":
            self._sessions.pop(connection, None)
            self.outgoing.pop(connection, None)
            if connection in self.essential:
                self.over.set()


def complete(capabilities: dict[str, Any], methods: list[str]) -> dict[str, Any]:
    """Capabilities, in the engine's order, with what programs leave out although they use
    it: handlers send log messages, and some methods are handled whose list is not.
    """
    used = {_FAMILIES[method] for method in methods if method in _FAMILIES}
    found: dict[str, Any] = {**{name: {} for name in used}, "logging": {}, **capabilities}
    if "resources/subscribe" in methods:
        found["resources"] = {**found["resources"], "subscribe": True}
    return {name: found.pop(name) for name in _ORDER if name in found} | found


def result_text(result: Any) -> str:
    """What a handler returned, as JSON."""
    if result is None:
        return "{}"
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return dumps(result)
    return model_text(result)
