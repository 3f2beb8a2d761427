"""The official package 1.30."""

from mcp.server.fastmcp import FastMCP
from settings import SETTINGS, guarded, register

more = {}
if SETTINGS.tokens:
    from mcp.server.auth.provider import AccessToken
    from mcp.server.auth.settings import AuthSettings

    more = guarded(AccessToken, AuthSettings)
server = FastMCP(
    "bench",
    host=SETTINGS.host or "127.0.0.1",
    port=SETTINGS.port if SETTINGS.address else 8000,
    stateless_http=SETTINGS.stateless,
    log_level="ERROR",
    **more,
)
register(server.tool)
server.run("streamable-http" if SETTINGS.address else "stdio")
