"""A server that overrides `run`, behind the engine's HTTP.

The engine is given a `Front`, which passes each message to `run` through streams like those of
the official package: a pair for each session, or for each request if there are no sessions.
Owns: those pairs, and which answer belongs to which request. Must not know: HTTP.
"""

from __future__ import annotations

import asyncio
import logging
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from anyio import BrokenResourceError, ClosedResourceError, create_memory_object_stream

from .._engine.context import request_ctx
from .._engine.json import dumps, model_dict
from .._engine.life import ended, start
from .._engine.methods import INITIALIZED, LISTEN, NOTIFICATIONS
from .._engine.protocol import METHODS
from ..shared.exceptions import McpError
from ..shared.message import ServerMessageMetadata, SessionMessage
from ._dispatch import PROTOCOL_VERSION
from .lowlevel._bymethod import put
from .lowlevel._core import ServerCore, lifespan
from .lowlevel._table import HandlerTable

if TYPE_CHECKING:
    from .._engine.life import Task
    from ..types import RequestParams
    from ._live import LiveContext
    from .context import ServerRequestContext
    from .models import InitializationOptions
    from .session import ServerSession

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http_manager")

# Modern clients get these on the streams they listen on, from the host in front.
_CHANGES = {
    name
    for name, row in METHODS.items()
    if not row.is_request and row.declared_by == "server" and row.capability[1:] in (("listChanged",), ("subscribe",))
}

# How many seconds a `run` may go on after its session has ended.
_GRACE = 2.0


class Front(ServerCore[Any, Any]):
    """What the engine takes for the server."""

    def __init__(self, app: ServerCore[Any, Any], stateless: bool) -> None:
        from .. import types

        super().__init__(app.name, app.version, lifespan, fast_path=False, options=app.options)
        self.guarding = app.guarding
        # The server notifies all clients through the hosts that it knows.
        self.hosts = app.hosts
        self._app = app
        self._stateless = stateless
        # Whether the next `run` must be told that a client has connected, on the era without a
        # handshake.
        self._news = False
        methods = {"initialize", *cast("HandlerTable", app.request_handlers).methods()}
        for method in methods - {"ping", LISTEN}:
            put(self.request_handlers, method, types.RequestParams, self._ask)
        if app.tells:
            # The engine tells what the server announces; `run` cannot.
            self.own_listen = self._ask
            put(self.request_handlers, LISTEN, types.RequestParams, self.own_listen)
        self.refuses_listen = app.refuses_listen
        for method in NOTIFICATIONS:
            put(self.notification_handlers, method, types.NotificationParams, self._tell)

    @property
    def awaits_initialized(self) -> bool:
        """The same as the server's."""
        return self._app.awaits_initialized

    def legacy_capabilities(self, capabilities: dict[str, Any]) -> dict[str, Any] | None:
        """The same as the server's."""
        return self._app.legacy_capabilities(capabilities)

    def create_initialization_options(self, *given: Any, **more: Any) -> InitializationOptions:
        """The same as the server's."""
        return self._app.create_initialization_options(*given, **more)

    async def _ask(self, context: ServerRequestContext[Any, Any], _: RequestParams) -> Any:
        live = cast("LiveContext", request_ctx.get())
        if self._stateless or live.about.get("era") == "modern":
            relay = Relay(self._app, context.session, live, stateless=True)
            if self._news:
                self._news = False
                relay.tell(INITIALIZED, None)
            try:
                return await relay.ask(live, context.method, context.params)
            finally:
                await relay.close()
        return await self._relay_of(context.session).ask(live, context.method, context.params)

    async def _tell(self, context: ServerRequestContext[Any, Any], _: Any) -> None:
        if context.method == INITIALIZED and PROTOCOL_VERSION in (context.meta or {}):
            self._news = True
        elif not self._stateless and context.session.keeps:
            self._relay_of(context.session).tell(context.method, context.params)

    def _relay_of(self, session: ServerSession) -> Relay:
        relay: Relay | None = session.__dict__.get("relay")
        if relay is None:
            relay = session.__dict__["relay"] = Relay(self._app, session, None, stateless=False)
            session.on_end(relay.close)
        return relay


class Relay:
    """One `run` of a server, and the engine's session or request that it serves."""

    def __init__(
        self, app: ServerCore[Any, Any], session: ServerSession, live: LiveContext | None, *, stateless: bool
    ) -> None:
        self._app, self._session, self._live, self._stateless = app, session, live, stateless
        self._waiting: dict[Any, asyncio.Future[dict[str, Any]]] = {}
        self._to_app, self._read = create_memory_object_stream[Any](math.inf)
        self._write, self._from_app = create_memory_object_stream[SessionMessage](0)
        self._questions: set[Task] = set()
        self._running = start(self._run())
        self._carrying = start(self._carry())

    async def _run(self) -> None:
        try:
            about = self._app.create_initialization_options()
            await self._app.run(self._read, self._write, about, stateless=self._stateless)
        except Exception:
            logger.exception("Session crashed")
        finally:
            for stream in (self._to_app, self._read, self._write, self._from_app):
                stream.close()
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(McpError(-32000, "Connection closed"))

    async def close(self) -> None:
        """Close its input and cancel what does not end then. May be called more than once."""
        self._to_app.close()
        await ended(self._running, seconds=_GRACE)
        for task in (self._running, self._carrying, *self._questions):
            task.cancel()
        await ended(self._running, self._carrying)

    # To the server

    async def ask(self, live: LiveContext, method: str, params: Any) -> Any:
        """Pass on a request of the client, and return its answer."""
        number = live.request_id
        beside = ServerMessageMetadata(
            request_context=live.request,
            close_sse_stream=live.close_sse_stream,
            close_standalone_sse_stream=live.close_standalone_sse_stream,
        )
        answer = self._waiting[number] = live.host.driver.loop.create_future()
        try:
            self._give({"id": number, "method": method}, params, beside)
            return await answer
        except asyncio.CancelledError:
            self.tell("notifications/cancelled", {"requestId": number})
            raise
        finally:
            self._waiting.pop(number, None)

    def tell(self, method: str, params: Any) -> None:
        """Pass on a notification of the client."""
        self._give({"method": method}, params)

    def _give(self, message: dict[str, Any], params: Any = None, beside: Any = None) -> None:
        from ..types import JSONRPCMessage

        whole = {"jsonrpc": "2.0", **message, **({} if params is None else {"params": dict(params)})}
        try:
            self._to_app.send_nowait(SessionMessage(JSONRPCMessage.model_validate(whole), beside))
        except (BrokenResourceError, ClosedResourceError):
            if message["method"] != "notifications/cancelled":
                raise McpError(-32000, "Connection closed") from None

    # From the server

    async def _carry(self) -> None:
        with suppress(ClosedResourceError):
            async for item in self._from_app:
                try:
                    await self._take(item)
                except Exception as error:
                    logger.debug("a message of the server did not reach its client: %s", error)

    async def _take(self, item: SessionMessage) -> None:
        message: dict[str, Any] = model_dict(item.message)
        method, params = message.get("method"), message.get("params")
        if method is None:
            self._answered(message)
            return
        if method in _CHANGES and self._live is not None and self._live.about.get("era") == "modern":
            return
        live = self._call_of(getattr(item.metadata, "related_request_id", None), method, params)
        text = None if params is None else dumps(params)
        if "id" not in message:
            await self._session.pass_on(live, method, text)
            return
        self._questions = {task for task in self._questions if not task.done()}
        self._questions.add(start(self._question(message["id"], live, method, text)))

    def _answered(self, message: dict[str, Any]) -> None:
        waiting = self._waiting.get(message.get("id"))
        if waiting is None or waiting.done():
            return
        if "error" in message:
            error: dict[str, Any] = message["error"]
            waiting.set_exception(McpError(error["code"], error["message"], error.get("data")))
        else:
            waiting.set_result(message["result"])

    def _call_of(self, related: Any, method: str, params: Any) -> LiveContext | None:
        if self._live is not None:
            return self._live
        token = params.get("progressToken") if method == "notifications/progress" else None
        return self._session.call_for(related, token)

    async def _question(self, number: Any, live: LiveContext | None, method: str, text: str | None) -> None:
        try:
            answer: dict[str, Any] = {"result": await self._session.put(live, method, text)}
        except McpError as error:
            answer = {"error": model_dict(error.error)}
        from ..types import JSONRPCMessage

        whole = JSONRPCMessage.model_validate({"jsonrpc": "2.0", "id": number, **answer})
        if not self._running.done():
            with suppress(BrokenResourceError, ClosedResourceError):
                self._to_app.send_nowait(SessionMessage(whole))
