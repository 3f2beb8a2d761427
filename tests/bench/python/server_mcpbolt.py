"""Ours, as its users would write it; `--mount`: its app in a program of theirs on uvicorn."""

import sys

from settings import MAX_BODY, SETTINGS, register

from mcpbolt.server.fastmcp import FastMCP

about = {}
if SETTINGS.issuer:
    from mcpbolt.server.auth.resource_server import ResourceServer

    about["auth"] = ResourceServer(
        issuer_url=SETTINGS.issuer, resource_server_url=SETTINGS.resource, required_scopes=["notes"]
    )
server = FastMCP(
    "bench",
    host=SETTINGS.host or "127.0.0.1",
    port=SETTINGS.port if SETTINGS.address else 8000,
    stateless_http=SETTINGS.stateless,
    stores=SETTINGS.stores,
    options={"max_message_bytes.http_body": MAX_BODY},
    **about,
)
register(server.tool)

if "--mount" in sys.argv:
    import uvicorn

    uvicorn.run(server.streamable_http_app(), host=SETTINGS.host, port=SETTINGS.port, log_level="error", access_log=False)
else:
    server.run("streamable-http" if SETTINGS.address else "stdio")
