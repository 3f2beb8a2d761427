"""Starlette applications for a high-level server."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Protocol

from ..shared.exceptions import UsageError
from .streamable_http_manager import StreamableHTTPSessionManager

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.routing import BaseRoute

    from ._asgi import Receive, Scope, Send
    from ._guard import Guard
    from .sse import SseServerTransport


class Served(Protocol):
    """A high-level server."""

    settings: Any
    _mcp_server: Any
    _session_manager: Any
    _event_store: Any
    _retry_interval: Any
    _token_verifier: Any
    _auth_server_provider: Any
    _custom_starlette_routes: Any

    @property
    def session_manager(self) -> StreamableHTTPSessionManager:
        """The session manager that serves HTTP."""
        ...

    def _normalize_path(self, mount_path: str, endpoint: str) -> str: ...


def guard_of(mcp: Served) -> Guard:
    """What the authorization settings of a server add to its applications."""
    from ._guard import Guard

    return Guard(mcp.settings.auth, mcp._token_verifier, mcp._auth_server_provider)  # pyright: ignore[reportPrivateUsage]


def manager_of(mcp: Served) -> StreamableHTTPSessionManager:
    """The session manager of a server, made from its settings when it is first needed."""
    manager: StreamableHTTPSessionManager | None = mcp._session_manager  # pyright: ignore[reportPrivateUsage]
    if manager is None:
        settings = mcp.settings
        manager = StreamableHTTPSessionManager(
            app=mcp._mcp_server,  # pyright: ignore[reportPrivateUsage]
            event_store=mcp._event_store,  # pyright: ignore[reportPrivateUsage]
            retry_interval=mcp._retry_interval,  # pyright: ignore[reportPrivateUsage]
            json_response=settings.json_response,
            stateless=settings.stateless_http,
            max_request_body_size=settings.max_request_body_size,
            session_idle_timeout=settings.session_idle_timeout,
            max_sessions=settings.max_sessions,
        )
        manager.trusted_proxies = settings.trusted_proxies
        manager.stream_after = settings.stream_after
        # Read on demand: with the engine's own listener the settings are not needed here.
        manager.guard_with(lambda: settings.transport_security)
        mcp._session_manager = manager  # pyright: ignore[reportPrivateUsage]
    return manager


def streamable_http_app(mcp: Served) -> Starlette:
    """An application with the server at its path, its pages, the routes of authorization, and
    custom routes.
    """
    from starlette.routing import Route

    from ._pages import pages_of, routes_of

    manager = manager_of(mcp)
    guard = guard_of(mcp)
    pages = routes_of(pages_of(mcp.settings), manager, guard)
    older = sse_routes(mcp, guard) if mcp.settings.legacy_sse else []
    endpoint = Route(mcp.settings.streamable_http_path, endpoint=guard.demand(manager))
    return _app(mcp, guard, [endpoint, *older, *pages], lifespan=_lifespan_of(manager))


def sse_app(mcp: Served, mount_path: str | None) -> Starlette:
    """An application with the server over HTTP+SSE, the routes of authorization, and custom
    routes.
    """
    from ._pages import refuse_with_sse

    refuse_with_sse(mcp.settings)
    if mount_path is not None:
        mcp.settings.mount_path = mount_path
    guard = guard_of(mcp)
    return _app(mcp, guard, sse_routes(mcp, guard))


def sse_routes(mcp: Served, guard: Guard) -> list[BaseRoute]:
    """The routes of HTTP+SSE: for the event stream, and for messages."""
    from starlette.routing import Mount, Route

    from .sse import SseServerTransport

    settings = mcp.settings
    transport = SseServerTransport(
        mcp._normalize_path(settings.mount_path, settings.message_path),  # pyright: ignore[reportPrivateUsage]
        security_settings=settings.transport_security,
        max_request_body_size=settings.max_request_body_size,
    )
    return [
        Route(settings.sse_path, endpoint=guard.demand(_Stream(mcp, transport)), methods=["GET"]),
        Mount(settings.message_path, app=guard.demand(transport.handle_post_message)),
    ]


def _lifespan_of(manager: StreamableHTTPSessionManager) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    """A lifespan that ends the server's sessions with the application."""
    return lambda _: manager.run()


def _app(mcp: Served, guard: Guard, endpoints: list[BaseRoute], **more: Any) -> Starlette:
    """Make an application. Custom routes come last, so that they do not hide the others."""
    from ._starlette import EndpointApp

    refuse_docs(mcp)
    routes = [*guard.server_routes(), *endpoints, *guard.resource_routes(), *custom_routes(mcp)]
    return EndpointApp(debug=mcp.settings.debug, routes=routes, middleware=guard.middleware(), **more)


class _Stream:
    """The endpoint that opens a session. It is an object, because Starlette calls functions
    differently.
    """

    def __init__(self, mcp: Served, transport: SseServerTransport) -> None:
        self._mcp = mcp
        self._transport = transport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        server = self._mcp._mcp_server  # pyright: ignore[reportPrivateUsage]
        async with self._transport.connect_sse(scope, receive, send) as streams:
            await server.run(*streams, server.create_initialization_options())


def refuse_docs(mcp: Served) -> None:
    """Refuse the page of the server where the engine's own listener does not serve it.

    Raises:
        UsageError: The settings ask for the page.
    """
    if mcp.settings.docs:
        raise UsageError(
            "docs: only the engine's own listener has the page: that of run() with streamable HTTP and without "
            "auth. Leave docs out, and look at the server with `mcpbolt inspect URL`"
        )


def custom_routes(mcp: Served) -> list[Any]:
    """The custom routes of a server."""
    routes: list[Any] = mcp._custom_starlette_routes  # pyright: ignore[reportPrivateUsage]
    return routes
