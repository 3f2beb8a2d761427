"""Starlette routes for the endpoints of an authorization server and a resource server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast
from urllib.parse import urlsplit

from pydantic import AnyHttpUrl, ConfigDict
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from ...shared._authorization import decide
from ...shared.auth import OAuthMetadata, ProtectedResourceMetadata
from ..transport_security import DEFAULT_MAX_REQUEST_BODY_SIZE, RequestBodyLimitMiddleware
from .client_documents import ClientDocuments, WithDocuments
from .handlers.authorize import AuthorizationHandler
from .handlers.metadata import MetadataHandler, ProtectedResourceMetadataHandler
from .handlers.register import RegistrationHandler
from .handlers.revoke import RevocationHandler
from .handlers.token import TokenHandler
from .middleware.client_auth import ClientAuthenticator
from .provider import OAuthAuthorizationServerProvider
from .settings import ClientDocumentOptions, ClientRegistrationOptions, RevocationOptions

AUTHORIZATION_PATH = "/authorize"
TOKEN_PATH = "/token"
REGISTRATION_PATH = "/register"
REVOCATION_PATH = "/revoke"

ID_JAG_GRANT_PROFILE = "urn:ietf:params:oauth:grant-profile:id-jag"
"""The name of the grant for assertions of an identity provider in the metadata."""

_SERVER_DOCUMENT = "/.well-known/oauth-authorization-server"

_Handler = Callable[[Request], Response | Awaitable[Response]]


class _LaterMetadata(OAuthMetadata):
    # The model of 1.x lacks what 2.x added.
    model_config = ConfigDict(extra="allow")


def validate_issuer_url(url: AnyHttpUrl) -> None:
    """Check the URL of an issuer: HTTPS unless on this machine, no query and no fragment
    (RFC 8414 §2).

    Args:
        url: The URL.

    Raises:
        ValueError: The URL is not allowed.
    """
    decide("issuer_url", url=str(url))


def cors_middleware(handler: _Handler, allow_methods: list[str]) -> ASGIApp:
    """Wrap a handler so that web pages of any origin may call it.

    Args:
        handler: The handler.
        allow_methods: The HTTP methods that are allowed.
    """
    return _cors(request_response(handler), allow_methods)


def create_auth_routes(
    provider: OAuthAuthorizationServerProvider[Any, Any, Any],
    issuer_url: AnyHttpUrl,
    service_documentation_url: AnyHttpUrl | None = None,
    client_registration_options: ClientRegistrationOptions | None = None,
    revocation_options: RevocationOptions | None = None,
    identity_assertion_enabled: bool = False,
    issuer_in_responses: bool = False,
    client_document_options: ClientDocumentOptions | None = None,
) -> list[Route]:
    """Make the routes of an authorization server; those of registration and revocation only if
    enabled.

    Args:
        provider: The provider of the authorization server.
        issuer_url: The issuer, the URL of the authorization server.
        service_documentation_url: The URL of a page for developers. Default: none.
        client_registration_options: How clients can register. Default: they cannot.
        revocation_options: Whether tokens can be revoked. Default: they cannot.
        identity_assertion_enabled: Whether the token endpoint takes assertions of an identity
            provider. Default: no.
        issuer_in_responses: Whether authorization responses name the issuer (RFC 9207). Default:
            no.
        client_document_options: Whether the id of a client may be the URL of a document about it.
            Default: no.

    Raises:
        ValueError: The issuer's URL is not allowed, see `validate_issuer_url`.
    """
    validate_issuer_url(issuer_url)
    registration = client_registration_options or ClientRegistrationOptions()
    revocation = revocation_options or RevocationOptions()
    documents = client_document_options or ClientDocumentOptions()
    if documents.enabled:
        provider = cast("Any", WithDocuments(provider, ClientDocuments(documents)))
    metadata = build_metadata(
        issuer_url,
        service_documentation_url,
        registration,
        revocation,
        supports_identity_assertion=identity_assertion_enabled,
        issuer_in_responses=issuer_in_responses,
        reads_client_documents=documents.enabled,
    )
    prove = ClientAuthenticator(provider)
    # No CORS: browsers navigate to the authorization endpoint, and pages must not fetch it.
    named = str(issuer_url) if issuer_in_responses else None
    authorize = _limited(request_response(AuthorizationHandler(provider, named).handle))
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
    issuer_in_responses: bool = False,
    reads_client_documents: bool = False,
) -> OAuthMetadata:
    """Make the metadata of an authorization server with these routes.

    Args:
        issuer_url: The issuer, the URL of the authorization server.
        service_documentation_url: A page for developers; `None` for none.
        client_registration_options: How clients can register.
        revocation_options: Whether tokens can be revoked.
        supports_identity_assertion: Whether assertions of an identity provider are taken. Default:
            no.
        issuer_in_responses: Whether authorization responses name the issuer (RFC 9207). Default:
            no.
        reads_client_documents: Whether the id of a client may be the URL of a document about it.
            Default: no.
    """
    document = decide(
        "server_document",
        issuer=str(issuer_url),
        documentation=None if service_documentation_url is None else str(service_documentation_url),
        scopes=client_registration_options.valid_scopes,
        registers=client_registration_options.enabled,
        revokes=revocation_options.enabled,
        assertions=supports_identity_assertion,
        names_issuer=issuer_in_responses or None,
        reads_documents=reads_client_documents,
    )
    added = any(value is not None and name not in OAuthMetadata.model_fields for name, value in document.items())
    model = _LaterMetadata if added else OAuthMetadata
    return model.model_validate({**document, "issuer": issuer_url})


def build_resource_metadata_url(resource_server_url: AnyHttpUrl) -> AnyHttpUrl:
    """The URL of a resource's metadata: the well-known path is inserted before the path of the
    resource (RFC 9728 §3.1).

    Args:
        resource_server_url: The URL of the resource server as clients know it.
    """
    return AnyHttpUrl(decide("resource_metadata_url", url=str(resource_server_url)))


def create_protected_resource_routes(
    resource_url: AnyHttpUrl,
    authorization_servers: list[AnyHttpUrl],
    scopes_supported: list[str] | None = None,
    resource_name: str | None = None,
    resource_documentation: AnyHttpUrl | None = None,
) -> list[Route]:
    """Make the route of a resource server's metadata, at the path that RFC 9728 prescribes.

    Args:
        resource_url: The URL of the resource server as clients know it.
        authorization_servers: The authorization servers that issue tokens for it.
        scopes_supported: The scopes that it knows. Default: not published.
        resource_name: The name to show to users. Default: none.
        resource_documentation: The URL of a page for developers. Default: none.
    """
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
