"""The authorization endpoint, to which a client sends the user's browser (RFC 6749 §4.1.1).

Owns: which requests are valid, and where an error goes: back to the client if it and its
redirect URI are known to be right, otherwise to the browser. Must not know: whether the user
agrees; that is up to the provider.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import AnyUrl, BaseModel, Field, RootModel, ValidationError
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ....shared.auth import InvalidRedirectUriError, InvalidScopeError, OAuthClientInformationFull
from ..errors import stringify_pydantic_error
from ..json_response import PydanticJSONResponse
from ..provider import (
    AuthorizationErrorCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    construct_redirect_uri,
)

logger: logging.Logger = logging.getLogger("mcp.server.auth.handlers.authorize")

_FRESH = {"Cache-Control": "no-store"}


class AuthorizationRequest(BaseModel):
    """The parameters of a request. PKCE with S256 is required; `resource` is that of RFC 8707."""

    client_id: str = Field(..., description="The client ID")
    redirect_uri: AnyUrl | None = Field(None, description="Where the browser is sent afterwards")
    response_type: Literal["code"] = Field(..., description="Only `code` is supported")
    code_challenge: str = Field(..., description="PKCE code challenge")
    code_challenge_method: Literal["S256"] = Field("S256", description="Only `S256` is supported")
    state: str | None = Field(None, description="Returned to the client as it is")
    scope: str | None = Field(None, description="Scopes, with spaces between them")
    resource: str | None = Field(None, description="The server the token will be used with")


class AuthorizationErrorResponse(BaseModel):
    """The error that a client or a browser gets for a refused request."""

    error: AuthorizationErrorCode
    error_description: str | None
    error_uri: AnyUrl | None = None
    state: str | None = None


class AnyUrlModel(RootModel[AnyUrl]):
    """A single URL."""

    root: AnyUrl


def best_effort_extract_string(key: str, params: None | FormData | QueryParams) -> str | None:
    """A parameter of a request that may otherwise be invalid."""
    value = None if params is None else params.get(key)
    return value if isinstance(value, str) else None


class _Refused(Exception):
    """Why a request is refused."""

    def __init__(self, error: AuthorizationErrorCode, description: str | None) -> None:
        self.error: AuthorizationErrorCode = error
        self.description = description


@dataclass
class AuthorizationHandler:
    """Checks a request, then lets the provider decide where the browser goes."""

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]

    async def handle(self, request: Request) -> Response:
        """Redirect the browser onwards, or back to the client with an error; 400 if that is
        not safe.
        """
        params: FormData | QueryParams | None = None
        try:
            params = request.query_params if request.method == "GET" else await request.form()
            onwards = await self._onwards(params)
        except _Refused as refused:
            return await self._refuse(params, refused)
        except Exception:
            logger.exception("Unexpected error in authorization_handler")
            return await self._refuse(params, _Refused("server_error", "An unexpected error occurred"))
        return RedirectResponse(url=onwards, status_code=302, headers=_FRESH)

    async def _onwards(self, params: FormData | QueryParams) -> str:
        asked = _parsed(params)
        client = await self.provider.get_client(asked.client_id)
        if client is None:
            raise _Refused("invalid_request", f"Client ID '{asked.client_id}' not found")
        try:
            redirect_uri = client.validate_redirect_uri(asked.redirect_uri)
            scopes = client.validate_scope(asked.scope)
        except InvalidRedirectUriError as error:
            raise _Refused("invalid_request", error.message) from None
        except InvalidScopeError as error:
            raise _Refused("invalid_scope", error.message) from None
        valid = AuthorizationParams(
            state=asked.state,
            scopes=scopes,
            code_challenge=asked.code_challenge,
            redirect_uri=redirect_uri,
            redirect_uri_provided_explicitly=asked.redirect_uri is not None,
            resource=asked.resource,
        )
        try:
            return await self.provider.authorize(client, valid)
        except AuthorizeError as error:
            raise _Refused(error.error, error.error_description) from None

    async def _refuse(self, params: FormData | QueryParams | None, refused: _Refused) -> Response:
        told = AuthorizationErrorResponse(
            error=refused.error,
            error_description=refused.description,
            state=best_effort_extract_string("state", params),
        )
        back = await self._way_back(params)
        if back is None:
            return PydanticJSONResponse(status_code=400, content=told, headers=_FRESH)
        url = construct_redirect_uri(back, **told.model_dump(exclude_none=True))
        return RedirectResponse(url=url, status_code=302, headers=_FRESH)

    async def _way_back(self, params: FormData | QueryParams | None) -> str | None:
        """The redirect URI, if the request names a client and a URI that is registered for it.

        Redirecting to anything else would be an open redirector.
        """
        client = await self._client(params)
        if client is None or params is None:
            return None
        try:
            named = None
            if "redirect_uri" in params:
                named = AnyUrlModel.model_validate(best_effort_extract_string("redirect_uri", params)).root
            return str(client.validate_redirect_uri(named))
        except (ValidationError, InvalidRedirectUriError):
            return None

    async def _client(self, params: FormData | QueryParams | None) -> OAuthClientInformationFull | None:
        client_id = best_effort_extract_string("client_id", params)
        if not client_id:
            return None
        try:
            return await self.provider.get_client(client_id)
        except Exception:
            logger.exception("The provider cannot look up a client")
            return None


def _parsed(params: FormData | QueryParams) -> AuthorizationRequest:
    try:
        return AuthorizationRequest.model_validate(params)
    except ValidationError as invalid:
        other_type = any(
            found["loc"] == ("response_type",) and found["type"] == "literal_error" for found in invalid.errors()
        )
        code: AuthorizationErrorCode = "unsupported_response_type" if other_type else "invalid_request"
        raise _Refused(code, stringify_pydantic_error(invalid)) from None
