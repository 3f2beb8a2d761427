"""The floor: the least Python that gives the right answers. A loop over stdin; no package, no checks."""

import json
import os
from typing import Any

OPENED = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "floor", "version": "1"}}
DISCOVERED = {"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {}}


def answer(line: bytes) -> bytes:
    """The reply with its line break; nothing to a notification."""
    message = json.loads(line)
    if "id" not in message:
        return b""
    method = message["method"]
    result: dict[str, Any] = OPENED if method == "initialize" else DISCOVERED
    if method == "tools/call":
        result = {"content": [{"type": "text", "text": message["params"]["arguments"]["text"]}]}
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode() + b"\n"


def main() -> None:
    held = bytearray()
    while part := os.read(0, 1 << 16):
        searched = len(held)
        held += part
        end = held.rfind(b"\n", searched)
        if end < 0:
            continue
        replies = b"".join(map(answer, held[:end].split(b"\n")))
        del held[: end + 1]
        while replies:
            replies = replies[os.write(1, replies) :]


main()
