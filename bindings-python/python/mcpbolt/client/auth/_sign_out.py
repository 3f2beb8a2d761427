"""Signing out: tokens are forgotten, then revoked (RFC 7009).

Owns: what is done in which order. Must not know: where metadata are, how a client proves itself, and
what an answer means, which the engine says.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ..._engine import face
from ...shared.auth import OAuthToken
from .._http_package import httpx
from ._decisions import decide
from ._held import HoldsParts

_METADATA = ("resource_metadata", "server_metadata")


class SignsOut(HoldsParts):
    """The part of an OAuth provider that lets go of tokens."""

    @abstractmethod
    async def _supply(self, need: dict[str, Any]) -> str | None: ...

    async def sign_out(self, http_client: httpx.AsyncClient | None = None) -> None:
        """Forget the tokens, then have the authorization server revoke them, if it offers that (RFC
        7009). The client stays registered; the next request signs in anew. The storage is given a token
        that is an empty string.

        Args:
            http_client: Sends the requests, without its `auth`. Default: a new one.

        Raises:
            OAuthFlowError: The authorization server did not revoke a token. It is forgotten all the same.
            httpx.HTTPError: It could not be reached. The tokens are forgotten all the same.
        """
        context = self.context
        async with context.lock, self._exclusively():
            await self._initialize()
            tokens = context.current_tokens
            if tokens is None or not tokens.access_token:
                return
            # Without them, so that what is found leads to no refresh.
            context.clear_tokens()
            await context.storage.set_tokens(OAuthToken(access_token=""))
            if http_client is not None:
                await self._revoke(tokens, http_client)
                return
            async with self._library.AsyncClient() as own:
                await self._revoke(tokens, own)

    async def _revoke(self, tokens: OAuthToken, http: httpx.AsyncClient) -> None:
        info = self.context.client_info
        metadata = await self._found_server(http)
        # Tokens are shown to no other issuer than the client itself.
        if metadata is None or not metadata.get("revocation_endpoint") or (info and self.context.client_info is None):
            return
        assertion = None
        if info is not None and info.token_endpoint_auth_method == "private_key_jwt":
            need = {"need": "client_assertion", "client_id": info.client_id, "audience": metadata["issuer"]}
            assertion = await self._supply(need)
        requests = decide(
            "revocation_requests",
            server_url=self.context.server_url,
            metadata=metadata,
            client=info and info.model_dump(mode="json", exclude_none=True),
            access_token=tokens.access_token,
            refresh_token=tokens.refresh_token,
            assertion=assertion,
            like=face.current.authorizes_like,
        )
        for step in requests:
            response = await http.send(self._made(step), auth=None, follow_redirects=False)
            decide("revocation_answer", status=response.status_code)

    async def _found_server(self, http: httpx.AsyncClient) -> dict[str, Any] | None:
        """The metadata of the authorization server, as a flow finds them; `None` if there are none."""
        self._open({"authorize": {}})
        assert self._flow is not None
        while self._step["step"] == "fetch" and self._step["asks_for"] in _METADATA:
            asked = self._step["asks_for"]
            response = await http.send(self._request(), auth=None, follow_redirects=False)
            self._step = self._flow.answered(response.status_code, response.content)
            await self._note(asked, response)
        found: dict[str, Any] | None = self._flow.found()["metadata"]
        self._flow = None
        return found
