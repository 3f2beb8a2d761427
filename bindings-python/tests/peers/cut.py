"""A server that goes away while something waits for it: `cut.py WAY METHOD`.

Written by hand in JSON lines, so that it can do what no good server does. When a message
of METHOD comes it takes the WAY: `exit`, `pipe` (closes its output and lives on), or
`silent` (says nothing more). A call of a tool asks the user first.
"""

import json
import os
import sys

WAY, METHOD = sys.argv[1:3]
RESULTS = {
    "initialize": {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}, "prompts": {}},
        "serverInfo": {"name": "cut", "version": "1"},
    },
    "server/discover": {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {"listChanged": True}},
        "ttlMs": 0,
        "cacheScope": "private",
    },
}


def say(message: object) -> None:
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == METHOD:
        if WAY == "exit":
            os._exit(3)
        if WAY == "pipe":
            os.close(1)
    elif method in RESULTS:
        say({"jsonrpc": "2.0", "id": message["id"], "result": RESULTS[method]})
    elif method == "tools/call":
        params = {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}
        say({"jsonrpc": "2.0", "id": "question", "method": "elicitation/create", "params": params})
