"""The part of `Server` that serves HTTP inside an ASGI application, as in 2.x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from typing_extensions import Unpack

    from ..._engine.host import ServerHost
    from ..auth.provider import OAuthAuthorizationServerProvider, TokenVerifier
    from ..auth.settings import AuthSettings
    from .._pages import PageOptions
    from ..streamable_http import EventStore
    from ..streamable_http_manager import StreamableHTTPSessionManager
    from ..transport_security import TransportSecuritySettings

from .._stats import merged

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
# The hosts that are allowed for a server on a local address.
GUARDED_HOSTS = ("127.0.0.1:*", "localhost:*", "[::1]:*")
GUARDED_ORIGINS = ("http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*")


class Mountable:
    """Serves HTTP with a session manager, after it was made an application."""

    _session_manager: StreamableHTTPSessionManager | None = None
    hosts: list[ServerHost]

    def stats(self) -> dict[str, Any]:
        """Counters of this server, over all ways in which it is served now; empty while it is not
        served.

        `connections`, `sessions`, `streams`, `inFlight`, `queuedBytes`, `bytesIn`, `bytesOut`,
        `dropped` and `problems` are numbers; `methods` and `errors` are counts by name.
        Latencies are in seconds: `p50`, `p99`, and `latency` as pairs of an upper bound and a
        count.
        """
        return merged(host.engine.stats() for host in self.hosts)

    @property
    def session_manager(self) -> StreamableHTTPSessionManager:
        """The session manager that serves HTTP.

        Raises:
            RuntimeError: `streamable_http_app` was not called yet.
        """
        if self._session_manager is None:
            raise RuntimeError("there is a session manager once streamable_http_app() was called")
        return self._session_manager

    def streamable_http_app(
        self,
        *,
        streamable_http_path: str = "/mcp",
        json_response: bool = False,
        stateless_http: bool = False,
        event_store: EventStore | None = None,
        retry_interval: int | None = None,
        max_request_body_size: int = 4 * 1024 * 1024,
        session_idle_timeout: float | None = 1800.0,
        max_sessions: int | None = 10_000,
        transport_security: TransportSecuritySettings | None = None,
        host: str = "127.0.0.1",
        auth: AuthSettings | None = None,
        token_verifier: TokenVerifier | None = None,
        auth_server_provider: OAuthAuthorizationServerProvider[Any, Any, Any] | None = None,
        custom_starlette_routes: list[Any] | None = None,
        debug: bool = False,
        **pages: Unpack[PageOptions],
    ) -> Starlette:
        """Make a Starlette application that serves streamable HTTP, to run it with an ASGI server
        or mount it in another application.

        Args:
            streamable_http_path: The path of the endpoint. Default: `/mcp`.
            json_response: Whether every answer over HTTP is one JSON object; progress and log
                messages of a request are then not sent. Default: no: an answer becomes an event
                stream when something precedes the result.
            stateless_http: Whether to serve without sessions, so that any process can answer any
                request. Default: no.
            event_store: Stores the messages of streams, so that clients that reconnect get what they
                missed. Default: the engine keeps up to 1000 messages and 1 MiB for each session, in
                memory.
            retry_interval: How many milliseconds clients should wait before they reconnect to a
                stream that ended. Default: 1000.
            max_request_body_size: The largest request body that is accepted, in bytes; larger ones
                get status 413. Default: 4 MiB.
            session_idle_timeout: After how many seconds without traffic a session ends; `None` for
                never. Default: 1800.
            max_sessions: How many sessions may be open at a time; further ones get status 503.
                `None` for no limit. Default: 10,000.
            transport_security: Which `Host` and `Origin` headers are allowed. Default: local ones if
                `host` is local, else all.
            host: The address that the application is served at; decides the default of
                `transport_security`. Default: `127.0.0.1`.
            auth: The settings of authorization, together with one of the next two. Default: none.
            token_verifier: Verifies tokens. If given, the endpoint requires a token. Default: none.
            auth_server_provider: Makes this server its own authorization server: adds its endpoints,
                and the MCP endpoint requires a token. Default: none.
            custom_starlette_routes: Routes to serve beside the endpoint. Default: none.
            debug: Whether responses show tracebacks. Default: no.
            **pages: Paths of pages for health, readiness and metrics, see `PageOptions`. Default:
                none.
        """
        from starlette.routing import Route

        from .._guard import Guard
        from .._pages import PageOptions, check, refuse_unknown, routes_of
        from .._starlette import EndpointApp
        from ..streamable_http_manager import StreamableHTTPSessionManager

        refuse_unknown("streamable_http_app", pages, PageOptions)
        paths = cast("dict[str, str | None]", pages)
        check(paths, {"streamable_http_path": streamable_http_path})
        manager = self._session_manager = StreamableHTTPSessionManager(
            app=cast("Any", self),
            event_store=event_store,
            retry_interval=retry_interval,
            json_response=json_response,
            stateless=stateless_http,
            security_settings=guard_of(transport_security, host),
            max_request_body_size=max_request_body_size,
            session_idle_timeout=session_idle_timeout,
            max_sessions=max_sessions,
        )
        guard = Guard(auth, token_verifier, auth_server_provider)
        endpoint = Route(streamable_http_path, endpoint=guard.demand(manager))
        watched = routes_of(paths, manager, guard)
        routes = [*guard.server_routes(), endpoint, *watched, *guard.resource_routes(), *(custom_starlette_routes or ())]
        return EndpointApp(debug=debug, routes=routes, middleware=guard.middleware(), lifespan=lambda _: manager.run())


def guard_of(given: TransportSecuritySettings | None, host: str) -> TransportSecuritySettings | None:
    """The settings for hosts and origins: those given, else local ones only for a local host."""
    if given is not None or host not in LOCAL_HOSTS:
        return given
    from ..transport_security import TransportSecuritySettings

    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(GUARDED_HOSTS),
        allowed_origins=list(GUARDED_ORIGINS),
    )
