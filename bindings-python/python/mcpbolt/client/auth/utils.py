"""Where the documents of servers are found, and what their answers mean.

Owns: addresses of RFC 8414, RFC 9728 and OpenID Connect discovery, the rules for scopes
and issuers. Sends nothing: requests are made here and sent by the flow in `oauth2`.
"""

from __future__ import annotations

import re
from typing import Any, cast
from urllib.parse import SplitResult, urljoin, urlsplit

from httpx import Request, Response
from pydantic import AnyUrl, ValidationError
from pydantic_core import from_json

from ...shared._httpx_utils import redirect_note
from ...shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from ...shared.version import LATEST_PROTOCOL_VERSION
from .exceptions import OAuthFlowError, OAuthRegistrationError, OAuthTokenError

MCP_PROTOCOL_VERSION = "mcp-protocol-version"

_RESOURCE = "/.well-known/oauth-protected-resource"
_SERVER = "/.well-known/oauth-authorization-server"
_OPENID = "/.well-known/openid-configuration"


def extract_field_from_www_auth(response: Response, field_name: str) -> str | None:
    """A parameter of the `WWW-Authenticate` header, quoted or not."""
    header = response.headers.get("WWW-Authenticate", "")
    found = re.search(rf'(?:^|[\s,]){re.escape(field_name)}=(?:"([^"]+)"|([^\s,"]+))', header)
    return None if found is None else found[1] or found[2]


def extract_scope_from_www_auth(response: Response) -> str | None:
    """The scopes a challenge asks for (RFC 6750 §3)."""
    return extract_field_from_www_auth(response, "scope")


def extract_resource_metadata_from_www_auth(response: Response) -> str | None:
    """Where a challenge says the resource's metadata is (RFC 9728 §5.1)."""
    if response.status_code not in (401, 403):
        return None
    return extract_field_from_www_auth(response, "resource_metadata")


def build_protected_resource_metadata_discovery_urls(www_auth_url: str | None, server_url: str) -> list[str]:
    """Where to look for a resource's metadata: as the challenge says, at its path, at the root."""
    parts = urlsplit(server_url)
    found = [www_auth_url] if www_auth_url else []
    if parts.path not in ("", "/"):
        found.append(_origin(parts) + _RESOURCE + parts.path)
    return [*found, _origin(parts) + _RESOURCE]


def build_oauth_authorization_server_metadata_discovery_urls(auth_server_url: str | None, server_url: str) -> list[str]:
    """Where to look for an authorization server's metadata.

    Without a server's address the resource's own origin is meant, as in 2025-03-26.
    """
    if not auth_server_url:
        return [_origin(urlsplit(server_url)) + _SERVER]
    parts = urlsplit(auth_server_url)
    origin, path = _origin(parts), parts.path.rstrip("/")
    if not path:
        return [origin + _SERVER, origin + _OPENID]
    # RFC 8414 puts the well-known part before the path; OpenID Connect appends it.
    return [origin + _SERVER + path, origin + _OPENID + path, origin + path + _OPENID]


def get_client_metadata_scopes(
    www_authenticate_scope: str | None,
    protected_resource_metadata: ProtectedResourceMetadata | None,
    authorization_server_metadata: OAuthMetadata | None = None,
) -> str | None:
    """The scopes to ask for: what the challenge names, else what the resource, else what the server offers."""
    if www_authenticate_scope is not None:
        return www_authenticate_scope
    for metadata in (protected_resource_metadata, authorization_server_metadata):
        if metadata is not None and metadata.scopes_supported is not None:
            return " ".join(metadata.scopes_supported)
    return None


async def handle_protected_resource_response(response: Response) -> ProtectedResourceMetadata | None:
    """The resource's metadata; `None` if it is not here."""
    if response.status_code != 200:
        return None
    try:
        return ProtectedResourceMetadata.model_validate_json(await response.aread())
    except ValidationError:
        return None


async def handle_auth_metadata_response(response: Response) -> tuple[bool, OAuthMetadata | None]:
    """Whether to look on elsewhere, and the server's metadata if it is here.

    A failing server ends the search: that the document is elsewhere would be a guess.
    """
    if response.status_code == 200:
        try:
            return True, OAuthMetadata.model_validate_json(await response.aread())
        except ValidationError:
            return True, None
    return 300 <= response.status_code < 500, None


def issuers_match(a: str, b: str) -> bool:
    """Whether two issuers are one: the same text (RFC 8414 §3.3), or an origin with and without its slash."""
    if a == b:
        return True
    shorter, longer = sorted((a, b), key=len)
    return longer == shorter + "/" and shorter == _origin(urlsplit(shorter))


def validate_metadata_issuer(oauth_metadata: OAuthMetadata, expected_issuer: str) -> None:
    """That a document speaks for the server it was asked of (RFC 8414 §3.3, SEP-2468).

    Raises:
        OAuthFlowError: it names another issuer.
    """
    if not issuers_match(str(oauth_metadata.issuer), expected_issuer):
        raise OAuthFlowError(
            f"Authorization server metadata issuer mismatch: {oauth_metadata.issuer} != {expected_issuer}"
        )


def create_oauth_metadata_request(url: str) -> Request:
    """The request for a metadata document."""
    return Request("GET", url, headers={MCP_PROTOCOL_VERSION: LATEST_PROTOCOL_VERSION})


def create_client_registration_request(
    auth_server_metadata: OAuthMetadata | None, client_metadata: OAuthClientMetadata, auth_base_url: str
) -> Request:
    """A dynamic registration (RFC 7591), at the published endpoint or at `/register`."""
    endpoint = auth_server_metadata.registration_endpoint if auth_server_metadata else None
    url = str(endpoint) if endpoint else urljoin(auth_base_url, "/register")
    return Request("POST", url, json=client_metadata.model_dump(by_alias=True, mode="json", exclude_none=True))


async def handle_registration_response(response: Response) -> OAuthClientInformationFull:
    """The credentials of a registration.

    Raises:
        OAuthRegistrationError: it was refused, or the answer is not a registration.
    """
    content = await response.aread()
    if response.status_code not in (200, 201):
        raise OAuthRegistrationError(
            f"Registration failed: {response.status_code}{redirect_note(response)} {response.text}"
        )
    try:
        body = from_json(content)
        if isinstance(body, dict):
            # Whom credentials belong to is our own note, never the server's word.
            cast("dict[str, Any]", body).pop("issuer", None)
        return OAuthClientInformationFull.model_validate(body)
    except ValueError as error:
        raise OAuthRegistrationError(f"Invalid registration response: {error}") from error


def is_valid_client_metadata_url(url: str | None) -> bool:
    """Whether an address can be a client id: HTTPS, and more than an origin."""
    if not url:
        return False
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme == "https" and parts.path not in ("", "/")


def credentials_match_issuer(
    client_info: OAuthClientInformationFull, issuer: str, client_metadata_url: str | None
) -> bool:
    """Whether credentials may be shown to an issuer (SEP-2352): the one they came from.

    A client id that is our own document's address is good everywhere, and credentials
    without a recorded issuer are the user's own affair.
    """
    if client_metadata_url is not None and client_info.client_id == client_metadata_url:
        return True
    return client_info.issuer is None or issuers_match(client_info.issuer, issuer)


def should_use_client_metadata_url(oauth_metadata: OAuthMetadata | None, client_metadata_url: str | None) -> bool:
    """Whether the address of the client's own document is its id: it has one, and the server can read it."""
    return bool(
        client_metadata_url and oauth_metadata and oauth_metadata.client_id_metadata_document_supported is True
    )


def create_client_info_from_metadata_url(
    client_metadata_url: str, redirect_uris: list[AnyUrl] | None = None
) -> OAuthClientInformationFull:
    """Credentials of a client whose id is an address: a public one, without a secret."""
    return OAuthClientInformationFull(
        client_id=client_metadata_url, token_endpoint_auth_method="none", redirect_uris=redirect_uris
    )


async def handle_token_response_scopes(response: Response) -> OAuthToken:
    """The token of a successful answer.

    Raises:
        OAuthTokenError: the answer has no token.
    """
    try:
        return OAuthToken.model_validate_json(await response.aread())
    except ValidationError as error:
        raise OAuthTokenError(f"Invalid token response: {error}") from error


def _origin(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.netloc}"
