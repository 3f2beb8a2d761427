"""Dynamic client registration (RFC 7591 §3).

Owns: the documents. Must not know: which clients are taken, and what they get, which the engine
says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, RootModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from ....shared._authorization import Refused, decide
from ....shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from .._answers import refusal
from ..errors import stringify_pydantic_error
from ..json_response import PydanticJSONResponse
from ..provider import OAuthAuthorizationServerProvider, RegistrationError, RegistrationErrorCode
from ..settings import ClientRegistrationOptions

_JUDGED = {"scope", "grant_types", "response_types", "token_endpoint_auth_method"}


class RegistrationRequest(RootModel[OAuthClientMetadata]):
    """The body of a registration request."""

    root: OAuthClientMetadata


class RegistrationErrorResponse(BaseModel):
    """Why a registration was refused."""

    error: RegistrationErrorCode
    """The code."""
    error_description: str | None
    """The reason, for the client's developer."""


@dataclass
class RegistrationHandler:
    """Registers clients: assigns an id and, unless the client is public, a secret."""

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]
    """The authorization server."""
    options: ClientRegistrationOptions
    """Which scopes clients may have, and when secrets expire."""

    async def handle(self, request: Request) -> Response:
        """Answer 201 with the credentials, or 400.

        Args:
            request: The Starlette request.
        """
        try:
            client = self._client(OAuthClientMetadata.model_validate_json(await request.body()))
            await self.provider.register_client(client)
        except ValidationError as invalid:
            return refusal("register", Refused("invalid_client_metadata", stringify_pydantic_error(invalid)))
        except (Refused, RegistrationError) as refused:
            return refusal("register", refused)
        return PydanticJSONResponse(content=client, status_code=201)

    def _client(self, asked: OAuthClientMetadata) -> OAuthClientInformationFull:
        options = self.options
        given = decide(
            "register_client",
            wanted=asked.model_dump(include=_JUDGED),
            valid_scopes=options.valid_scopes,
            default_scopes=options.default_scopes,
            secret_expiry=options.client_secret_expiry_seconds,
        )
        # The values are not validated again, which would normalize them again.
        wished = {name: getattr(asked, name) for name in OAuthClientMetadata.model_fields}
        return OAuthClientInformationFull(**{**wished, **given})
