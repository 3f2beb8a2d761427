"""Ours, as its users would write it; `--mount`: its app in a program of theirs on uvicorn."""

import sys

from settings import MAX_BODY, SETTINGS, register

from mcpbolt.server.fastmcp import FastMCP

server = FastMCP(
    "bench",
    host=SETTINGS.host or "127.0.0.1",
    port=SETTINGS.port if SETTINGS.address else 8000,
    stateless_http=SETTINGS.stateless,
    options={"max_message_bytes.http_body": MAX_BODY},
)
register(server.tool)

if "--mount" in sys.argv:
    import uvicorn

    uvicorn.run(server.streamable_http_app(), host=SETTINGS.host, port=SETTINGS.port, log_level="error", access_log=False)
else:
    server.run("streamable-http" if SETTINGS.address else "stdio")
