"""Assertions of a company's identity provider, verified by the engine. Not in the official package.

Owns: what an assertion grants, as a model. Must not know: what makes an assertion good, which the
engine says.
"""

from __future__ import annotations

import asyncio
from typing import Any

from pydantic import BaseModel

from ..._engine.json import dumps
from ..._mcpbolt import EngineError
from ..._mcpbolt import IdentityAssertions as _Engine
from ...shared.auth import OAuthClientInformationFull
from .provider import IdentityAssertionParams, TokenError


class IdentityGrant(BaseModel):
    """What an assertion grants: a token for `subject`, a user of `issuer`, with these scopes, for this
    resource and no other.
    """

    issuer: str
    """The identity provider."""
    subject: str
    """The user there."""
    client_id: str
    """The client that the token is for."""
    scopes: list[str]
    """The scopes of the token."""
    resource: str
    """The server that the token is for."""
    id: str
    """The id of the assertion, which is accepted once."""


class IdentityAssertions:
    """Verifies the assertions of `OAuthAuthorizationServerProvider.exchange_identity_assertion`.

    ```python
    async def exchange_identity_assertion(self, client, params):
        grant = await self.assertions.redeem(client, params)
        return self.token_for(grant.subject, grant.scopes, grant.resource)
    ```

    An assertion is taken once, of the providers named, signed with an asymmetric key that the
    provider publishes, for this server and this client; the scopes are those that the assertion, the
    request and this server have in common.

    Args:
        issuers: The identity providers, exactly as their assertions name them.
        audience: This authorization server's issuer.
        resources: The servers that it issues tokens for.
        algorithms: The algorithms of signatures; all asymmetric ones that are known, if empty.
        scopes: The scopes that it grants; those of the assertion unless set.
        leeway: How far clocks may differ, in seconds.

    Raises:
        ValueError: An issuer is no URL.
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
    ) -> None:
        rules = {
            "issuers": issuers,
            "audience": audience,
            "resources": resources,
            "algorithms": algorithms or [],
            "scopes": scopes,
            "leeway": leeway,
        }
        try:
            self._engine = _Engine(dumps(rules))
        except EngineError as error:
            raise ValueError(error.args[2]) from None

    async def redeem(self, client: OAuthClientInformationFull, params: IdentityAssertionParams) -> IdentityGrant:
        """Return what an assertion grants to a client that has proved itself.

        Args:
            client: The client.
            params: The assertion, and what is asked for.

        Raises:
            TokenError: `invalid_grant` for an assertion that is not good or was used before.
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
                granted = await asyncio.to_thread(wait.wait)
        except EngineError as error:
            why: dict[str, Any] = error.args[3] or {}
            raise TokenError(why.get("error", "invalid_grant"), why.get("error_description")) from None
        return IdentityGrant.model_validate(granted)
