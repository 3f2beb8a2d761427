"""The part of `Server` that serves HTTP inside an ASGI application, as 2.x has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from starlette.applications import Starlette

    from .._host import ServerHost
    from ..auth.provider import OAuthAuthorizationServerProvider, TokenVerifier
    from ..auth.settings import AuthSettings
    from ..streamable_http import EventStore
    from ..streamable_http_manager import StreamableHTTPSessionManager
    from ..transport_security import TransportSecuritySettings
    from .server import Server

from .._stats import merged

LOCAL_HOSTS = ("127.0.0.1", "localhost", "::1")
# Who may ask a server on a local address.
GUARDED_HOSTS = ("127.0.0.1:*", "localhost:*", "[::1]:*")
GUARDED_ORIGINS = ("http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*")


class Mountable:
    """Has a session manager once it was made an application."""

    _session_manager: StreamableHTTPSessionManager | None = None
    hosts: list[ServerHost]

    def stats(self) -> dict[str, Any]:
        """Counters of everything this server serves now; empty while it serves nothing.

        `connections`, `sessions`, `streams`, `inFlight`, `queuedBytes`, `bytesIn`,
        `bytesOut`, `dropped`, `problems`, `methods` and `errors` by name, and latencies in
        seconds: `p50`, `p99`, `latency` as pairs of an upper bound and a count.
        """
        return merged(host.engine.stats() for host in self.hosts)

    @property
    def session_manager(self) -> StreamableHTTPSessionManager:
        """What serves HTTP.

        Raises:
            RuntimeError: `streamable_http_app` was not called.
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
        """A Starlette app that serves this server, alone or mounted in another app.

        Args:
            streamable_http_path: Where the endpoint is.
            json_response: Answer with JSON where a stream is not needed.
            stateless_http: Without sessions.
            event_store: Keeps messages for clients that come back.
            retry_interval: Milliseconds after which a client should come back.
            max_request_body_size: Bytes.
            session_idle_timeout: Seconds after which an unused session ends.
            max_sessions: Most sessions at a time.
            transport_security: Which hosts and origins may ask; a local `host` is guarded
                without it.
            host: Where it will be served, if that is known.
            auth: What tokens are for, and where they come from.
            token_verifier: Reads tokens; with one, requests without a token are refused.
            auth_server_provider: Behind the endpoints of an authorization server beside it.
            custom_starlette_routes: Pages beside the endpoint.
            debug: Starlette's.
        """
        from starlette.routing import Route

        from .._guard import Guard
        from .._starlette import EndpointApp
        from ..streamable_http_manager import StreamableHTTPSessionManager

        manager = self._session_manager = StreamableHTTPSessionManager(
            app=cast("Server[Any, Any]", self),
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
    """Which hosts and origins may ask: a server on a local address guards it."""
    if given is not None or host not in LOCAL_HOSTS:
        return given
    from ..transport_security import TransportSecuritySettings

    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(GUARDED_HOSTS),
        allowed_origins=list(GUARDED_ORIGINS),
    )
