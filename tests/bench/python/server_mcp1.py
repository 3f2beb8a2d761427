"""The official package 1.30."""

from mcp.server.fastmcp import FastMCP
from settings import SETTINGS, register

server = FastMCP(
    "bench",
    host=SETTINGS.host or "127.0.0.1",
    port=SETTINGS.port if SETTINGS.address else 8000,
    stateless_http=SETTINGS.stateless,
    log_level="ERROR",
)
register(server.tool)
server.run("streamable-http" if SETTINGS.address else "stdio")
