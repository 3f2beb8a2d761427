"""Tokens checked by the middleware of an official package, either line."""

from auth_checks import ARGS, Handler, run
from auth_verifier import Verifier
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend, RequireAuthMiddleware
from starlette.middleware.authentication import AuthenticationMiddleware

handler = Handler()
demanding = RequireAuthMiddleware(handler, ["notes"])
verifier = Verifier(ARGS.issuer, ARGS.resource)
run(AuthenticationMiddleware(AuthContextMiddleware(demanding), backend=BearerAuthBackend(verifier)), handler)
