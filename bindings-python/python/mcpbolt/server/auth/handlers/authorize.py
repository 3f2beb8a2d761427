"""The authorization endpoint, to which a client sends the user's browser (RFC 6749 §4.1.1).

Owns: whom is asked, and where an error goes: back to the client if it and its redirect URI are
known to be right, otherwise to the browser. Must not know: which requests are valid, which the
engine says; whether the user agrees, which the provider says.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import AnyUrl, BaseModel, Field, RootModel, ValidationError
from starlette.datastructures import FormData, QueryParams
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from ....shared._authorization import Refused, decide
from ....shared.auth import InvalidRedirectUriError, InvalidScopeError
from .._answers import refusal, texts
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
    """The client's id."""
    redirect_uri: AnyUrl | None = Field(None, description="Where the browser is sent afterwards")
    """Where the browser is sent afterwards. Default: the only registered one."""
    response_type: Literal["code"] = Field(..., description="Only `code` is supported")
    """Always `code`."""
    code_challenge: str = Field(..., description="PKCE code challenge")
    """The challenge of PKCE."""
    code_challenge_method: Literal["S256"] = Field("S256", description="Only `S256` is supported")
    """Always `S256`."""
    state: str | None = Field(None, description="Returned to the client as it is")
    """Returned to the client as it is. Default: none."""
    scope: str | None = Field(None, description="Scopes, with spaces between them")
    """Scopes, with spaces between them. Default: none are named."""
    resource: str | None = Field(None, description="The server the token will be used with")
    """The server that the token will be used with. Default: none is named."""


class AuthorizationErrorResponse(BaseModel):
    """The error that a client or a browser gets for a refused request."""

    error: AuthorizationErrorCode
    """The code."""
    error_description: str | None
    """The reason, for the client's developer."""
    error_uri: AnyUrl | None = None
    """A page about the error. Default: none."""
    state: str | None = None
    """The `state` of the request. Default: none."""


class AnyUrlModel(RootModel[AnyUrl]):
    """A single URL."""

    root: AnyUrl


def best_effort_extract_string(key: str, params: None | FormData | QueryParams) -> str | None:
    """A parameter of a request that may otherwise be invalid.

    Args:
        key: The name of the parameter.
        params: The parameters; `None` if there are none.
    """
    value = None if params is None else params.get(key)
    return value if isinstance(value, str) else None


class _UnknownClient(Refused):
    """The document of a client is refused. There is no way back to such a client, and looking for one would
    have its document fetched again.
    """

    def __init__(self, refused: Refused, state: str | None) -> None:
        super().__init__(refused.error, refused.error_description)
        self.state = state


@dataclass
class AuthorizationHandler:
    """Has a request checked, then lets the provider decide where the browser goes. With an
    `issuer`, answers that go straight back to the client name it (RFC 9207).
    """

    provider: OAuthAuthorizationServerProvider[Any, Any, Any]
    """The authorization server."""
    issuer: str | None = None
    """The issuer that answers name. Default: they name none."""

    async def handle(self, request: Request) -> Response:
        """Redirect the browser onwards, or back to the client with an error; 400 if that is
        not safe.

        Args:
            request: The Starlette request.
        """
        form: dict[str, Any] = {}
        try:
            form = texts(request.query_params if request.method == "GET" else await request.form())
            onwards = await self._onwards(form)
        except _UnknownClient as unknown:
            return refusal("authorize", unknown, unknown.state)
        except Refused as refused:
            return await self._refuse(form, refused)
        except Exception:
            logger.exception("Unexpected error in authorization_handler")
            return await self._refuse(form, Refused("server_error", "An unexpected error occurred"))
        return RedirectResponse(url=onwards, status_code=302, headers=_FRESH)

    async def _onwards(self, form: dict[str, Any]) -> str:
        asked = decide("authorize_request", form=form)
        try:
            client = await self.provider.get_client(asked["client_id"])
        except Refused as refused:
            raise _UnknownClient(refused, asked["state"]) from None
        if client is None:
            raise Refused("invalid_request", f"Client ID '{asked['client_id']}' not found")
        named = asked["redirect_uri"]
        try:
            redirect_uri = client.validate_redirect_uri(None if named is None else AnyUrl(named))
            scopes = client.validate_scope(asked["scope"])
        except InvalidRedirectUriError as error:
            raise Refused("invalid_request", error.message) from None
        except InvalidScopeError as error:
            raise Refused("invalid_scope", error.message) from None
        valid = AuthorizationParams(
            state=asked["state"],
            scopes=scopes,
            code_challenge=asked["code_challenge"],
            redirect_uri=redirect_uri,
            redirect_uri_provided_explicitly=named is not None,
            resource=asked["resource"],
        )
        try:
            onwards = await self.provider.authorize(client, valid)
        except AuthorizeError as error:
            raise Refused(error.error, error.error_description) from None
        if self.issuer is None:
            return onwards
        named_issuer: str = decide(
            "with_issuer", location=onwards, redirect_uri=str(redirect_uri), issuer=self.issuer
        )
        return named_issuer

    async def _refuse(self, form: dict[str, Any], refused: Refused) -> Response:
        state = form.get("state")
        told = state if isinstance(state, str) else None
        back = await self._way_back(form)
        if back is None:
            return refusal("authorize", refused, told)
        error, described = refused.error, refused.error_description
        url = construct_redirect_uri(back, error=error, error_description=described, state=told, iss=self.issuer)
        return RedirectResponse(url=url, status_code=302, headers=_FRESH)

    async def _way_back(self, form: dict[str, Any]) -> str | None:
        """The redirect URI, if the request names a client and a URI that is registered for it.

        Redirecting to anything else would be an open redirector.
        """
        client_id = form.get("client_id")
        if not client_id or not isinstance(client_id, str):
            return None
        try:
            client = await self.provider.get_client(client_id)
        except Refused:
            return None
        except Exception:
            logger.exception("The provider cannot look up a client")
            return None
        if client is None:
            return None
        try:
            named = AnyUrlModel.model_validate(form["redirect_uri"]).root if "redirect_uri" in form else None
            return str(client.validate_redirect_uri(named))
        except (ValidationError, InvalidRedirectUriError):
            return None
