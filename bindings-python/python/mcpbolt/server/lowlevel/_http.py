"""The part of `Server` that serves HTTP inside an ASGI application, as in 2.x."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from ..._engine.host import ServerHost
    from ..auth.provider import OAuthAuthorizationServerProvider, TokenVerifier
    from ..auth.settings import AuthSettings
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
        """Counters of everything this server serves now; empty while it serves nothing.

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
    ) -> Starlette:
        """Make a Starlette application that serves this server, alone or mounted in another
        one.

        Args:
            streamable_http_path: The path of the endpoint.
            json_response: Whether every answer over HTTP is one JSON object; progress and log
                messages of a request are then not sent. Default: no: an answer becomes an event
                stream when something precedes the result.
            stateless_http: Whether to serve without sessions.
            event_store: Stores messages for clients that reconnect.
            retry_interval: After how many milliseconds clients should reconnect.
            max_request_body_size: The largest request body that is accepted, in bytes.
            session_idle_timeout: After how many seconds an unused session ends; `None` for never.
            max_sessions: How many sessions may be open at a time; `None` for no limit.
            transport_security: Which hosts and origins are allowed. Default: with a local `host`
                only local ones, else all.
            host: The address at which it will be served, if known.
            auth: The authorization settings.
            token_verifier: Verifies tokens. If given, the endpoint requires a token.
            auth_server_provider: Adds the endpoints of an authorization server with this provider.
            custom_starlette_routes: Further routes beside the endpoint.
            debug: Starlette's debug mode.
        """
        from starlette.routing import Route

        from .._guard import Guard
        from .._starlette import EndpointApp
        from ..streamable_http_manager import StreamableHTTPSessionManager

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
        routes = [*guard.server_routes(), endpoint, *guard.resource_routes(), *(custom_starlette_routes or ())]
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
