"""The least that answers on uvicorn: reads the body, parses it, echoes. No checks, no MCP.

`--starlette`: the same as the only route of a Starlette application, which is what apps of
MCP servers are, so that they can be mounted in others.
"""

import json
import sys
from typing import Any

import uvicorn
from settings import SETTINGS

OPENED = {"protocolVersion": "2026-07-28", "capabilities": {}, "serverInfo": {"name": "bare", "version": "1"}}
HEAD = {
    "type": "http.response.start",
    "status": 200,
    "headers": [(b"content-type", b"application/json"), (b"mcp-session-id", b"bare")],
}


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    body = b""
    while True:
        message = await receive()
        body += message["body"]
        if not message.get("more_body"):
            break
    request = json.loads(body)
    result: Any = OPENED
    if request["method"] == "tools/call":
        result = {"content": [{"type": "text", "text": request["params"]["arguments"]["text"]}]}
    if "id" not in request:
        await send({**HEAD, "status": 202})
        await send({"type": "http.response.body", "body": b""})
        return
    answer = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
    await send(HEAD)
    await send({"type": "http.response.body", "body": answer})


class Endpoint:
    """The app as an object: Starlette calls functions differently."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await app(scope, receive, send)


served: Any = app
if "--starlette" in sys.argv:
    from starlette.applications import Starlette
    from starlette.routing import Route

    served = Starlette(routes=[Route("/mcp", endpoint=Endpoint())])

uvicorn.run(served, host=SETTINGS.host, port=SETTINGS.port, log_level="error", access_log=False, lifespan="off")
