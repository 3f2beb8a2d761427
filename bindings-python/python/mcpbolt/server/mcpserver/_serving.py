"""How a server of the 2.x kind is served: what `FastMCP` has as settings is said here,
when it is run or made an application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from ..fastmcp._serving import Serving, Transport, known

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from typing_extensions import Unpack

    from ..streamable_http import EventStore
    from ..transport_security import TransportSecuritySettings


class HttpOptions(TypedDict, total=False):
    """How HTTP is served."""

    host: str
    """The address to listen on; a local one is guarded against foreign names."""
    port: int
    """The port to listen on."""
    streamable_http_path: str
    """Where the endpoint is."""
    path: str
    """The same."""
    json_response: bool
    """Answer with JSON where a stream is not needed."""
    stateless_http: bool
    """Without sessions."""
    event_store: EventStore | None
    """Keeps messages for clients that come back."""
    retry_interval: int | None
    """Milliseconds after which a client should come back."""
    max_request_body_size: int
    """Bytes."""
    session_idle_timeout: float | None
    """Seconds after which an unused session ends."""
    max_sessions: int | None
    """Most sessions at a time."""
    transport_security: TransportSecuritySettings | None
    """Which hosts and origins may ask."""
    trusted_proxies: list[str]
    """Addresses and networks whose `Forwarded` or `X-Forwarded-For` is believed."""
    stream_after: float | None
    """Seconds after which an undecided answer becomes a stream; `None`: with its first message."""
    sse_path: str
    """For the older transport: where sessions open."""
    message_path: str
    """For the older transport: where messages are sent."""


# Short names, and the settings they mean.
_SPELLED = {"path": "streamable_http_path"}
_OWN = ("event_store", "retry_interval", "transport_security")


class ServingByOptions(Serving):
    """The part of `MCPServer` that runs it."""

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

    def run(  # type: ignore[override]
        self, transport: Transport = "stdio", **options: Unpack[HttpOptions]
    ) -> None:
        """Serve until the client leaves, or a signal ends it; see `FastMCP.run`.

        Args:
            transport: How clients reach it; `"http"` is `"streamable-http"`.
            options: How HTTP is served; not for `"stdio"`.

        Raises:
            ValueError: The transport is not known.
            TypeError: An option the transport does not have.
        """
        if transport == "stdio" and options:
            names = ", ".join(map(repr, options))
            raise TypeError(f"stdio has no option {names}: say transport=\"http\" too, or leave it out")
        self._apply(options)
        super().run(transport)

    async def run_sse_async(self, **options: Unpack[HttpOptions]) -> None:  # type: ignore[override]
        """Serve the older HTTP transport."""
        if options:
            self._apply(options)
        await super().run_sse_async()

    async def run_streamable_http_async(self, **options: Unpack[HttpOptions]) -> None:
        """Serve HTTP from the engine."""
        if options:
            self._apply(options)
        await super().run_streamable_http_async()

    def sse_app(self, **options: Unpack[HttpOptions]) -> Starlette:  # type: ignore[override]
        """A Starlette app that serves the older HTTP transport."""
        if options:
            self._apply(options)
        return super().sse_app()

    @known
    def streamable_http_app(self, **options: Unpack[HttpOptions]) -> Starlette:
        """A Starlette app that serves HTTP, alone or mounted in another app."""
        if options:
            self._apply(options)
        return super().streamable_http_app()
