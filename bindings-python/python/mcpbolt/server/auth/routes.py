"""Starlette routes for the endpoints of an authorization server and a resource server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from pydantic import AnyHttpUrl
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from ...shared.auth import JWT_BEARER_GRANT_TYPE, OAuthMetadata, ProtectedResourceMetadata
from ..transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, RequestBodyLimitMiddleware
from .handlers.authorize import AuthorizationHandler
from .handlers.metadata import MetadataHandler, ProtectedResourceMetadataHandler
from .handlers.register import RegistrationHandler
from .handlers.revoke import RevocationHandler
from .handlers.token import TokenHandler
from .middleware.client_auth import ClientAuthenticator
from .provider import OAuthAuthorizationServerProvider
from .settings import ClientRegistrationOptions, RevocationOptions

AUTHORIZATION_PATH = "/authorize"
TOKEN_PATH = "/token"
REGISTRATION_PATH = "/register"
REVOCATION_PATH = "/revoke"

ID_JAG_GRANT_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag"
"""What the metadata call the exchange of an identity provider's assertion."""

_SERVER_DOCUMENT = "/.well-known/oauth-authorization-server"
_RESOURCE_DOCUMENT = "/.well-known/oauth-protected-resource"
_SECRETS = ["client_secret_post", "client_secret_basic"]

_Handler = Callable[[Request], Response | Awaitable[Response]]


def validate_issuer_url(url: AnyHttpUrl) -> None:
    """Check the URL of an issuer: HTTPS unless on this machine, no query and no fragment
    (RFC 8414 §2).

    Raises:
        ValueError: The URL is not allowed.
    """
    host = url.host or ""
    if url.scheme != "https" and host != "localhost" and not host.startswith("127.0.0.1"):
        raise ValueError("Issuer URL must be HTTPS")
    if url.fragment:
        raise ValueError("Issuer URL must not have a fragment")
    if url.query:
        raise ValueError("Issuer URL must not have a query string")


def cors_middleware(handler: _Handler, allow_methods: list[str]) -> ASGIApp:
    """Wrap a handler so that web pages of any origin may call it."""
    return _cors(request_response(handler), allow_methods)


def create_auth_routes(
    provider: OAuthAuthorizationServerProvider[Any, Any, Any],
    issuer_url: AnyHttpUrl,
    service_documentation_url: AnyHttpUrl | None = None,
    client_registration_options: ClientRegistrationOptions | None = None,
    revocation_options: RevocationOptions | None = None,
    identity_assertion_enabled: bool = False,
) -> list[Route]:
    """The endpoints of an authorization server. Registration and revocation only if enabled.

    Raises:
        ValueError: The issuer's URL is not allowed, see `validate_issuer_url`.
    """
    validate_issuer_url(issuer_url)
    registration = client_registration_options or ClientRegistrationOptions()
    revocation = revocation_options or RevocationOptions()
    metadata = build_metadata(
        issuer_url,
        service_documentation_url,
        registration,
        revocation,
        supports_identity_assertion=identity_assertion_enabled,
    )
    prove = ClientAuthenticator(provider)
    # No CORS: browsers navigate to the authorization endpoint, and pages must not fetch it.
    authorize = _limited(request_response(AuthorizationHandler(provider).handle))
    routes = [
        _public(_SERVER_DOCUMENT, MetadataHandler(metadata).handle),
        Route(AUTHORIZATION_PATH, endpoint=authorize, methods=["GET", "POST"]),
        _posted(TOKEN_PATH, TokenHandler(provider, prove, identity_assertion_enabled).handle),
    ]
    if registration.enabled:
        routes.append(_posted(REGISTRATION_PATH, RegistrationHandler(provider, registration).handle))
    if revocation.enabled:
        routes.append(_posted(REVOCATION_PATH, RevocationHandler(provider, prove).handle))
    return routes


def build_metadata(
    issuer_url: AnyHttpUrl,
    service_documentation_url: AnyHttpUrl | None,
    client_registration_options: ClientRegistrationOptions,
    revocation_options: RevocationOptions,
    supports_identity_assertion: bool = False,
) -> OAuthMetadata:
    """The metadata of an authorization server with these endpoints."""

    def at(path: str) -> AnyHttpUrl:
        return AnyHttpUrl(str(issuer_url).rstrip("/") + path)

    metadata = OAuthMetadata(
        issuer=issuer_url,
        authorization_endpoint=at(AUTHORIZATION_PATH),
        token_endpoint=at(TOKEN_PATH),
        scopes_supported=client_registration_options.valid_scopes,
        response_types_supported=["code"],
        grant_types_supported=["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported=list(_SECRETS),
        service_documentation=service_documentation_url,
        code_challenge_methods_supported=["S256"],
    )
    if client_registration_options.enabled:
        metadata.registration_endpoint = at(REGISTRATION_PATH)
    if supports_identity_assertion:
        metadata.grant_types_supported = ["authorization_code", "refresh_token", JWT_BEARER_GRANT_TYPE]
        profiles: Any = {"authorization_grant_profiles_supported": [ID_JAG_GRANT_PROFILE]}
        metadata = metadata.model_copy(update=profiles)
    if revocation_options.enabled:
        metadata.revocation_endpoint = at(REVOCATION_PATH)
        metadata.revocation_endpoint_auth_methods_supported = list(_SECRETS)
    return metadata


def build_resource_metadata_url(resource_server_url: AnyHttpUrl) -> AnyHttpUrl:
    """The URL of a resource's metadata: the well-known path goes before the resource's own
    path (RFC 9728 §3.1).
    """
    parts = urlsplit(str(resource_server_url))
    below = "" if parts.path == "/" else parts.path
    return AnyHttpUrl(f"{parts.scheme}://{parts.netloc}{_RESOURCE_DOCUMENT}{below}")


def create_protected_resource_routes(
    resource_url: AnyHttpUrl,
    authorization_servers: list[AnyHttpUrl],
    scopes_supported: list[str] | None = None,
    resource_name: str | None = None,
    resource_documentation: AnyHttpUrl | None = None,
) -> list[Route]:
    """The route of a resource server's metadata, at the path that RFC 9728 prescribes."""
    metadata = ProtectedResourceMetadata(
        resource=resource_url,
        authorization_servers=authorization_servers,
        scopes_supported=scopes_supported,
        resource_name=resource_name,
        resource_documentation=resource_documentation,
    )
    path = urlsplit(str(build_resource_metadata_url(resource_url))).path
    return [_public(path, ProtectedResourceMetadataHandler(metadata).handle)]


def _public(path: str, handler: _Handler) -> Route:
    methods = ["GET", "OPTIONS"]
    return Route(path, endpoint=cors_middleware(handler, methods), methods=methods)


def _posted(path: str, handler: _Handler) -> Route:
    methods = ["POST", "OPTIONS"]
    # CORS is outside the size limit, so that a page can read a 413 too.
    return Route(path, endpoint=_cors(_limited(request_response(handler)), methods), methods=methods)


def _cors(app: ASGIApp, methods: list[str]) -> ASGIApp:
    return CORSMiddleware(app, allow_origins="*", allow_methods=methods, allow_headers=["mcp-protocol-version"])


def _limited(app: ASGIApp) -> ASGIApp:
    return RequestBodyLimitMiddleware(app, DEFAULT_MAX_REQUEST_BODY_SIZE)
