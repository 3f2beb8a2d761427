"""Assertions of a company's identity provider, verified by the engine. Not in the official package.

Owns: what an assertion grants, as a model. Must not know: what makes an assertion good, which the
engine says.
"""

from __future__ import annotations

from typing import Any

from anyio import to_thread
from pydantic import BaseModel

from ..._engine.json import dumps
from ..._mcpbolt import EngineError
from ..._mcpbolt import IdentityAssertions as _Engine
from ...shared.auth import OAuthClientInformationFull
from .provider import IdentityAssertionParams, TokenError


class IdentityGrant(BaseModel):
    """The token that a verified assertion allows: for this user, with these scopes, for this resource
    and no other.
    """

    issuer: str
    """The issuer of the assertion: the identity provider."""
    subject: str
    """The user at the identity provider."""
    client_id: str
    """The client that the token is for."""
    scopes: list[str]
    """The scopes of the token."""
    resource: str
    """The server that the token is for."""
    id: str
    """The id of the assertion, which is accepted only once."""


class IdentityAssertions:
    """Verifies assertions of identity providers (ID-JAG), for
    `OAuthAuthorizationServerProvider.exchange_identity_assertion`.

    ```python
    async def exchange_identity_assertion(self, client, params):
        grant = await self.assertions.redeem(client, params)
        return self.token_for(grant.subject, grant.scopes, grant.resource)
    ```

    An assertion is accepted once. It must come from one of the issuers, be signed with an asymmetric
    key that the issuer publishes, and be made for this server and this client. The granted scopes
    are those that the assertion, the request and `scopes` have in common.

    Args:
        issuers: The identity providers, exactly as their assertions name them.
        audience: The issuer of this authorization server, as assertions name it.
        resources: The URLs of the MCP servers that it issues tokens for.
        algorithms: The algorithms of signatures that are accepted. Default: all asymmetric ones.
        scopes: The scopes that may be granted. Default: all that the assertion has.
        leeway: By how many seconds clocks may differ. Default: 30.
        stores: Where it is noted which assertions came, as a server's `stores`: the URL of a Redis or
            Valkey server where several nodes answer. Default: in memory.

    Raises:
        ValueError: An issuer is not a URL, or `stores` names none.
    """

    def __init__(
        self,
        issuers: list[str],
        audience: str,
        resources: list[str],
        *,
        algorithms: list[str] | None = None,
        scopes: list[str] | None = None,
        leeway: int = 30,
        stores: str | None = None,
    ) -> None:
        rules = {
            "issuers": issuers,
            "audience": audience,
            "resources": resources,
            "algorithms": algorithms or [],
            "scopes": scopes,
            "leeway": leeway,
            "stores": stores,
        }
        try:
            self._engine = _Engine(dumps(rules))
        except EngineError as error:
            raise ValueError(error.args[2]) from None

    async def redeem(self, client: OAuthClientInformationFull, params: IdentityAssertionParams) -> IdentityGrant:
        """Verify an assertion, and return what it grants to a client.

        Args:
            client: The client, which is authenticated.
            params: The assertion, and the scopes and resource that are asked for.

        Raises:
            TokenError: The assertion is not valid or was used before (`invalid_grant`).
        """
        asked = {
            "assertion": params.assertion,
            "client_id": client.client_id,
            "scope": None if params.scopes is None else " ".join(params.scopes),
            "resource": params.resource,
        }
        try:
            granted, wait = self._engine.redeem(dumps(asked))
            if wait is not None:
                granted = await to_thread.run_sync(wait.wait, abandon_on_cancel=True)
        except EngineError as error:
            why: dict[str, Any] = error.args[3] or {}
            raise TokenError(why.get("error", "invalid_grant"), why.get("error_description")) from None
        return IdentityGrant.model_validate(granted)
