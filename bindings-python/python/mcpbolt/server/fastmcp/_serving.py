"""How a high-level server is served: standard streams, HTTP, or inside another app."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from ..._switches import switches

if TYPE_CHECKING:
    from pydantic import AnyUrl
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from ..lowlevel.server import Server
    from ..streamable_http_manager import StreamableHTTPSessionManager
    from .settings import Settings

R = TypeVar("R", bound="Callable[[Request], Awaitable[Response]]")
H = TypeVar("H", bound="Callable[[str], Any]")

Transport = Literal["stdio", "sse", "streamable-http", "http"]
TRANSPORTS = ("stdio", "sse", "streamable-http", "http")
_ADDRESS = ("host", "port", "path")
# What programs patch to change what a server says of itself.
_PATCHABLE = ("run", "create_initialization_options", "get_capabilities")


# Ways to make an application that say nothing the engine does not do as well.
_KNOWN: set[Any] = set()
F = TypeVar("F", bound="Callable[..., Any]")


def known(function: F) -> F:
    """Marks one of those."""
    _KNOWN.add(function)
    return function


def check_auth(auth: Any, provider: Any, verifier: Any) -> None:
    """Refuse combinations that make no sense."""
    if auth is None:
        if provider or verifier:
            raise ValueError("Cannot specify auth_server_provider or token_verifier without auth settings")
    elif provider and verifier:
        raise ValueError("Cannot specify both auth_server_provider and token_verifier")
    elif not provider and not verifier:
        raise ValueError("Must specify either auth_server_provider or token_verifier when auth is enabled")


def introduction_of(server: Server[Any, Any]) -> dict[str, Any] | None:
    """What a server says of itself, without making models of it; `None` if it has methods
    of its own for that."""
    from .._about import introduction
    from ..lowlevel.server import Server

    if type(server) is not Server or any(name in server.__dict__ for name in _PATCHABLE):
        return None
    capabilities = server.capabilities(server.notification_options, {})
    return introduction(server.name, server.shown_version, capabilities, server)


def verifier_of(provider: Any) -> Any:
    """The verifier of a server that is its own authorization server."""
    if provider is None:
        return None
    from ..auth.provider import ProviderTokenVerifier

    return ProviderTokenVerifier(provider)


def transport_of(name: str) -> str:
    """What a transport is called here.

    Raises:
        ValueError: The transport is not known.
    """
    if switches.own_words:
        if name not in TRANSPORTS:
            raise ValueError(f"Unknown transport: {name} ({', '.join(TRANSPORTS)})")
        return "streamable-http" if name == "http" else name
    if name == "http" or name not in TRANSPORTS:
        raise ValueError(f"Unknown transport: {name}")
    return name


def refuse_address(transport: str, given: Iterable[str]) -> None:
    """Where to listen is said to a transport that does not, or to the official package, which takes it elsewhere.

    Raises:
        TypeError: It is.
    """
    if not switches.own_words:
        raise TypeError(f"FastMCP.run() got an unexpected keyword argument {next(iter(given))!r}")
    if transport == "stdio":
        names = ", ".join(map(repr, given))
        raise TypeError(f"stdio has no option {names}: say transport=\"http\" too, or leave it out")


def _run_as_program(main: Callable[[], Awaitable[None]]) -> None:
    from ...shared.exceptions import ConnectError, UsageError
    from ..._runner import run

    try:
        run(main)
    except (ConnectError, UsageError) as error:
        # Said in one sentence; where in here it was noticed is of no help.
        raise error.with_traceback(None) from None


class Serving:
    """The part of `FastMCP` that runs it."""

    _mcp_server: Server[Any, Any]
    settings: Settings
    _custom_starlette_routes: list[Any]
    _session_manager: StreamableHTTPSessionManager | None

    def on_subscribe(self, hook: H) -> H:
        """As `Server.on_subscribe`."""
        return self._mcp_server.on_subscribe(hook)

    def on_unsubscribe(self, hook: H) -> H:
        """As `Server.on_unsubscribe`."""
        return self._mcp_server.on_unsubscribe(hook)

    def resource_updated(self, uri: AnyUrl | str) -> None:
        """Tell every client that subscribed to a resource that it changed."""
        self._mcp_server.resource_updated(uri)

    def stats(self) -> dict[str, Any]:
        """Counters of everything this server serves now; see `Server.stats`."""
        return self._mcp_server.stats()

    def run(
        self,
        transport: Transport = "stdio",
        mount_path: str | None = None,
        *,
        host: str | None = None,
        port: int | None = None,
        path: str | None = None,
    ) -> None:
        """Serve until the client leaves, or a signal ends it.

        Ctrl-C and SIGTERM end it at once and quietly: `KeyboardInterrupt` with exit
        code 130, `SystemExit` with 143.

        Args:
            transport: How clients reach it; `"http"` is `"streamable-http"`.
            mount_path: Prefix of the paths, for `"sse"`.
            host: The address to listen on, for HTTP; as the settings say without one.
            port: The port to listen on, for HTTP.
            path: Where the endpoint is, for HTTP.

        Raises:
            ValueError: The transport is not known.
            TypeError: An option that the transport does not have.
            ConnectError: The address cannot be listened on.
        """
        from ..._runner import passed_over

        chosen = transport_of(transport)
        given = {name: value for name, value in zip(_ADDRESS, (host, port, path)) if value is not None}
        if given:
            refuse_address(chosen, given)
            self.settings.listen_at(chosen, given)
        if passed_over():
            return
        if chosen == "stdio":
            _run_as_program(self.run_stdio_async)
        elif chosen == "sse":
            _run_as_program(lambda: self.run_sse_async(mount_path))
        else:
            _run_as_program(self.run_streamable_http_async)

    async def run_stdio_async(self) -> None:
        """Serve the standard streams until their end."""
        from ..._runner import passed_over
        from .._run import serve_stdio

        if passed_over():
            return
        server = self._mcp_server
        about = introduction_of(server)
        if about is not None:
            await serve_stdio(server, about)
            return
        from ..stdio import stdio_server

        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())

    async def run_sse_async(self, mount_path: str | None = None) -> None:
        """Serve the older HTTP transport.

        .. deprecated:: 2025-03-26
           HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
           streamable HTTP.
        """
        from ..._runner import passed_over

        if not passed_over():
            await self._serve_app(self.sse_app(mount_path))

    async def run_streamable_http_async(self) -> None:
        """Serve HTTP: from the engine, unless the program made an application of its own or demands tokens."""
        from ..._runner import passed_over

        if passed_over():
            return
        own_app = type(self).streamable_http_app not in _KNOWN or "streamable_http_app" in vars(self)
        if not own_app and self.settings.auth is None:
            from .._listener import serve_http

            await serve_http(cast("Any", self))
        else:
            await self._serve_app(self.streamable_http_app())

    async def _serve_app(self, app: Starlette) -> None:
        import uvicorn

        level = self.settings.log_level.lower()
        config = uvicorn.Config(app, host=self.settings.host, port=self.settings.port, log_level=level)
        await uvicorn.Server(config).serve()

    @property
    def session_manager(self) -> StreamableHTTPSessionManager:
        """What serves HTTP; there is one once `streamable_http_app` was called."""
        if self._session_manager is None:
            raise RuntimeError(
                "Session manager can only be accessed after calling streamable_http_app(). "
                "The session manager is created lazily to avoid unnecessary initialization."
            )
        return self._session_manager

    def custom_route(
        self,
        path: str,
        methods: list[str],
        name: str | None = None,
        include_in_schema: bool = True,
    ) -> Callable[[R], R]:
        """Decorator for a function of a Starlette request, served beside the protocol and
        without authorization.
        """

        def decorator(func: R) -> R:
            from starlette.routing import Route

            route = Route(path, endpoint=func, methods=methods, name=name, include_in_schema=include_in_schema)
            self._custom_starlette_routes.append(route)
            return func

        return decorator

    def _normalize_path(self, mount_path: str, endpoint: str) -> str:
        """The path of an endpoint below a mount; the name is the official package's."""
        if mount_path == "/":
            return endpoint
        return mount_path.rstrip("/") + "/" + endpoint.lstrip("/")

    def sse_app(self, mount_path: str | None = None) -> Starlette:
        """A Starlette app that serves the older HTTP transport.

        .. deprecated:: 2025-03-26
           HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
           streamable HTTP.
        """
        from .._apps import sse_app

        return sse_app(cast("Any", self), mount_path)

    @known
    def streamable_http_app(self) -> Starlette:
        """A Starlette app that serves HTTP, alone or mounted in another app."""
        from .._apps import streamable_http_app

        return streamable_http_app(cast("Any", self))
