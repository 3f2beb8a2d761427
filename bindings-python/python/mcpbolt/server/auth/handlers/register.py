"""Dynamic client registration (RFC 7591 §3)."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from pydantic import BaseModel, RootModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from ...._engine import face
from ....shared.auth import JWT_BEARER_GRANT_TYPE, OAuthClientInformationFull, OAuthClientMetadata
from ..errors import stringify_pydantic_error
from ..json_response import PydanticJSONResponse
from ..provider import OAuthAuthorizationServerProvider, RegistrationError, RegistrationErrorCode
from ..settings import ClientRegistrationOptions

_SECRET_BYTES = 32
_FLOWS = {"authorization_code", "refresh_token"}


class RegistrationRequest(RootModel[OAuthClientMetadata]):
    """The body of a registration request."""

    root: OAuthClientMetadata


class RegistrationErrorResponse(BaseModel):
    """Why a registration was refused."""

    error: RegistrationErrorCode
    error_description: str | None


@dataclass
class RegistrationHandler:
    """Registers clients: assigns an id and, unless the client is public, a secret."""

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]
    options: ClientRegistrationOptions

    async def handle(self, request: Request) -> Response:
        """Answer 201 with the credentials, or 400."""
        try:
            asked = OAuthClientMetadata.model_validate_json(await request.body())
            client = self._client(self._accepted(asked))
            await self.provider.register_client(client)
        except ValidationError as invalid:
            return _refusal("invalid_client_metadata", stringify_pydantic_error(invalid))
        except RegistrationError as refused:
            return _refusal(refused.error, refused.error_description)
        return PydanticJSONResponse(content=client, status_code=201)

    def _accepted(self, asked: OAuthClientMetadata) -> OAuthClientMetadata:
        """The client's metadata with defaults filled in, if this server supports what it asks
        for.
        """
        default, valid = self.options.default_scopes, self.options.valid_scopes
        if asked.scope is None:
            asked.scope = None if default is None else " ".join(default)
        elif valid is not None and (unknown := sorted(set(asked.scope.split()) - set(valid))):
            raise _invalid(f"Requested scopes are not valid: {', '.join(unknown)}")
        if face.current.api == 2:
            if "authorization_code" not in asked.grant_types:
                raise _invalid("grant_types must include 'authorization_code'")
            if JWT_BEARER_GRANT_TYPE in asked.grant_types:
                raise _invalid(
                    f"grant_types must not include '{JWT_BEARER_GRANT_TYPE}'; "
                    "the identity-assertion grant requires a pre-registered client"
                )
        elif not _FLOWS.issubset(asked.grant_types):
            raise _invalid("grant_types must be authorization_code and refresh_token")
        if "code" not in asked.response_types:
            raise _invalid("response_types must include 'code' for authorization_code grant")
        asked.token_endpoint_auth_method = asked.token_endpoint_auth_method or "client_secret_post"
        return asked

    def _client(self, accepted: OAuthClientMetadata) -> OAuthClientInformationFull:
        now, life = int(time.time()), self.options.client_secret_expiry_seconds
        public = accepted.token_endpoint_auth_method == "none"
        # The values are not validated again, which would normalize them again.
        return OAuthClientInformationFull(
            **{name: getattr(accepted, name) for name in OAuthClientMetadata.model_fields},
            client_id=str(uuid4()),
            client_id_issued_at=now,
            client_secret=None if public else secrets.token_hex(_SECRET_BYTES),
            client_secret_expires_at=None if life is None else now + life,
        )


def _invalid(description: str) -> RegistrationError:
    return RegistrationError("invalid_client_metadata", description)


def _refusal(error: RegistrationErrorCode, description: str | None) -> Response:
    told = RegistrationErrorResponse(error=error, error_description=description)
    return PydanticJSONResponse(content=told, status_code=400)
