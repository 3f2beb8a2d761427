"""How requests of a flow are sent: redirects are followed, proofs added, nonces repeated."""

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
    def _prove(self, request: httpx.Request) -> None:
        """Add a proof of possession to a request that goes with one."""

    @abstractmethod
    async def _wants_nonce(self, request: httpx.Request, response: httpx.Response) -> bool:
        """Whether a request has to be sent once more, with the server's nonce in its proof."""

    @abstractmethod
    def _auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """The flow, with the interface of `httpx.Auth.async_auth_flow`."""

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        """Run the flow, follow its redirects, and send once more what lacks a nonce.

        Args:
            request: The request.
        """
        flow = self._auth_flow(request)
        try:
            outgoing = await flow.__anext__()
            while True:
                self._prove(outgoing)
                response = yield outgoing
                if await self._wants_nonce(outgoing, response):
                    self._prove(outgoing)
                    response = yield outgoing
                    await self._wants_nonce(outgoing, response)
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
