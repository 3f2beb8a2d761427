"""The official package 2.3; `--mount`: its app in a program of its users' on uvicorn."""

import sys

from mcp.server.mcpserver import MCPServer
from settings import MAX_BODY, SETTINGS, register

demands = {}
if SETTINGS.issuer:
    from auth_verifier import Verifier
    from mcp.server.auth.settings import AuthSettings

    settings = AuthSettings(
        issuer_url=SETTINGS.issuer, resource_server_url=SETTINGS.resource, required_scopes=["notes"]
    )
    demands = {"auth": settings, "token_verifier": Verifier(SETTINGS.issuer, SETTINGS.resource)}
server = MCPServer("bench", log_level="ERROR", **demands)
register(server.tool)
about = {"stateless_http": SETTINGS.stateless, "max_request_body_size": MAX_BODY}
if "--mount" in sys.argv:
    import uvicorn

    uvicorn.run(server.streamable_http_app(**about), host=SETTINGS.host, port=SETTINGS.port, log_level="error", access_log=False)
elif SETTINGS.address:
    server.run("streamable-http", host=SETTINGS.host, port=SETTINGS.port, **about)
else:
    server.run("stdio")
