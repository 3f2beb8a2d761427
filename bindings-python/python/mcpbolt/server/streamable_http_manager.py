"""A server over HTTP inside an ASGI application."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from .._engine import face
from .._engine.life import running
from .._engine.tables import drop
from ._asgi import DEFAULT_MAX_REQUEST_BODY_SIZE, plain
from ._instances import Instances
from ._stream_options import FOREVER, response_mode, stream_manners

if TYPE_CHECKING:
    from ._asgi import Receive, Scope, Send
    from ._endpoint import Endpoint
    from .lowlevel._core import ServerCore
    from .streamable_http import EventStore
    from .transport_security import TransportSecuritySettings

logger: logging.Logger = logging.getLogger("mcp.server.streamable_http_manager")

DEFAULT_SESSION_IDLE_TIMEOUT: float = 1800.0
DEFAULT_MAX_SESSIONS = 10_000


@cache
def _admission() -> Callable[..., Awaitable[bytes | None]]:
    # A server behind the engine's own listener has a manager too, but does not need this.
    from ._admission import admit

    return admit


def _is_closed(loop: object) -> bool:
    """Whether an asyncio loop was closed without ending the tasks on it."""
    return isinstance(loop, asyncio.AbstractEventLoop) and loop.is_closed()


class StreamableHTTPSessionManager:
    """Serves HTTP requests with a server, as an ASGI application.

    It starts with the first request on a loop, whether or not `run` was entered. Leaving `run`
    ends what was started; it can be entered again.

    Args:
        app: The server that answers the requests.
        event_store: Stores the messages of streams, so that clients that reconnect get what they
            missed. Default: the engine keeps up to 1000 messages and 1 MiB for each session, in
            memory.
        json_response: Whether every answer over HTTP is one JSON object; progress and log messages
            of a request are then not sent. Default: no: an answer becomes an event stream when
            something precedes the result.
        stateless: Whether to serve without sessions, so that any process can answer any request.
            Default: no.
        security_settings: Which `Host` and `Origin` headers are allowed. Default: all.
        retry_interval: How many milliseconds clients should wait before they reconnect to a stream
            that ended. Default: 1000.
        session_idle_timeout: After how many seconds without traffic a session ends, a positive
            number; `None` for never. Default: 1800.
        max_request_body_size: The largest request body that is accepted, in bytes; larger ones get
            status 413. Default: 4 MiB.
        max_sessions: How many sessions may be open at a time, at least 1; further ones get status
            503. `None` for no limit. Default: 10,000.
    """

    def __init__(
        self,
        app: ServerCore[Any, Any],
        event_store: EventStore | None = None,
        json_response: bool = False,
        stateless: bool = False,
        security_settings: TransportSecuritySettings | None = None,
        retry_interval: int | None = None,
        session_idle_timeout: float | None = DEFAULT_SESSION_IDLE_TIMEOUT,
        max_request_body_size: int = DEFAULT_MAX_REQUEST_BODY_SIZE,
        max_sessions: int | None = DEFAULT_MAX_SESSIONS,
    ) -> None:
        if session_idle_timeout is not None and not (math.isfinite(session_idle_timeout) and session_idle_timeout > 0):
            raise ValueError("session_idle_timeout must be a positive, finite number of seconds")
        if max_request_body_size <= 0:
            raise ValueError("max_request_body_size must be a positive number of bytes")
        if max_sessions is not None and max_sessions <= 0:
            raise ValueError("max_sessions must be a positive number of sessions or None")
        self.app = app
        self.event_store = event_store
        self.json_response = json_response
        self.stateless = stateless
        self._security: Callable[[], TransportSecuritySettings | None] = lambda: security_settings
        self.retry_interval = retry_interval
        self.session_idle_timeout = session_idle_timeout
        self.max_request_body_size = max_request_body_size
        self.max_sessions = max_sessions
        self.trusted_proxies: list[str] = []
        """Addresses and networks of proxies whose `Forwarded` or `X-Forwarded-For` header is
        trusted. Default: none.
        """
        self.stream_after: float | None = 0.1
        """After how many seconds without a result the answer becomes an event stream. Default:
        0.1.
        """
        self._endpoints: dict[object, Endpoint] = {}
        # How many runs are open now, and whether there ever was one.
        self._open_runs = 0
        self._has_started = False
        # Programs look here for sessions, some to end them before they leave `run`, which ends
        # them anyway.
        self._server_instances = Instances()

    @property
    def security_settings(self) -> TransportSecuritySettings | None:
        """Which hosts and origins are allowed; `None` for no check."""
        return self._security()

    @security_settings.setter
    def security_settings(self, settings: TransportSecuritySettings | None) -> None:
        self._security = lambda: settings

    def guard_with(self, security: Callable[[], TransportSecuritySettings | None]) -> None:
        """Set a function that returns the security settings whenever they are needed.

        Args:
            security: The function.
        """
        self._security = security

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None, None]:
        """Serve while the context is open; leaving it ends all sessions of the running loop."""
        if face.current.runs_once and self._has_started:
            raise RuntimeError(
                "StreamableHTTPSessionManager .run() can only be called once per instance. "
                "Create a new instance if you need to run again."
            )
        self._has_started = True
        self._open_runs += 1
        try:
            yield
        finally:
            self._open_runs -= 1
            endpoint = self._endpoints.pop(running(), None)
            if endpoint is not None:
                await endpoint.close()

    async def handle_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request, whatever its path.

        Args:
            scope: The ASGI scope.
            receive: The ASGI function that receives.
            send: The ASGI function that sends.
        """
        if not self._may_start():
            raise RuntimeError("Task group is not initialized. Make sure to use run().")
        body = await _admission()(self.security_settings, self.max_request_body_size, scope, receive, send)
        if body is not None:
            endpoint = self._endpoint()
            seen = partial(self._server_instances.seen, endpoint, scope)
            await endpoint.handle(scope, receive, send, body, on_head=seen)

    def _may_start(self) -> bool:
        return bool(self._open_runs) or not (face.current.runs_once or face.current.needs_run)

    async def handle_page(self, name: str, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request for a page beside the endpoint.

        Args:
            name: The page: `"health"`, `"ready"` or `"metrics"`.
            scope: The ASGI scope.
            receive: The ASGI function that receives.
            send: The ASGI function that sends.
        """
        if not self._may_start():
            await plain(send, 503, "not started\n")
            return
        guards = self.security_settings if name == "metrics" else None
        body = await _admission()(guards, self.max_request_body_size, scope, receive, send)
        if body is not None:
            await self._endpoint().handle(scope, receive, send, body, page=name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The manager as an ASGI application: the same as `handle_request` for HTTP requests."""
        await self.handle_request(scope, receive, send)

    def _endpoint(self) -> Endpoint:
        loop = running()
        endpoint = self._endpoints.get(loop)
        # One may be over because its lifespan failed: the next request tries again.
        if endpoint is None or endpoint.over:
            from ._endpoint import Endpoint

            drop(self._endpoints, lambda old, its: its.over or _is_closed(old))
            app = self.app
            if app.runs_itself:
                from ._relay import Front

                app = Front(app, self.stateless)
            endpoint = self._endpoints[loop] = Endpoint(
                app, self.http_options(), self.engine_options(), event_store=self.event_store
            )
        return endpoint

    def http_options(self) -> dict[str, Any]:
        """The engine's options for HTTP."""
        options: dict[str, Any] = {
            "sessions": "none" if self.stateless else "stateful",
            "response": response_mode(self.json_response),
            **stream_manners(),
        }
        if self.event_store is not None:
            options["event_store"] = True
        if self.retry_interval is not None:
            options["retry_ms"] = self.retry_interval
        if self.trusted_proxies:
            options["trusted_proxies"] = list(self.trusted_proxies)
        if self.stream_after != 0.1:
            options["stream_after_ms"] = None if self.stream_after is None else round(self.stream_after * 1000)
        return options

    def engine_options(self) -> dict[str, Any]:
        """The engine's options for the server."""
        return {
            "max_sessions": self.max_sessions or 1 << 31,
            "session_idle": self.session_idle_timeout or FOREVER,
            "max_message_bytes.http_body": self.max_request_body_size,
        }


class StreamableHTTPASGIApp:
    """The ASGI application of a session manager (2.x).

    Args:
        session_manager: The manager that serves the requests.
    """

    def __init__(self, session_manager: StreamableHTTPSessionManager) -> None:
        self.session_manager = session_manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request."""
        await self.session_manager.handle_request(scope, receive, send)
