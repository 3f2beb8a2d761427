"""How a high-level server is served: over standard streams, HTTP, or inside another application.

Owns: what both lines offer alike. Must not know: where options come from: from settings in 1.x,
from arguments in 2.x.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from .._engine import face

if TYPE_CHECKING:
    from pydantic import AnyUrl
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

    from ..server.lowlevel.server import Server
    from ..server.streamable_http_manager import StreamableHTTPSessionManager
    from .logging import LogFormat
    from .settings import Settings

R = TypeVar("R", bound="Callable[[Request], Awaitable[Response]]")
H = TypeVar("H", bound="Callable[[str], Any]")

Transport = Literal["stdio", "sse", "streamable-http", "http"]
TRANSPORTS = ("stdio", "sse", "streamable-http", "http")
# Methods that programs patch to change what a server sends about itself.
_PATCHABLE = ("run", "create_initialization_options", "get_capabilities")


# Methods that make an application and configure nothing that the engine does not support.
_KNOWN: set[Any] = set()
F = TypeVar("F", bound="Callable[..., Any]")


def known(function: F) -> F:
    """Add a function to the known ones."""
    _KNOWN.add(function)
    return function


def check_auth(auth: Any, provider: Any, verifier: Any) -> None:
    """Refuse combinations of authorization settings that contradict each other."""
    if auth is None:
        if provider or verifier:
            raise ValueError("Cannot specify auth_server_provider or token_verifier without auth settings")
    elif getattr(auth, "verifies_tokens", False):
        if provider or verifier:
            raise ValueError("These auth settings verify tokens themselves: leave the provider and the verifier out")
    elif provider and verifier:
        raise ValueError("Cannot specify both auth_server_provider and token_verifier")
    elif not provider and not verifier:
        raise ValueError("Must specify either auth_server_provider or token_verifier when auth is enabled")


def introduction_of(server: Server[Any, Any]) -> dict[str, Any] | None:
    """What a server sends about itself, made without models; `None` if the server overrides
    the methods for that.
    """
    from ..server._about import introduction
    from ..server.lowlevel.server import Server

    if type(server) is not Server or any(name in server.__dict__ for name in _PATCHABLE):
        return None
    capabilities = server.capabilities(server.notification_options, {})
    return introduction(server.name, server.shown_version, capabilities, server)


def verifier_of(provider: Any) -> Any:
    """The token verifier of a server that is its own authorization server."""
    if provider is None:
        return None
    from ..server.auth.provider import ProviderTokenVerifier

    return ProviderTokenVerifier(provider)


def transport_of(name: str) -> str:
    """The canonical name of a transport.

    Raises:
        ValueError: There is no transport of that name.
    """
    if face.current.own_words:
        if name not in TRANSPORTS:
            raise ValueError(f"Unknown transport: {name} ({', '.join(TRANSPORTS)})")
        return "streamable-http" if name == "http" else name
    if name == "http" or name not in TRANSPORTS:
        raise ValueError(f"Unknown transport: {name}")
    return name


def no_option_of_stdio(given: Iterable[str]) -> str:
    """The message for options of HTTP that were given for stdio."""
    return f"stdio has no option {', '.join(map(repr, given))}: say transport=\"http\" too, or leave it out"


def run_as_program(main: Callable[[], Awaitable[None]]) -> None:
    """Run a server until it ends, unless a module is only imported to find the server in it."""
    from .._engine.runner import passed_over, run
    from ..shared.exceptions import ConnectError, UsageError

    if passed_over():
        return
    try:
        run(main)
    except (ConnectError, UsageError) as error:
        # The frames inside this package would not help the reader.
        raise error.with_traceback(None) from None


class Serving:
    """The part of a high-level server that serves it."""

    _mcp_server: Server[Any, Any]
    settings: Settings
    _custom_starlette_routes: list[Any]
    _session_manager: StreamableHTTPSessionManager | None
    _log_format: LogFormat | None

    def on_subscribe(self, hook: H) -> H:
        """Decorator for a function that is called when a client of any revision subscribes to a
        resource. The function may be async.

        Args:
            hook: The function; gets the URI.

        Example:
            ```python
            @mcp.on_subscribe
            def subscribed(uri: str) -> None:
                print(f"somebody watches {uri}", file=sys.stderr)
            ```
        """
        return self._mcp_server.on_subscribe(hook)

    def on_unsubscribe(self, hook: H) -> H:
        """Decorator for a function that is called when a subscription to a resource ends: the
        client unsubscribed, or its connection closed. The function may be async.

        Args:
            hook: The function; gets the URI.

        Example:
            ```python
            @mcp.on_unsubscribe
            def unsubscribed(uri: str) -> None:
                print(f"one watcher less of {uri}", file=sys.stderr)
            ```
        """
        return self._mcp_server.on_unsubscribe(hook)

    def resource_updated(self, uri: AnyUrl | str) -> None:
        """Notify every client that subscribed to a resource that it changed, whatever its transport
        and revision. May be called from any thread.

        Args:
            uri: The URI of the resource.
        """
        self._mcp_server.resource_updated(uri)

    def stats(self) -> dict[str, Any]:
        """Counters of this server: sessions, requests, errors and so on; see `Server.stats`."""
        return self._mcp_server.stats()

    def run(self, transport: Transport = "stdio") -> None:
        """Serve until the client disconnects or a signal arrives.

        Args:
            transport: `"stdio"`, `"streamable-http"` or `"http"`, which are the same, or `"sse"`
                for the older HTTP+SSE. Default: `"stdio"`.

        Raises:
            ValueError: There is no such transport.
            ConnectError: The server cannot listen at the address.
        """
        chosen = transport_of(transport)
        if chosen == "stdio":
            run_as_program(self.run_stdio_async)
        elif chosen == "sse":
            run_as_program(self.run_sse_async)
        else:
            run_as_program(self.run_streamable_http_async)

    async def run_stdio_async(self) -> None:
        """Serve the process's standard streams until their end."""
        from .._engine.runner import passed_over
        from ..server._run import serve_stdio

        if passed_over():
            return
        server = self._mcp_server
        about = introduction_of(server)
        if about is not None:
            await serve_stdio(server, about)
            return
        from ..server.stdio import stdio_server

        async with stdio_server() as (read_stream, write_stream):
            await server.run(read_stream, write_stream, server.create_initialization_options())

    async def run_sse_async(self) -> None:
        """Serve the older transport, HTTP+SSE, until cancelled.

        .. deprecated:: 2025-03-26
           HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
           streamable HTTP.
        """
        from .._engine.runner import passed_over

        if not passed_over():
            await self._serve_app(self.sse_app())

    async def run_streamable_http_async(self) -> None:
        """Serve streamable HTTP until cancelled. The engine's own HTTP server does this; uvicorn does
        if `auth` is set, or if the program replaced `streamable_http_app`.

        Raises:
            ConnectError: The server cannot listen at the address.
            UsageError: The server cannot have the page that `docs` asks for.
        """
        from .._engine.runner import passed_over

        if passed_over():
            return
        own_app = type(self).streamable_http_app not in _KNOWN or "streamable_http_app" in vars(self)
        if not own_app and self.settings.auth is None:
            from ..server._listener import serve_http

            await serve_http(cast("Any", self), introduction_of)
        else:
            await self._serve_app(self.streamable_http_app())

    async def _serve_app(self, app: Starlette) -> None:
        import uvicorn

        from ..server._apps import refuse_docs
        from ..shared.exceptions import UsageError

        if self.settings.shutdown_delay:
            remedy = "leave it out, or serve streamable HTTP without auth"
            raise UsageError(f"shutdown_delay: uvicorn serves here, which has no such option; {remedy}")
        refuse_docs(cast("Any", self))
        level = self.settings.log_level.lower()
        # Handlers of its own would write text.
        more: dict[str, Any] = {"log_config": None} if self._log_format == "json" else {}
        config = uvicorn.Config(app, host=self.settings.host, port=self.settings.port, log_level=level, **more)
        await uvicorn.Server(config).serve()

    @property
    def session_manager(self) -> StreamableHTTPSessionManager:
        """The session manager that serves HTTP.

        Raises:
            RuntimeError: `streamable_http_app` was not called yet.
        """
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
        """Decorator for an async function that answers requests at another path than the MCP
        endpoint: it gets a Starlette `Request` and returns a `Response`. The server's `auth` does not
        protect the path.

        Args:
            path: The path, such as `/health`; may have parameters, as in Starlette.
            methods: The HTTP methods that it answers, such as `["GET"]`.
            name: The name of the route, to make URLs from. Default: the name of the function.
            include_in_schema: Whether a generated OpenAPI schema lists the route. Default: yes.

        Example:
            ```python
            @mcp.custom_route("/health", methods=["GET"])
            async def health(request):
                return JSONResponse({"status": "ok"})
            ```
        """

        def decorator(func: R) -> R:
            from starlette.routing import Route

            route = Route(path, endpoint=func, methods=methods, name=name, include_in_schema=include_in_schema)
            self._custom_starlette_routes.append(route)
            return func

        return decorator

    def _normalize_path(self, mount_path: str, endpoint: str) -> str:
        """The path of an endpoint below a mount. The method has its name in the official
        package.
        """
        if mount_path == "/":
            return endpoint
        return mount_path.rstrip("/") + "/" + endpoint.lstrip("/")

    def sse_app(self) -> Starlette:
        """Make a Starlette application that serves the older transport, HTTP+SSE.

        .. deprecated:: 2025-03-26
           HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
           streamable HTTP.
        """
        from ..server._apps import sse_app

        return sse_app(cast("Any", self), None)

    @known
    def streamable_http_app(self) -> Starlette:
        """Make a Starlette application that serves streamable HTTP, to run it with an ASGI server
        or mount it in another application.
        """
        from ..server._apps import streamable_http_app

        return streamable_http_app(cast("Any", self))
