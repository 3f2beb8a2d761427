"""The least that answers on uvicorn: reads the body, parses it, echoes. No checks, no MCP."""

import json
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


uvicorn.run(app, host=SETTINGS.host, port=SETTINGS.port, log_level="error", access_log=False, lifespan="off")
