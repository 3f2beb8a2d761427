"""Resource indicators (RFC 8707) and the expiry of tokens."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    from pydantic import AnyUrl, HttpUrl


def resource_url_from_server_url(url: str | HttpUrl | AnyUrl) -> str:
    """A server's URL as a resource indicator: scheme and host in lower case, no fragment.

    Args:
        url: The URL.
    """
    parts = urlsplit(str(url))
    return parts._replace(scheme=parts.scheme.lower(), netloc=parts.netloc.lower(), fragment="").geturl()


def check_resource_allowed(requested_resource: str, configured_resource: str) -> bool:
    """Whether a resource is the configured one or below it: same origin, and the path begins
    with the same segments.

    Args:
        requested_resource: The resource.
        configured_resource: The configured one.
    """
    requested, configured = urlsplit(requested_resource), urlsplit(configured_resource)
    return _origin(requested) == _origin(configured) and _folder(requested).startswith(_folder(configured))


def calculate_token_expiry(expires_in: int | str | None) -> float | None:
    """When a token expires, in seconds since 1970; `None` if unknown.

    `expires_in` is in seconds; some servers send it as text.

    Args:
        expires_in: For how many seconds the token is valid; `None` if unknown.
    """
    return None if expires_in is None else time.time() + int(expires_in)


def _origin(parts: SplitResult) -> tuple[str, str]:
    return parts.scheme.lower(), parts.netloc.lower()


def _folder(parts: SplitResult) -> str:
    # With a final slash, so that `/api` does not contain `/api123`.
    return parts.path if parts.path.endswith("/") else parts.path + "/"
