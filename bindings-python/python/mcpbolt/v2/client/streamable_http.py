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
    """Reach a server over streamable HTTP; yields a pair of streams.

    Args:
        url: The server's endpoint.
        http_client: The client of `httpx2` or `httpx` that requests go through. Default: the
            engine sends them itself.
        terminate_on_close: Whether to tell the server when the session ends.
        max_sse_event_size: The largest event that may come through `http_client`, in bytes; a
            larger one ends its request with an error. `None` for the engine's own limit of
            messages, `max_message_bytes`, which holds for requests that it sends itself too.

    Raises:
        ValueError: `max_sse_event_size` is zero or less.
    """
    if max_sse_event_size is not None and max_sse_event_size <= 0:
        raise ValueError("max_sse_event_size must be positive or None")
    async with bounded(url, http_client, terminate_on_close, max_sse_event_size) as streams:
        yield streams[0], streams[1]
