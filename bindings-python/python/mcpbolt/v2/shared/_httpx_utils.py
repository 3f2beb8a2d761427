"""HTTP clients of the `httpx2` package, made as in the official package.

Owns: which package it is. Must not know: who sends what. Where `httpx2` is not installed it is
`httpx`, which has the same names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...shared._httpx_utils import (
    MCP_DEFAULT_SSE_READ_TIMEOUT,
    MCP_DEFAULT_TIMEOUT,
    McpHttpClientFactory,
    client_of,
    newest_http_library,
    next_request_within_origin,
    redirect_location,
)

if TYPE_CHECKING:
    import httpx

__all__ = [
    "MCP_DEFAULT_SSE_READ_TIMEOUT",
    "MCP_DEFAULT_TIMEOUT",
    "McpHttpClientFactory",
    "create_mcp_http_client",
    "next_request_within_origin",
    "redirect_location",
]


def create_mcp_http_client(
    headers: dict[str, str] | None = None,
    timeout: httpx.Timeout | None = None,
    auth: httpx.Auth | None = None,
) -> httpx.AsyncClient:
    """Make an HTTP client with the time-outs of MCP clients.

    Args:
        headers: Headers for every request. Default: none.
        timeout: The time-outs. Default: 30 seconds, and 300 seconds to wait for the next bytes of a
            response.
        auth: Authorizes the requests. Default: nothing does.
    """
    return client_of(newest_http_library(), headers, timeout, auth)
