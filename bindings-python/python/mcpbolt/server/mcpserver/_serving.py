"""How a server of the 2.x kind is served. What `FastMCP` has as settings are arguments here,
given when it is run or made an application.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..._common.serving import Serving, Transport, known, no_option_of_stdio
from .._pages import WatchOptions

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from typing_extensions import Unpack

    from ..streamable_http import EventStore
    from ..transport_security import TransportSecuritySettings


class HttpOptions(WatchOptions, total=False):
    """Options for serving HTTP."""

    host: str
    """The address to listen on. With a local one, only local `Host` and `Origin` headers are allowed
    unless `transport_security` says otherwise. Default: `127.0.0.1`.
    """
    port: int
    """The port to listen on. Default: 8000."""
    streamable_http_path: str
    """The path of the endpoint. Default: `/mcp`."""
    path: str
    """A short name of `streamable_http_path`."""
    json_response: bool
    """Whether every answer is one JSON object; progress and log messages of a request are then not
    sent. Default: no: an answer becomes an event stream when something precedes the result.
    """
    stateless_http: bool
    """Whether to serve without sessions, so that any process can answer any request. Default: no."""
    event_store: EventStore | None
    """Stores the messages of streams, so that clients that reconnect get what they missed. Default:
    the engine keeps up to 1000 messages and 1 MiB for each session, in memory.
    """
    retry_interval: int | None
    """How many milliseconds clients should wait before they reconnect to a stream that ended.
    Default: 1000.
    """
    max_request_body_size: int
    """The largest request body that is accepted, in bytes; larger ones get status 413. Default:
    4 MiB.
    """
    session_idle_timeout: float | None
    """After how many seconds without traffic a session ends; `None` for never. Default: 1800."""
    max_sessions: int | None
    """How many sessions may be open at a time; further ones get status 503. `None` for no limit.
    Default: 10,000.
    """
    transport_security: TransportSecuritySettings | None
    """Which `Host` and `Origin` headers are allowed. Default: local ones if `host` is local, else all."""
    trusted_proxies: list[str]
    """Addresses and networks of proxies whose `Forwarded` or `X-Forwarded-For` header is
    trusted. Default: none.
    """
    stream_after: float | None
    """After how many seconds without a result an answer becomes an event stream; `None`: only
    when there is something to send before the result. Default: 0.1.
    """
    docs: bool
    """Whether people can look at the server and try it on a page of its own at `/docs`, served by the
    engine's own listener; its URL, which holds a key that is new at each start, is written to stderr
    once. Only for streamable HTTP on a local `host`, without `auth`, and not in other applications;
    else `UsageError`. Default: no.
    """
    sse_path: str
    """The path of the event stream of HTTP+SSE. Default: `/sse`."""
    message_path: str
    """The path to which clients send messages over HTTP+SSE. Default: `/messages/`."""


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
        """Serve until the client disconnects or a signal arrives.

        Ctrl-C and SIGTERM end it at once, without a traceback: with `KeyboardInterrupt` and
        exit code 130, or `SystemExit` and code 143.

        Args:
            transport: `"stdio"`, `"streamable-http"` or `"http"`, which are the same, or `"sse"`
                for the older HTTP+SSE. Default: `"stdio"`.
            options: Options for serving HTTP by name, such as `host` and `port`, see `HttpOptions`; not
                for `"stdio"`.

        Raises:
            ValueError: There is no such transport.
            TypeError: There is no such option, or one was given for `"stdio"`.
            ConnectError: The server cannot listen at the address.
        """
        if transport == "stdio" and options:
            raise TypeError(no_option_of_stdio(options))
        self._apply(options)
        super().run(transport)

    async def run_sse_async(self, **options: Unpack[HttpOptions]) -> None:
        """Serve the older transport, HTTP+SSE, until cancelled.

        Args:
            **options: Options for serving HTTP by name, such as `host` and `port`, see
                `HttpOptions`.
        """
        if options:
            self._apply(options)
        await super().run_sse_async()

    async def run_streamable_http_async(self, **options: Unpack[HttpOptions]) -> None:
        """Serve streamable HTTP until cancelled.

        Args:
            **options: Options for serving HTTP by name, such as `host` and `port`, see
                `HttpOptions`.
        """
        if options:
            self._apply(options)
        await super().run_streamable_http_async()

    def sse_app(self, **options: Unpack[HttpOptions]) -> Starlette:
        """Make a Starlette application that serves the older transport, HTTP+SSE.

        Args:
            **options: Options for serving HTTP by name, such as `host` and `port`, see
                `HttpOptions`.
        """
        if options:
            self._apply(options)
        return super().sse_app()

    @known
    def streamable_http_app(self, **options: Unpack[HttpOptions]) -> Starlette:
        """Make a Starlette application that serves streamable HTTP, to run it with an ASGI server
        or mount it in another application.

        Args:
            **options: Options for serving HTTP by name, such as `host` and `port`, see
                `HttpOptions`.
        """
        if options:
            self._apply(options)
        return super().streamable_http_app()
