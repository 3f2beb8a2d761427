"""fastmcp 4."""

from fastmcp import FastMCP
from settings import SETTINGS, register

server = FastMCP("bench")
register(server.tool)
if SETTINGS.address:
    server.run(
        "http",
        host=SETTINGS.host,
        port=SETTINGS.port,
        stateless_http=SETTINGS.stateless,
        log_level="error",
        show_banner=False,
        uvicorn_config={"access_log": False},
    )
else:
    server.run("stdio", show_banner=False)
