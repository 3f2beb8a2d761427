"""Streamable HTTP for clients of 2.x: a pair of streams, without the session id.

Owns: the shape of the function. Must not know: how messages are carried.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from ...client.streamable_http import ResumptionError, StreamableHTTPError, StreamableHTTPTransport, bounded

if TYPE_CHECKING:
    from ._transport import TransportStreams

__all__ = ["ResumptionError", "StreamableHTTPError", "StreamableHTTPTransport", "streamable_http_client"]

DEFAULT_MAX_SSE_EVENT_SIZE = 1024 * 1024
MAX_RECONNECTION_ATTEMPTS = 2


@asynccontextmanager
async def streamable_http_client(
    url: str,
    *,
    http_client: Any = None,
    terminate_on_close: bool = True,
    max_sse_event_size: int | None = DEFAULT_MAX_SSE_EVENT_SIZE,
) -> AsyncGenerator[TransportStreams, None]:
    """Connect to a server over streamable HTTP; yields a pair of streams for a `ClientSession`.

    Args:
        url: The URL of the endpoint, such as `http://localhost:8000/mcp`.
        http_client: An `AsyncClient` of `httpx2` or `httpx` that all requests go through, for its
            headers, `auth`, proxies or certificates. The caller closes it. Default: none, the engine
            sends the requests itself.
        terminate_on_close: Whether to end the session on the server too, with a DELETE request,
            when the connection is closed. Default: yes.
        max_sse_event_size: The largest event of a stream that comes through `http_client`, in bytes;
            a larger one ends its request with an error. `None` for the engine's limit of messages,
            `max_message_bytes`, which also holds without `http_client`. Default: 1 MiB.

    Raises:
        ValueError: `max_sse_event_size` is zero or less.
    """
    if max_sse_event_size is not None and max_sse_event_size <= 0:
        raise ValueError("max_sse_event_size must be positive or None")
    async with bounded(url, http_client, terminate_on_close, max_sse_event_size) as streams:
        yield streams[0], streams[1]
