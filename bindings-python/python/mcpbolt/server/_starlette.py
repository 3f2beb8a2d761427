"""The Starlette application around a server's endpoint.

Owns: a fast path to that endpoint. Starlette's error layers, and its router with one regular
expression per route, cost a third of what a call does, and change nothing for a known path and
an endpoint that answers its own errors. Must not know: what the endpoint serves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import starlette.applications
from starlette.applications import Starlette
from starlette.routing import Route, Router

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp, Receive, Scope, Send


def _first(router: Router) -> BaseRoute | None:
    return router.routes[0] if router.routes else None


def _is_watched() -> bool:
    """Whether a library has wrapped all Starlette applications, as instrumentation does."""
    code = getattr(Starlette.__call__, "__code__", None)
    return code is None or code.co_filename != starlette.applications.__file__


class EndpointApp(Starlette):
    """An application whose first route is a server's endpoint. Middleware, exception handlers
    and routes that a program adds work as in any other application.
    """

    def build_middleware_stack(self) -> ASGIApp:
        """The same as Starlette's, but requests reach an endpoint without any middleware
        directly.
        """
        stack = super().build_middleware_stack()
        route = _first(self.router)
        if self.debug or self.user_middleware or self.exception_handlers or _is_watched():
            return stack
        if not isinstance(route, Route) or route.methods is not None or "{" in route.path:
            return stack
        return _ShortWay(self.router, route, stack)


class _ShortWay:
    """Passes requests for the first route's path to it directly, all others to Starlette's
    stack.
    """

    def __init__(self, router: Router, route: Route, stack: ASGIApp) -> None:
        self._router = router
        self._route = route
        self._stack = stack

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route = self._route
        is_endpoint = (
            scope["type"] == "http"
            and scope["path"] == scope.get("root_path", "") + route.path
            # A program may have inserted a route before it, or removed it.
            and _first(self._router) is route
        )
        if not is_endpoint:
            await self._stack(scope, receive, send)
            return
        # Applications around this one have their own router and parameters there.
        scope.setdefault("router", self._router)
        found: dict[str, Any] = {"endpoint": route.endpoint, "path_params": dict(scope.get("path_params", {}))}
        scope.update(found)
        await route.app(scope, receive, send)
