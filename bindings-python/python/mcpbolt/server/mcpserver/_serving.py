"""How a server of the 2.x kind is served. What `FastMCP` has as settings are arguments here,
given when it is run or made an application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ..._common.serving import Serving, Transport, known, no_option_of_stdio

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from typing_extensions import Unpack

    from ..streamable_http import EventStore
    from ..transport_security import TransportSecuritySettings


class HttpOptions(TypedDict, total=False):
    """Options for serving HTTP. The defaults are those of `FastMCP`'s settings."""

    host: str
    """The address to listen on. With a local address, only local hosts and origins are allowed."""
    port: int
    """The port to listen on."""
    streamable_http_path: str
    """The path of the endpoint."""
    path: str
    """Short for `streamable_http_path`."""
    json_response: bool
    """Whether to answer with JSON where no stream is needed."""
    stateless_http: bool
    """Whether to serve without sessions."""
    event_store: EventStore | None
    """Stores messages for clients that reconnect."""
    retry_interval: int | None
    """After how many milliseconds clients should reconnect."""
    max_request_body_size: int
    """The largest request body that is accepted, in bytes."""
    session_idle_timeout: float | None
    """After how many seconds an unused session ends; `None` for never."""
    max_sessions: int | None
    """How many sessions may be open at a time; `None` for no limit."""
    transport_security: TransportSecuritySettings | None
    """Which hosts and origins are allowed."""
    trusted_proxies: list[str]
    """Addresses and networks of proxies whose `Forwarded` or `X-Forwarded-For` header is
    trusted.
    """
    stream_after: float | None
    """After how many seconds without a result an answer becomes an event stream; with `None`,
    when it has its first message.
    """
    sse_path: str
    """The path at which sessions of HTTP+SSE open."""
    message_path: str
    """The path to which messages of HTTP+SSE are sent."""


# Short names of options.
_SPELLED = {"path": "streamable_http_path"}
_OWN = ("event_store", "retry_interval", "transport_security")


class ServingByOptions(Serving):
    """The part of `MCPServer` that serves it."""

    def _apply(self, options: HttpOptions) -> None:
        settings = self.settings
        unknown = [name for name in options if name not in HttpOptions.__annotations__]
        if unknown:
            raise TypeError(f"there is no option {', '.join(map(repr, unknown))}")
        for name, value in options.items():
            if name not in _OWN:
                setattr(settings, _SPELLED.get(name, name), value)
        self._event_store = options.get("event_store")
        self._retry_interval = options.get("retry_interval")
        settings.secure(options.get("transport_security"), settings.host)
        self._session_manager = None

    def run(
        self, transport: Transport = "stdio", **options: Unpack[HttpOptions]
    ) -> None:
        """Serve until the client disconnects or a signal arrives; see `FastMCP.run`.

        Args:
            transport: `"stdio"`, `"sse"`, or `"streamable-http"`, which can be written as `"http"`.
            options: Options for serving HTTP, see `HttpOptions`; not for `"stdio"`.

        Raises:
            ValueError: There is no such transport.
            TypeError: The transport does not have an option that was given.
        """
        if transport == "stdio" and options:
            raise TypeError(no_option_of_stdio(options))
        self._apply(options)
        super().run(transport)

    async def run_sse_async(self, **options: Unpack[HttpOptions]) -> None:
        """Serve the older transport, HTTP+SSE, until cancelled.

        Args:
            **options: Options for serving HTTP, see `HttpOptions`.
        """
        if options:
            self._apply(options)
        await super().run_sse_async()

    async def run_streamable_http_async(self, **options: Unpack[HttpOptions]) -> None:
        """Serve streamable HTTP until cancelled.

        Args:
            **options: Options for serving HTTP, see `HttpOptions`.
        """
        if options:
            self._apply(options)
        await super().run_streamable_http_async()

    def sse_app(self, **options: Unpack[HttpOptions]) -> Starlette:
        """Make a Starlette application that serves the older transport, HTTP+SSE.

        Args:
            **options: Options for serving HTTP, see `HttpOptions`.
        """
        if options:
            self._apply(options)
        return super().sse_app()

    @known
    def streamable_http_app(self, **options: Unpack[HttpOptions]) -> Starlette:
        """Make a Starlette application that serves HTTP, alone or mounted in another
        application.

        Args:
            **options: Options for serving HTTP, see `HttpOptions`.
        """
        if options:
            self._apply(options)
        return super().streamable_http_app()
