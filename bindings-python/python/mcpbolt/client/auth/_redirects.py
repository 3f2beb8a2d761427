"""Redirects of the requests that an authorization flow makes itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator

from ...shared._httpx_utils import next_request_within_origin
from .._http_package import httpx

# How many redirects one request of a flow may follow.
_MOST = 5


class RedirectAwareAuth(ABC, httpx.Auth):
    """A flow whose own requests follow redirects that stay within their origin.

    The transports send with redirects disabled and follow those of the endpoint themselves.
    `httpx` would then not follow redirects of requests for metadata and tokens either.
    """

    @abstractmethod
    def _auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """The flow, with the interface of `httpx.Auth.async_auth_flow`."""

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Run the flow and follow its redirects.

        Args:
            request: The request.
        """
        flow = self._auth_flow(request)
        try:
            outgoing = await flow.__anext__()
            while True:
                response = yield outgoing
                if outgoing is not request:
                    for _ in range(_MOST):
                        following = next_request_within_origin(response)
                        if following is None:
                            break
                        response = yield following
                outgoing = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()
