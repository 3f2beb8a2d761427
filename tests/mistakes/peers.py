"""What stands at the other end: web servers that are no MCP servers, and two ports.

Owns: the peers' sockets on loopback, for as long as the run lasts.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<!doctype html><title>Welcome</title><h1>It works!</h1>"
# What each path answers: status, header lines, body.
ANSWERS = {
    "/welcome": (200, {"Content-Type": "text/html; charset=utf-8"}, PAGE),
    "/locked": (401, {"WWW-Authenticate": 'Bearer realm="shop"', "Content-Type": "text/plain"}, b"no token"),
}
NOT_FOUND = (404, {"Content-Type": "text/plain"}, b"Not Found")


class Answering(BaseHTTPRequestHandler):
    """Says the same whatever it is asked."""

    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, headers, body = ANSWERS.get(self.path, NOT_FOUND)
        self.send_response_only(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = answer

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def peers() -> Iterator[dict[str, str]]:
    """Words for the places in `arguments`."""
    web = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    # Bound and not listening: nobody else gets the port, and connections are refused.
    closed, busy = socket.socket(), socket.socket()
    closed.bind(("127.0.0.1", 0))
    busy.bind(("127.0.0.1", 0))
    busy.listen()
    base = f"http://127.0.0.1:{web.server_address[1]}"
    try:
        yield {
            "closed": str(closed.getsockname()[1]),
            "busy": str(busy.getsockname()[1]),
            "lost": f"{base}/api",
            "page": f"{base}/welcome",
            "locked": f"{base}/locked",
        }
    finally:
        web.shutdown()
        web.server_close()
        closed.close()
        busy.close()
