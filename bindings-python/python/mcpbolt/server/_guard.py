"""What authorization settings add to a server's applications.

Owns: which routes exist, which middleware reads tokens, and what requires them. Imports
nothing of authorization for a server without such settings.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from ._asgi import Receive, Scope, Send

if TYPE_CHECKING:
    from starlette.middleware import Middleware
    from starlette.routing import Route

    from .auth.provider import OAuthAuthorizationServerProvider, TokenVerifier
    from .auth.resource_server import ResourceServer
    from .auth.settings import AuthSettings

_App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """Routes and middleware from one server's settings."""

    def __init__(
        self,
        settings: AuthSettings | None,
        verifier: TokenVerifier | None,
        provider: OAuthAuthorizationServerProvider[Any, Any, Any] | None,
    ) -> None:
        self._settings = settings
        self._verifier = verifier
        self._provider = provider
        self._engine = cast("ResourceServer | None", settings if getattr(settings, "verifies_tokens", False) else None)

    def middleware(self) -> list[Middleware]:
        """The middleware that reads tokens. Requests without one pass, for routes that are
        public.
        """
        if self._settings is None or self._verifier is None:
            return []
        from starlette.middleware import Middleware
        from starlette.middleware.authentication import AuthenticationMiddleware

        from .auth.middleware.auth_context import AuthContextMiddleware
        from .auth.middleware.bearer_auth import BearerAuthBackend

        only_for = self._settings.resource_server_url if self._settings.validate_token_resource else None
        backend = BearerAuthBackend(self._verifier, resource_server_url=only_for)
        return [Middleware(AuthenticationMiddleware, backend=backend), Middleware(AuthContextMiddleware)]

    def demand(self, app: _App) -> _App:
        """Wrap an endpoint so that it requires a token."""
        if self._engine is not None:
            return self._engine.demand(cast("Any", app))
        if self._verifier is None:
            return app
        from .auth.middleware.bearer_auth import RequireAuthMiddleware
        from .auth.routes import build_resource_metadata_url

        settings = self._settings
        scopes = (settings.required_scopes if settings else None) or []
        resource = settings.resource_server_url if settings else None
        return RequireAuthMiddleware(app, scopes, build_resource_metadata_url(resource) if resource else None)

    def server_routes(self) -> list[Route]:
        """The endpoints of an authorization server in the same process."""
        if self._settings is None or self._provider is None:
            return []
        from .auth.routes import create_auth_routes

        settings = self._settings
        return create_auth_routes(
            self._provider,
            settings.issuer_url,
            settings.service_documentation_url,
            settings.client_registration_options,
            settings.revocation_options,
            settings.identity_assertion_enabled,
            settings.issuer_in_responses,
            settings.client_document_options,
        )

    def resource_routes(self) -> list[Route]:
        """The route of the metadata that says which server issues tokens."""
        if self._engine is not None:
            return self._engine.routes()
        if self._settings is None or self._settings.resource_server_url is None:
            return []
        from .auth.routes import create_protected_resource_routes

        settings = self._settings
        return create_protected_resource_routes(
            resource_url=self._settings.resource_server_url,
            authorization_servers=[settings.issuer_url],
            scopes_supported=settings.required_scopes,
        )
