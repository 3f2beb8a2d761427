"""The face of low-level servers: what a host asks of the handlers behind it.

Owns: putting a host in front of a server. Must not know: transports. What servers of the
modern line and of the legacy one share is decided here; each kind of handler has its own way
in `_dispatch`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Coroutine
from typing import TYPE_CHECKING, Any, cast

from .._engine import face
from .._engine.host import ServerHost
from .._engine.methods import LISTEN
from ..shared.exceptions import McpError, from_engine
from ._dispatch import answer_sync, answer_to, failure_of, notified, parse, questions_of
from ._error_responses import INTERNAL_ERROR
from ._live import LiveContext
from .lowlevel._bymethod import MethodHandler
from .lowlevel._handlers import Handler

if TYPE_CHECKING:
    from .._engine.driver import Driver
    from .._engine.items import NotificationItem, Row
    from .._engine.registry import Live, Registry
    from .._mcpbolt import EngineError
    from .session import ServerSession


class LowLevelFace:
    """See `ServerFace`."""

    # Not methods that only call these: each call of a tool passes here.
    live = staticmethod(LiveContext)
    answer_sync: staticmethod[[ServerHost, Any], Any] = staticmethod(answer_sync)

    def error(self, error: Exception) -> Exception:
        """The exception for an error of the engine's functions."""
        return from_engine(cast("EngineError", error))

    def hints(self, server: Registry) -> dict[str, Any]:
        """What the engine is to add to cacheable answers."""
        from .caching import for_engine

        return {"cacheHints": for_engine(server.cache_hints)}

    def announcement(self, event: Any) -> tuple[str, str | None]:
        """A published change, and the URI it is about."""
        from ..shared.subscriptions import announcement_of

        return announcement_of(event)

    def engine_may_answer(self, server: Registry, method: str) -> bool | None:
        """Whether a handler lets the engine answer in its place; `None` if the lists decide."""
        handler = server.request_handlers.of(method)
        if method == LISTEN:
            return _engine_listens(server, handler)
        if isinstance(handler, Handler) and handler.builtin:
            return True
        if method == "initialize" and face.current.answers_handshakes and not isinstance(handler, MethodHandler):
            return True
        return None

    def parse(self, host: ServerHost, method: str, params: Any) -> Any:
        """Parse a request into what its handler takes.

        Raises:
            ValueError: The params do not fit the method.
        """
        return parse(host, method, params)

    def session(self, host: ServerHost, connection: int) -> ServerSession:
        """The session of a connection."""
        from .session import ServerSession

        kind: type[ServerSession] = getattr(host.server, "session_class", ServerSession)
        session = kind.attached(host, connection)
        if host.server.task_support is not None:
            host.server.task_support.configure_session(session, stateless=host.stateless)
        return session

    def answer(self, host: ServerHost, live: Live) -> Awaitable[Any]:
        """Answer a request with JSON text, or with questions to the client."""
        # Not by `cast`, which is a call: each request passes here.
        ours: Any = live
        return answer_to(host, ours)

    def notified(self, host: ServerHost, item: NotificationItem) -> Coroutine[Any, Any, None] | None:
        """Call the handler that is registered for a notification."""
        return notified(host, item)

    def questions(
        self, host: ServerHost, live: Live, answer: Any
    ) -> tuple[list[tuple[str, str, str | None]], str | None]:
        """Questions to the client by key, and the handler's state.

        Raises:
            McpError: The client is of an era whose results cannot ask.
        """
        context = cast("LiveContext", live)
        if not face.current.asks_legacy_by_results and context.about.get("era") == "legacy":
            raise McpError(INTERNAL_ERROR, "Handler returned an invalid result")
        return questions_of(answer, host.server.state_boundary, context)

    def failure(self, host: ServerHost, live: Live, error: BaseException) -> Row:
        """The row that completes a call with an exception."""
        return failure_of(host, cast("LiveContext", live), error)

    def is_meant(self, error: BaseException) -> bool:
        """Whether a handler raised an exception for the client to see."""
        return isinstance(error, McpError)


def _engine_listens(server: Registry, handler: Any) -> bool:
    if handler is None:
        return face.current.fills_in and not server.refuses_listen
    # Middleware has to see the request, and what becomes of it.
    return isinstance(handler, MethodHandler) and handler.call is server.own_listen and not server.middleware


_FACE = LowLevelFace()


def host_of(
    server: Registry,
    driver: Driver,
    about: dict[str, Any],
    lifespan_context: Any = None,
    raise_exceptions: bool = False,
    options: dict[str, Any] | None = None,
) -> ServerHost:
    """Put a host in front of a server."""
    return ServerHost(server, _FACE, driver, about, lifespan_context, raise_exceptions, options)
