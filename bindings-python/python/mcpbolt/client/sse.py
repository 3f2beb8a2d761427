"""Servers behind a URL: HTTP+SSE, the transport of 2024, deprecated by the protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlparse

from .._engine import face
from ..shared._httpx_utils import McpHttpClientFactory, create_mcp_http_client, http_library
from ._faults import faults_as_groups
from ._reach import Reach
from .streamable_http import limits_silence, url_target

if TYPE_CHECKING:
    import httpx
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import SessionMessage

__all__ = ["remove_request_params", "sse_client"]


def remove_request_params(url: str) -> str:
    """Return a URL without its query.

    Args:
        url: The URL.
    """
    return urljoin(url, urlparse(url).path)


@asynccontextmanager
async def sse_client(
    url: str,
    headers: dict[str, Any] | None = None,
    timeout: float = 5,
    sse_read_timeout: float = 60 * 5,
    httpx_client_factory: McpHttpClientFactory = create_mcp_http_client,
    auth: httpx.Auth | None = None,
    on_session_created: Callable[[str], None] | None = None,
) -> AsyncGenerator[
    tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]], None
]:
    """Connect to a server over the older transport, HTTP+SSE; yields a pair of streams for a
    `ClientSession`.

    .. deprecated:: 2025-03-26
       HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
       streamable HTTP.

    Args:
        url: The URL of the event stream, such as `http://localhost:8000/sse`.
        headers: HTTP headers to send with every request. Default: none.
        timeout: Longest time to connect, in seconds; if requests go through `httpx`, to send as well.
            Default: 5.
        sse_read_timeout: Longest silence on the event stream, in seconds; then the session ends. With
            any value but the default, requests go through `httpx`. Default: 300 if they do, else no
            limit.
        httpx_client_factory: Function that makes the `httpx` client for all requests. Default: the
            engine sends the requests itself, unless `auth` or `on_session_created` is given.
        auth: Authentication for `httpx`; with it, requests go through `httpx`. Default: none.
        on_session_created: Called with the id of the session; with it, requests go through `httpx`.
            Default: none.
    """
    own = auth is None and httpx_client_factory is create_mcp_http_client and on_session_created is None
    own = own and not limits_silence(sse_read_timeout)
    opens_first = face.current.opens_first
    if own and not opens_first:
        reach = Reach(url_target(url, headers, timeout, transport="sse"))
        try:
            with faults_as_groups(url, "GET", unopened=lambda: reach.refusal):
                yield reach.reader, reach.writer
        finally:
            await reach.close()
        return
    from ._sse_carrier import SseCarrier

    limits = http_library().Timeout(timeout, read=sse_read_timeout)
    async with httpx_client_factory(headers=headers, timeout=limits, auth=auth) as client:
        carrier = SseCarrier(client, on_session_created)
        reach = Reach({"url": url, "transport": "sse"}, carrier=carrier)
        try:
            if opens_first:
                reach.start()
                await carrier.opened()
            with faults_as_groups(url, "GET", lambda: carrier.fault):
                if not opens_first:
                    reach.start()
                    await carrier.opened()
                yield reach.reader, reach.writer
        finally:
            await reach.close()
