"""A server that means harm: `hostile.py JSON` on standard streams, `hostile.py JSON PORT` over HTTP.

The JSON names what its schemas say: `pattern`, and the URL `ref`. It knows nothing of the package.
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLD = json.loads(sys.argv[1])
DEEP = 100_000
HUGE = 101 * 1024 * 1024
VICTIM = "a" * 40 + "!"


def tools():
    text = {"type": "object", "properties": {"text": {"type": "string"}}}
    schemas = {
        "bomb": {"type": "object", "properties": {"value": {"type": "string", "pattern": TOLD.get("pattern", "a")}}},
        "elsewhere": {"type": "object", "properties": {"value": {"$ref": TOLD.get("ref", "#")}}},
    }
    names = ("echo", "huge", "deep", "words", "bomb", "elsewhere")
    return [
        {"name": name, "inputSchema": text, **({"outputSchema": schemas[name]} if name in schemas else {})}
        for name in names
    ]


def called(name):
    """The result, as JSON."""
    filler = "x" * HUGE if name == "huge" else "ok"
    result = {"content": [{"type": "text", "text": filler}]}
    if name in ("bomb", "elsewhere"):
        result["structuredContent"] = {"value": VICTIM}
    text = json.dumps(result)
    if name == "deep":
        text = text[:-1] + ', "structuredContent": {"value": ' + "[" * DEEP + "]" * DEEP + "}}"
    return text


def answer(message):
    """The answer to one message, as a line; nothing to a notification."""
    number, method = message.get("id"), message.get("method")
    if number is None or method is None:
        return None
    params = message.get("params", {})
    if method == "initialize":
        about = {"name": "hostile", "version": "1"}
        result = json.dumps(
            {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": about}
        )
    elif method == "tools/list":
        result = json.dumps({"tools": tools()})
    elif method == "tools/call":
        result = called(params["name"])
        if params["name"] == "words":
            number = str(number)
    elif method == "ping":
        result = "{}"
    else:
        error = {"code": -32601, "message": "Method not found"}
        return json.dumps({"jsonrpc": "2.0", "id": number, "error": error})
    return f'{{"jsonrpc": "2.0", "id": {json.dumps(number)}, "result": {result}}}'


class Handler(BaseHTTPRequestHandler):
    """One answer to a POST, as JSON."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        said = answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        body = (said or "").encode()
        self.send_response(200 if said else 202)
        if said:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_response(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_DELETE = do_GET

    def log_message(self, *_):
        pass


def main():
    if len(sys.argv) > 2:
        ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
    for line in sys.stdin:
        said = answer(json.loads(line))
        if said is not None:
            sys.stdout.write(said + "\n")
            sys.stdout.flush()


main()
