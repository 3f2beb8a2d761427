"""A server of the Model Context Protocol that wants a token, beside its authorization server, for real
on a port of this machine.

Owns: what the two answer, and what they were asked. Must not know: who asks.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import urlopen

# How long a test waits for what has to happen anyway, in seconds.
SOON = 60


class Site:
    """Users agree at once, unless `refuses` says what the answer is instead.

    `expires_in` is how long tokens are said to last. `before_refresh` runs before a refresh is answered.
    """

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.registered: list[dict[str, Any]] = []
        self.refreshes: list[str] = []
        self.revoked: list[str] = []
        self.refuses: dict[str, str] | None = None
        self.says_issuer: str | None = None
        self.expires_in = 3600
        self.before_refresh: Callable[[], None] = lambda: None
        self.good: set[str] = set()
        self._codes: dict[str, dict[str, str]] = {}
        self._refreshable: set[str] = set()
        self._lock = threading.Lock()

    def __enter__(self) -> Site:
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.answer(self, {})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
                is_json = "json" in self.headers.get("content-type", "")
                site.answer(self, json.loads(body) if is_json else dict(parse_qsl(body)))

            do_DELETE = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self._server.server_port}"
        self.url = f"{self.issuer}/mcp"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def answer(self, to: BaseHTTPRequestHandler, given: dict[str, Any]) -> None:
        path, query = urlsplit(to.path).path, dict(parse_qsl(urlsplit(to.path).query))
        with self._lock:
            self.asked.append(path)
        if path == "/mcp":
            status, headers, body = self.protocol(to, given)
        elif path == "/authorize":
            status, headers, body = 302, {"location": self.agreed(query)}, None
        else:
            status, body = self.page(path, given)
            headers = {}
        text = b"" if body is None else json.dumps(body).encode()
        to.send_response(status)
        for name, value in {"content-type": "application/json", "content-length": str(len(text)), **headers}.items():
            to.send_header(name, value)
        to.end_headers()
        to.wfile.write(text)

    def protocol(self, to: BaseHTTPRequestHandler, message: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
        _, _, token = to.headers.get("authorization", "").partition(" ")
        if token not in self.good:
            return 401, {"www-authenticate": "Bearer"}, None
        if "id" not in message:
            return (202 if to.command == "POST" else 405), {}, None
        results = {
            "initialize": {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "site", "version": "1"},
            },
            "tools/list": {"tools": []},
        }
        found = results.get(message["method"])
        answer = {"error": {"code": -32601, "message": "unknown"}} if found is None else {"result": found}
        return 200, {}, {"jsonrpc": "2.0", "id": message["id"], **answer}

    def page(self, path: str, given: dict[str, Any]) -> tuple[int, Any]:
        at = self.issuer
        if path == "/.well-known/oauth-protected-resource/mcp":
            return 200, {"resource": self.url, "authorization_servers": [at]}
        if path == "/.well-known/oauth-authorization-server":
            return 200, {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "registration_endpoint": f"{at}/register",
                "revocation_endpoint": f"{at}/revoke",
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True,
            }
        if path == "/register":
            self.registered.append(given)
            return 201, {**given, "client_id": f"client-{len(self.registered)}"}
        if path == "/revoke":
            self.revoked.append(given["token"])
            return 200, {}
        if path == "/token":
            return self.tokens(given)
        return 404, {}

    def agreed(self, query: dict[str, str]) -> str:
        code = secrets.token_urlsafe()
        self._codes[code] = query
        answer = self.refuses or {"code": code}
        more = {"state": query["state"], "iss": self.says_issuer or self.issuer}
        return f"{query['redirect_uri']}?{urlencode({**answer, **more})}"

    def tokens(self, form: dict[str, str]) -> tuple[int, Any]:
        if form["grant_type"] == "refresh_token":
            with self._lock:
                self.refreshes.append(form["refresh_token"])
                is_good = form["refresh_token"] in self._refreshable
                self._refreshable.discard(form["refresh_token"])
            self.before_refresh()
        else:
            asked = self._codes.pop(form["code"])
            challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest())
            is_good = challenge.decode().rstrip("=") == asked["code_challenge"]
            is_good = is_good and asked["redirect_uri"] == form["redirect_uri"]
        if not is_good:
            return 400, {"error": "invalid_grant"}
        made = {"access_token": secrets.token_urlsafe(), "refresh_token": secrets.token_urlsafe()}
        with self._lock:
            self.good = {made["access_token"]}
            self._refreshable.add(made["refresh_token"])
        return 200, {**made, "token_type": "Bearer", "expires_in": self.expires_in}


class Browser:
    """A browser that goes where it is sent, and keeps what it was shown at the end."""

    def __init__(self) -> None:
        self.pages: list[str] = []

    def __call__(self, url: str) -> None:
        with urlopen(url, timeout=SOON) as page:
            self.pages.append(page.read().decode())
