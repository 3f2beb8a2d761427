"""Servers behind a URL: HTTP+SSE, the transport of 2024. Deprecated by the protocol."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlparse

from ..shared._httpx_utils import McpHttpClientFactory, create_mcp_http_client
from ._faults import faults_as_groups
from ._reach import Reach
from .streamable_http import url_target

if TYPE_CHECKING:
    import httpx
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from ..shared.message import SessionMessage

__all__ = ["remove_request_params", "sse_client"]


def remove_request_params(url: str) -> str:
    """A URL without its query."""
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
    """A server behind a URL, as a pair of streams.

    .. deprecated:: 2025-03-26
       HTTP+SSE, SEP-2596; earliest removal three months after SEP-2596 is final. Use
       streamable HTTP.

    Args:
        url: Where the stream of events is.
        headers: Sent with every request.
        timeout: Seconds, for all but the stream.
        sse_read_timeout: Seconds without a byte on the stream; only with an HTTP client
            of the program's.
        httpx_client_factory: Makes the HTTP client; the engine's own is used for the default.
        auth: Signs requests; they go through `httpx` then.
        on_session_created: Is told the session's id.
    """
    own = auth is None and httpx_client_factory is create_mcp_http_client and on_session_created is None
    if own:
        reach = Reach(url_target(url, headers, timeout, transport="sse"))
        try:
            with faults_as_groups(url, "GET", unopened=lambda: reach.refusal):
                yield reach.reader, reach.writer
        finally:
            await reach.close()
        return
    import httpx

    from ._httpx_sse import HttpxSseTransport

    limits = httpx.Timeout(timeout, read=sse_read_timeout)
    async with httpx_client_factory(headers=headers, timeout=limits, auth=auth) as client:
        transport = HttpxSseTransport(url, client, on_session_created)
        try:
            with faults_as_groups(url, "GET", lambda: transport.fault):
                await transport.open()
                yield transport.reader, transport.writer
        finally:
            await transport.close()
