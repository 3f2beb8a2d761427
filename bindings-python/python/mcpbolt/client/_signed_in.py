"""Servers behind a URL at which the user signs in.

Owns: what may be given as `auth`, and the HTTP client that it belongs to. Must not know: how tokens are
got; how messages are carried.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast

from ..shared.exceptions import UsageError

if TYPE_CHECKING:
    from typing import Union

    import httpx
    from typing_extensions import TypeAlias

    from .auth import OAuth

    Authentication: TypeAlias = Union["httpx.Auth", OAuth, Literal["oauth"]]
    """What a `Client` can be given as `auth`."""

_ACCEPTED = (
    'auth takes "oauth", an OAuth of mcpbolt.client.auth, or an authentication for httpx such as OAuthClientProvider; '
    'a token that you have is a header: headers={"Authorization": "Bearer ..."}'
)


class SignedIn:
    """The streams of a server, as a context manager to enter; its HTTP client is closed with it."""

    def __init__(self, url: str, headers: dict[str, str] | None, auth: Authentication, sse: bool) -> None:
        self._url, self._headers, self._sse = url, headers, sse
        self._auth = _for_httpx(auth, url)
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Any:
        if self._sse:
            from .sse import sse_client

            return await self._stack.enter_async_context(sse_client(self._url, self._headers, auth=self._auth))
        from ..shared._httpx_utils import create_mcp_http_client
        from .streamable_http import streamable_http_client

        async with AsyncExitStack() as stack:
            http = await stack.enter_async_context(create_mcp_http_client(self._headers, auth=self._auth))
            streams = await stack.enter_async_context(streamable_http_client(self._url, http_client=http))
            self._stack = stack.pop_all()
        return streams

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, traceback: TracebackType | None
    ) -> bool | None:
        return await self._stack.__aexit__(exc_type, exc, traceback)


def _for_httpx(auth: Authentication, url: str) -> httpx.Auth:
    """The authentication for the HTTP client.

    Raises:
        UsageError: It is none. What was given is not in the message: it may be a token.
    """
    from .auth import OAuth

    if isinstance(auth, str):
        if auth != "oauth":
            raise UsageError(_ACCEPTED)
        auth = OAuth()
    if isinstance(auth, OAuth):
        return auth.provider(url)
    if not hasattr(auth, "async_auth_flow"):
        raise UsageError(f"{_ACCEPTED}; not {type(cast('Any', auth)).__name__}")
    return auth
