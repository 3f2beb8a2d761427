"""Servers behind a URL: streamable HTTP.

By default the engine sends the requests. If the program gives an HTTP client, a factory for
one, or `auth`, every request goes through that client. `StreamableHTTPTransport` is for
programs that open the streams themselves.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeAlias

from typing_extensions import deprecated

from .._engine import face
from ..shared._httpx_utils import (
    MCP_DEFAULT_SSE_READ_TIMEOUT,
    McpHttpClientFactory,
    create_mcp_http_client,
    http_library,
)
from ._faults import faults_as_groups
from ._http_transport import RequestContext, StreamableHTTPTransport
from ._reach import Reach

if TYPE_CHECKING:
    import httpx
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import SessionMessage

    Streams: TypeAlias = tuple[
        "MemoryObjectReceiveStream[SessionMessage | Exception]",
        "MemoryObjectSendStream[SessionMessage]",
        "GetSessionIdCallback",
    ]

__all__ = [
    "GetSessionIdCallback",
    "RequestContext",
    "ResumptionError",
    "StreamableHTTPError",
    "StreamableHTTPTransport",
    "streamable_http_client",
    "streamablehttp_client",
]

GetSessionIdCallback: TypeAlias = Callable[[], "str | None"]

MCP_SESSION_ID = "mcp-session-id"
MCP_PROTOCOL_VERSION = "mcp-protocol-version"
LAST_EVENT_ID = "last-event-id"


class StreamableHTTPError(Exception):
    """An error of the streamable HTTP transport."""


class ResumptionError(StreamableHTTPError):
    """A broken event stream cannot be resumed."""


@asynccontextmanager
async def streamable_http_client(
    url: str, *, http_client: httpx.AsyncClient | None = None, terminate_on_close: bool = True
) -> AsyncGenerator[Streams, None]:
    """Connect to a server over streamable HTTP; yields a pair of streams for a `ClientSession`, and
    a function that returns the session id, or `None` without one.

    Args:
        url: The URL of the endpoint, such as `http://localhost:8000/mcp`.
        http_client: An `httpx.AsyncClient` that all requests go through, for its headers, `auth`,
            proxies or certificates. The caller closes it. Default: none, the engine sends the
            requests itself.
        terminate_on_close: Whether to end the session on the server too, with a DELETE request, when
            the connection is closed. Default: yes.
    """
    async with bounded(url, http_client, terminate_on_close, None) as streams:
        yield streams


@asynccontextmanager
async def bounded(
    url: str, http_client: httpx.AsyncClient | None, terminate_on_close: bool, most: int | None
) -> AsyncGenerator[Streams, None]:
    """`streamable_http_client` with a limit for the events that come through the HTTP client, in
    bytes.

    Args:
        url: The URL of the server.
        http_client: Sends the requests; `None` for the engine.
        terminate_on_close: Whether to end the session on the server too, with a DELETE request,
            when the connection is closed.
        most: The largest event, in bytes; `None` for no limit.
    """
    target = {"url": url, "end_session": terminate_on_close}
    if http_client is None and face.current.carries_http:
        async with create_mcp_http_client() as own, _reaching(target, own, most) as streams:
            yield streams
        return
    async with _reaching(target, http_client, most) as streams:
        yield streams


@asynccontextmanager
async def _reaching(
    target: dict[str, Any], http_client: httpx.AsyncClient | None = None, most: int | None = None
) -> AsyncGenerator[Streams, None]:
    """The streams of a target, which the engine reaches by itself or through an HTTP client."""
    carrier = None
    if http_client is not None:
        from ._carrier import Carrier

        carrier = Carrier(http_client, face.current.gone_code, face.current.raises_statuses, most)
    reach = Reach(target, carrier=carrier)
    if face.current.carries_http:
        # Programs send before the handshake, and resume streams of calls that they gave up.
        reach.start()
    try:
        with faults_as_groups(target["url"], carried=lambda: reach.fault, unopened=lambda: reach.unopened):
            yield reach.reader, reach.writer, lambda: reach.session_id()
    finally:
        await reach.close()


@asynccontextmanager
async def _streamablehttp_client(
    url: str,
    headers: dict[str, str] | None = None,
    timeout: float | timedelta = 30,
    sse_read_timeout: float | timedelta = 60 * 5,
    terminate_on_close: bool = True,
    httpx_client_factory: McpHttpClientFactory = create_mcp_http_client,
    auth: httpx.Auth | None = None,
) -> AsyncGenerator[Streams, None]:
    """`streamable_http_client` with the options of older versions."""
    plain = auth is None and httpx_client_factory is create_mcp_http_client and not limits_silence(sse_read_timeout)
    if plain and not face.current.carries_http:
        target = url_target(url, headers, seconds(timeout), end_session=terminate_on_close)
        async with _reaching(target) as streams:
            yield streams
        return
    limits = http_library().Timeout(seconds(timeout), read=seconds(sse_read_timeout))
    async with httpx_client_factory(headers=headers, timeout=limits, auth=auth) as client:
        async with streamable_http_client(
            url, http_client=client, terminate_on_close=terminate_on_close
        ) as streams:
            yield streams


@deprecated("Use `streamable_http_client` instead.")
def streamablehttp_client(
    url: str,
    headers: dict[str, str] | None = None,
    timeout: float | timedelta = 30,
    sse_read_timeout: float | timedelta = 60 * 5,
    terminate_on_close: bool = True,
    httpx_client_factory: McpHttpClientFactory = create_mcp_http_client,
    auth: httpx.Auth | None = None,
) -> AbstractAsyncContextManager[Streams]:
    """Connect to a server over streamable HTTP, with the options of older versions; yields what
    `streamable_http_client` yields.

    Args:
        url: The URL of the endpoint, such as `http://localhost:8000/mcp`.
        headers: HTTP headers to send with every request. Default: none.
        timeout: Longest time to connect, in seconds or as `timedelta`; if requests go through
            `httpx`, to send as well. Default: 30 seconds.
        sse_read_timeout: Longest silence while a response is read, in seconds or as `timedelta`. With
            any value but the default, requests go through `httpx`, and one whose answer does not
            begin or go on within it raises `ConnectError`. Default: 300 seconds if requests go
            through `httpx`, else no limit.
        terminate_on_close: Whether to end the session on the server too, with a DELETE request, when
            the connection is closed. Default: yes.
        httpx_client_factory: Function that makes the `httpx` client for all requests. Default: the
            engine sends the requests itself, unless `auth` is given.
        auth: Authentication for `httpx`; with it, requests go through `httpx`. Default: none.
    """
    return _streamablehttp_client(
        url, headers, timeout, sse_read_timeout, terminate_on_close, httpx_client_factory, auth
    )


def limits_silence(given: float | timedelta | None) -> bool:
    """Whether a program set a limit for silence, which only `httpx` keeps.

    Args:
        given: The limit that it gave, in seconds or as `timedelta`; `None` for no limit.
    """
    return given is not None and seconds(given) != MCP_DEFAULT_SSE_READ_TIMEOUT


def seconds(time: float | timedelta) -> float:
    """A duration in seconds.

    Args:
        time: The duration, in seconds or as `timedelta`.
    """
    return time.total_seconds() if isinstance(time, timedelta) else time


def url_target(
    url: str, headers: dict[str, Any] | None, timeout: float | None, **more: Any
) -> dict[str, Any]:
    """The engine's target for a URL.

    Args:
        url: The URL of the server.
        headers: HTTP headers to send with every request; `None` for none.
        timeout: Longest time to connect, in seconds; `None` for the engine's limit.
        **more: Further members of the target.
    """
    target: dict[str, Any] = {"url": url, **more}
    if headers:
        target["headers"] = [[name, str(value)] for name, value in headers.items()]
    if timeout is not None:
        target["connect_timeout"] = timeout
    return target
