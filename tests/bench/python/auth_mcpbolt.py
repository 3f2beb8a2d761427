"""Tokens checked by ours."""

from auth_checks import ARGS, Handler, run

from mcpbolt.server.auth.resource_server import ResourceServer

handler = Handler()
auth = ResourceServer(issuer_url=ARGS.issuer, resource_server_url=ARGS.resource, required_scopes=["notes"])
run(auth.demand(handler), handler)
