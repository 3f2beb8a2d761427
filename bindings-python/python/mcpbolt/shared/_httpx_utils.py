"""HTTP clients of the `httpx` package, made as in the official package."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from .._engine import face

if TYPE_CHECKING:
    import httpx

__all__ = ["MCP_DEFAULT_SSE_READ_TIMEOUT", "MCP_DEFAULT_TIMEOUT", "McpHttpClientFactory", "create_mcp_http_client"]

# In seconds.
MCP_DEFAULT_TIMEOUT = 30.0
MCP_DEFAULT_SSE_READ_TIMEOUT = 300.0


# What the official package says of redirects after their location.
_DOWNGRADE = """\
: it would downgrade this HTTPS endpoint to plain HTTP.
The server is likely behind a TLS-terminating proxy whose forwarded headers it does not trust,
often combined with a trailing-slash difference. Try {} instead, or fix the proxy settings.\
"""
_ELSEWHERE = "; use that URL as the endpoint if it is the intended server"


class McpHttpClientFactory(Protocol):
    """Makes the HTTP client that sends the requests."""

    def __call__(
        self,
        headers: dict[str, str] | None = None,
        timeout: httpx.Timeout | None = None,
        auth: httpx.Auth | None = None,
    ) -> httpx.AsyncClient:
        """Return the client. The caller closes it."""
        ...


def http_library() -> Any:
    """The package whose HTTP clients programs of the process's line use: `httpx`, or `httpx2`
    for 2.x.
    """
    return newest_http_library() if face.current.api == 2 else import_module("httpx")


def newest_http_library() -> Any:
    """The package whose HTTP clients programs for 2.x use: `httpx2`, where it is installed."""
    try:
        return import_module("httpx2")
    except ImportError:
        return import_module("httpx")


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
    return client_of(http_library(), headers, timeout, auth)


def client_of(
    library: Any, headers: dict[str, str] | None, timeout: httpx.Timeout | None, auth: httpx.Auth | None
) -> httpx.AsyncClient:
    """A client of this package, `httpx` or one with the same names, as `create_mcp_http_client`
    makes it.
    """
    options: dict[str, Any] = {
        "timeout": timeout or library.Timeout(MCP_DEFAULT_TIMEOUT, read=MCP_DEFAULT_SSE_READ_TIMEOUT)
    }
    if headers is not None:
        options["headers"] = headers
    if auth is not None:
        options["auth"] = auth
    made: httpx.AsyncClient = library.AsyncClient(**options)
    return made


def next_request_within_origin(response: httpx.Response) -> httpx.Request | None:
    """The request that follows a redirect; `None` if the redirect must not be followed.

    It may be followed if the method and the origin stay the same (or the origin becomes its
    HTTPS equivalent on the default ports), and the new URL has no credentials of its own.
    """
    following = response.next_request
    if following is None:
        return None
    sent, url = response.request, following.url
    brings = url.userinfo and url.userinfo != sent.url.userinfo
    stays = following.method == sent.method and _is_within_origin(sent.url, url)
    return following if stays and not brings else None


def redirect_location(response: httpx.Response) -> httpx.URL | None:
    """Where a redirect leads, without credentials, query and fragment; `None` if the response
    is not a redirect.
    """
    following = response.next_request
    return None if following is None else following.url.copy_with(userinfo=b"", query=None, fragment=None)


def redirect_note(response: httpx.Response) -> str:
    """A text about a redirect that was not followed; empty for other responses."""
    shown = redirect_location(response)
    return "" if shown is None else f" (redirected to {shown}; not followed)"


def refuse_redirect(response: httpx.Response) -> None:
    """Raise an error that says why a redirect was not followed, and what to do.

    Raises:
        httpx.HTTPStatusError: The response is a redirect.
    """
    shown = redirect_location(response)
    if shown is None:
        return
    words = f"Redirect to {shown} not followed"
    downgrades = (response.request.url.scheme, shown.scheme) == ("https", "http")
    if not face.current.own_words:
        words += _DOWNGRADE.format(shown.copy_with(scheme="https")) if downgrades else _ELSEWHERE
    elif downgrades:
        words += (
            ": it leads from HTTPS to plain HTTP. Servers behind a proxy that ends TLS do so when they do not"
            " trust its headers, often for want of a slash at the end of the path."
            f" Try {shown.copy_with(scheme='https')}, or have the server trust the proxy"
        )
    else:
        words += ": if this is the server you mean, make it the endpoint"
    raise http_library().HTTPStatusError(words, request=response.request, response=response)


def _is_within_origin(url: httpx.URL, other: httpx.URL) -> bool:
    # httpx writes hosts in lower case and leaves out default ports.
    if (url.scheme, url.host, url.port) == (other.scheme, other.host, other.port):
        return True
    upgraded = (url.scheme, other.scheme) == ("http", "https") and url.port is other.port is None
    return upgraded and url.host == other.host
