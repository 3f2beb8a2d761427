"""Where the metadata of servers is found, and what responses mean.

Owns: the names of the official package for single decisions, which the engine makes. Must not
know: the flow in `oauth2`, which sends what is made here.
"""

from __future__ import annotations

from typing import Any, cast
from urllib.parse import urljoin

from pydantic import AnyUrl, ValidationError
from pydantic_core import from_json

from ..._engine import face
from ...shared._httpx_utils import redirect_note
from ...shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from ...shared.version import LATEST_PROTOCOL_VERSION
from .._http_package import httpx
from ._decisions import decide
from .exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError

MCP_PROTOCOL_VERSION = "mcp-protocol-version"
# Ways to prove oneself that need a secret from the server.
_SECRET_METHODS = ("client_secret_post", "client_secret_basic")


def extract_field_from_www_auth(response: httpx.Response, field_name: str) -> str | None:
    """A parameter of the `WWW-Authenticate` header, quoted or not; `None` if it is missing.

    Args:
        response: The response.
        field_name: The name of the parameter.
    """
    headers = response.headers.get_list("WWW-Authenticate")
    found: str | None = decide("challenge", headers=headers, parameter=field_name.lower())
    return found


def extract_scope_from_www_auth(response: httpx.Response) -> str | None:
    """The scopes that a challenge asks for (RFC 6750 §3), or `None`.

    Args:
        response: The response.
    """
    return extract_field_from_www_auth(response, "scope")


def extract_resource_metadata_from_www_auth(response: httpx.Response) -> str | None:
    """The URL of the resource's metadata that a challenge names (RFC 9728 §5.1), or `None`.

    Args:
        response: The response.
    """
    if response.status_code not in (401, 403):
        return None
    return extract_field_from_www_auth(response, "resource_metadata")


def build_protected_resource_metadata_discovery_urls(www_auth_url: str | None, server_url: str) -> list[str]:
    """The URLs to try for a resource's metadata, in order: the one that the challenge names,
    the one for the endpoint's path, the one at the root.

    Args:
        www_auth_url: The URL that the challenge names; `None` if it names none.
        server_url: The URL of the MCP server's endpoint.
    """
    found: list[str] = decide("resource_places", server_url=server_url, challenge=www_auth_url)
    return found


def build_oauth_authorization_server_metadata_discovery_urls(auth_server_url: str | None, server_url: str) -> list[str]:
    """The URLs to try for an authorization server's metadata, in order.

    Without the authorization server's URL, the resource's own origin is used, as in
    2025-03-26.

    Args:
        auth_server_url: The URL of the authorization server; `None` if the resource names none.
        server_url: The URL of the MCP server's endpoint.
    """
    found: list[str] = decide("server_places", server_url=server_url, issuer=auth_server_url)
    return found


def get_client_metadata_scopes(
    www_authenticate_scope: str | None,
    protected_resource_metadata: ProtectedResourceMetadata | None,
    authorization_server_metadata: OAuthMetadata | None = None,
    client_grant_types: list[str] | None = None,
) -> str | None:
    """The scopes to ask for: those that the challenge names, else those of the resource, else
    those of the authorization server.

    Args:
        www_authenticate_scope: The scopes that the challenge names; `None` if it names none.
        protected_resource_metadata: The metadata of the resource; `None` without any.
        authorization_server_metadata: The metadata of the authorization server. Default: none.
        client_grant_types: How the client gets tokens. Default: not known.
    """
    resource, server = protected_resource_metadata, authorization_server_metadata
    chosen: str | None = decide(
        "scope",
        challenge=www_authenticate_scope,
        resource=resource and resource.scopes_supported,
        server=server and server.scopes_supported,
        all_of_server=True,
        refreshable="refresh_token" in (client_grant_types or ()),
    )
    return chosen


def union_scopes(previous_scope: str | None, new_scope: str | None) -> str | None:
    """The scopes of both texts, each once, in their order.

    Args:
        previous_scope: The first scopes; `None` for none.
        new_scope: The other scopes; `None` for none.
    """
    union: str | None = decide("scope_union", scopes=[previous_scope, new_scope])
    return union


async def handle_protected_resource_response(response: httpx.Response) -> ProtectedResourceMetadata | None:
    """The resource's metadata; `None` if the response has none.

    Args:
        response: The response.
    """
    if response.status_code != 200:
        return None
    try:
        return ProtectedResourceMetadata.model_validate_json(await response.aread())
    except ValidationError:
        return None


async def handle_auth_metadata_response(response: httpx.Response) -> tuple[bool, OAuthMetadata | None]:
    """Whether to try the next URL, and the server's metadata if the response has it.

    An error of the server ends the search: that the metadata is elsewhere would be a guess.

    Args:
        response: The response.
    """
    if response.status_code == 200:
        try:
            return True, OAuthMetadata.model_validate_json(await response.aread())
        except ValidationError:
            return True, None
    return 300 <= response.status_code < 500, None


def issuers_match(a: str, b: str) -> bool:
    """Whether two issuers are the same: equal as text (RFC 8414 §3.3), or an origin with and
    without the final slash.

    Args:
        a: One issuer.
        b: The other one.
    """
    same: bool = decide("same_issuer", one=a, other=b)
    return same


def validate_metadata_issuer(oauth_metadata: OAuthMetadata, expected_issuer: str) -> None:
    """Check that metadata is for the server it was requested from (RFC 8414 §3.3, SEP-2468).

    Args:
        oauth_metadata: The metadata of the authorization server.
        expected_issuer: The issuer that was asked.

    Raises:
        OAuthFlowError: The metadata names another issuer.
    """
    if not issuers_match(str(oauth_metadata.issuer), expected_issuer):
        raise OAuthFlowError(
            f"Authorization server metadata issuer mismatch: {oauth_metadata.issuer} != {expected_issuer}"
        )


def create_oauth_metadata_request(url: str) -> httpx.Request:
    """Make the request for a metadata document.

    Args:
        url: The URL.
    """
    return httpx.Request("GET", url, headers={MCP_PROTOCOL_VERSION: LATEST_PROTOCOL_VERSION})


def create_client_registration_request(
    auth_server_metadata: OAuthMetadata | None, client_metadata: OAuthClientMetadata, auth_base_url: str
) -> httpx.Request:
    """Make a request for dynamic registration (RFC 7591), to the published endpoint or to
    `/register`.

    Args:
        auth_server_metadata: The metadata of the authorization server; `None` without any.
        client_metadata: The metadata of the client to register.
        auth_base_url: The origin to use where there are no metadata.
    """
    endpoint = auth_server_metadata.registration_endpoint if auth_server_metadata else None
    url = str(endpoint) if endpoint else urljoin(auth_base_url, "/register")
    return httpx.Request("POST", url, json=client_metadata.model_dump(by_alias=True, mode="json", exclude_none=True))


async def handle_registration_response(
    response: httpx.Response, sent: OAuthClientMetadata | None = None
) -> OAuthClientInformationFull:
    """The credentials that a registration returned.

    Args:
        response: The response.
        sent: The metadata that the client sent. Default: not known.

    Raises:
        OAuthRegistrationError: The server refused, or its answer is invalid.
    """
    content = await response.aread()
    if response.status_code not in (200, 201):
        raise OAuthRegistrationError(
            f"Registration failed: {response.status_code}{redirect_note(response)} {response.text}"
        )
    try:
        body = from_json(content)
        if isinstance(body, dict):
            # The client itself notes the issuer of its credentials; the server's word does not
            # count.
            body = cast("dict[str, Any]", body)
            body.pop("issuer", None)
            if sent is not None:
                # Some servers repeat only what they made.
                body.setdefault("redirect_uris", sent.redirect_uris)
        return OAuthClientInformationFull.model_validate(body)
    except ValueError as error:
        raise OAuthRegistrationError(f"Invalid registration response: {error}") from error


def check_registration_usable(client_info: OAuthClientInformationFull, asked: OAuthClientMetadata | None = None) -> None:
    """Check that the client can use the authentication method of its registration (RFC 7591 §3.2.1).

    Args:
        client_info: What the server registered.
        asked: The metadata that the client sent; if they ask for signed assertions, it can sign. Default: none.

    Raises:
        OAuthRegistrationError: The server chose another method, or one with a secret that it did
            not issue.
    """
    method = client_info.token_endpoint_auth_method
    if method not in (None, "none", *_SECRET_METHODS) and (asked is None or method != asked.token_endpoint_auth_method):
        raise OAuthRegistrationError(
            f"Authorization server registered the client with unsupported token_endpoint_auth_method {method!r}"
        )
    if method in _SECRET_METHODS and client_info.client_secret is None:
        raise OAuthRegistrationError(
            f"Authorization server registered the client for {method!r} but issued no client_secret"
        )


def validate_authorization_response_iss(iss: str | None, oauth_metadata: OAuthMetadata | None) -> None:
    """Check that the issuer in a redirect is exactly that of the metadata (RFC 9207 §2.4).

    Args:
        iss: The issuer that the response names; `None` if it names none.
        oauth_metadata: The metadata of the authorization server.

    Raises:
        OAuthFlowError: The issuer differs from that of the metadata, or it is missing although the
            metadata announces it.
    """
    expected = None if oauth_metadata is None else str(oauth_metadata.issuer)
    promised = bool(getattr(oauth_metadata, "authorization_response_iss_parameter_supported", False))
    if decide("redirect_issuer", iss=iss, expected=expected or "", promised=promised):
        return
    if iss is not None:
        raise OAuthFlowError(f"Authorization response iss mismatch: {iss} != {expected}")
    raise OAuthFlowError("Authorization response missing iss parameter advertised by the authorization server")


def is_valid_client_metadata_url(url: str | None) -> bool:
    """Whether a URL can be a client id: it is HTTPS and has a path.

    Args:
        url: The URL.
    """
    return bool(url) and decide("is_client_id_url", url=url)


def credentials_match_issuer(
    client_info: OAuthClientInformationFull, issuer: str, client_metadata_url: str | None
) -> bool:
    """Whether credentials may be shown to an issuer (SEP-2352): only to the one they came
    from.

    A client id that is the URL of the client's own metadata is valid everywhere. Credentials
    without a recorded issuer match every issuer.

    Args:
        client_info: The credentials.
        issuer: The issuer.
        client_metadata_url: The URL of the client's metadata; `None` without one.
    """
    if client_metadata_url is not None and client_info.client_id == client_metadata_url:
        return True
    return client_info.issuer is None or issuers_match(client_info.issuer, issuer)


def should_use_client_metadata_url(oauth_metadata: OAuthMetadata | None, client_metadata_url: str | None) -> bool:
    """Whether to use the URL of the client's metadata as its id: the client has one, and the
    server supports it.

    Args:
        oauth_metadata: The metadata of the authorization server.
        client_metadata_url: The URL of the client's metadata; `None` without one.
    """
    return bool(
        client_metadata_url and oauth_metadata and oauth_metadata.client_id_metadata_document_supported is True
    )


def create_client_info_from_metadata_url(
    client_metadata_url: str, redirect_uris: list[AnyUrl] | None = None
) -> OAuthClientInformationFull:
    """Credentials of a client whose id is a URL: a public client without a secret.

    Args:
        client_metadata_url: The URL of the client's metadata; `None` without one.
        redirect_uris: Where browsers may be sent back to. Default: nowhere.
    """
    return OAuthClientInformationFull(
        client_id=client_metadata_url, token_endpoint_auth_method="none", redirect_uris=redirect_uris
    )


def _was_proved(response: httpx.Response) -> bool:
    """Whether the request of a response went with a proof of possession."""
    try:
        request: Any = response.request
    except RuntimeError:
        # A response that somebody made has none.
        return False
    # Tests of programs put other things in its place.
    return "DPoP" in getattr(request, "headers", ())


async def handle_token_response_scopes(response: httpx.Response) -> OAuthToken:
    """The token of a successful response.

    Args:
        response: The response.

    Raises:
        OAuthTokenError: The response has no valid token.
    """
    content = await response.aread()
    body, like = content.decode("utf-8", "replace"), face.current.authorizes_like
    found = decide("token_answer", status=response.status_code, body=body, like=like, proved=_was_proved(response))
    try:
        # Lifetimes are written in many ways; the engine reads them all.
        return OAuthToken.model_validate({**from_json(content), "expires_in": found["expires_in"]})
    except ValidationError as error:
        raise OAuthTokenError(f"Invalid token response: {error}") from error
