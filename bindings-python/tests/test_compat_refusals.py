"""What an HTTP server under `mcpbolt.compat` refuses, word for word beside the official package,
1.30: statuses, headers and bodies.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import httpx
import pytest
from bounds import LIMIT
from frames import HANDSHAKE
from test_http_server import messages, serving

pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")

PROGRAM = """
import sys
from mcp.server.fastmcp import FastMCP

app = FastMCP("refuses", stateless_http="stateless" in sys.argv, json_response="json" in sys.argv)

@app.tool()
def add(a: int, b: int = 1) -> int:
    return a + b

"""
LISTENER = PROGRAM + "app.settings.port = int(sys.argv[1]); app.run('streamable-http')\n"
ASGI = PROGRAM + "import uvicorn; uvicorn.run(app.streamable_http_app(), port=int(sys.argv[1]), log_level='critical')\n"
ALIAS = "import mcpbolt.compat; mcpbolt.compat.install()\n"

BOTH = "application/json, text/event-stream"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


class Ask(NamedTuple):
    """A request, and what differs from a good one."""

    method: str = "POST"
    body: Any = PING
    accept: str | None = BOTH
    kind: str | None = "application/json"
    session: str | None = "its own"
    version: str | None = None


def method(name: str, params: Any = None, number: Any = 1) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": name, **({} if params is None else {"params": params})}


ASKED = {
    "no accept": Ask(accept=None),
    "any accept": Ask(accept="*/*"),
    "accepts JSON only": Ask(accept="application/json"),
    "accepts streams only": Ask(accept="text/event-stream"),
    "no content type": Ask(kind=None),
    "text": Ask(kind="text/plain"),
    "nearly JSON": Ask(kind="application/jsonp"),
    "text and no accept": Ask(kind="text/plain", accept=None),
    "no JSON": Ask(body=b"{no json"),
    "empty": Ask(body=b""),
    "no message": Ask(body={"foo": "bar"}),
    "a number": Ask(body=7),
    "another version": Ask(body={**PING, "jsonrpc": "1.0"}),
    "params that are no object": Ask(body=method("tools/call", 7)),
    "no session": Ask(session=None),
    "no session and no JSON": Ask(session=None, body=b"{"),
    "no session for a notification": Ask(session=None, body={"jsonrpc": "2.0", "method": "notifications/initialized"}),
    "unknown session": Ask(session="unknown"),
    "unknown session and no accept": Ask(session="unknown", accept=None),
    "unknown session of a handshake": Ask(session="unknown", body=HANDSHAKE[0]),
    "unknown revision": Ask(version="1999-01-01"),
    "unknown revision of a notification": Ask(
        version="banana", body={"jsonrpc": "2.0", "method": "notifications/initialized"}
    ),
    "GET without accept": Ask("GET", None, accept=None, kind=None),
    "GET accepts JSON": Ask("GET", None, accept="application/json", kind=None),
    "GET without a session": Ask("GET", None, session=None, kind=None),
    "GET of an unknown session": Ask("GET", None, session="unknown", kind=None),
    "GET of an unknown revision": Ask("GET", None, kind=None, version="1999-01-01"),
    "DELETE without a session": Ask("DELETE", None, session=None, kind=None),
    "DELETE of an unknown session": Ask("DELETE", None, session="unknown", kind=None),
    "DELETE of an unknown revision": Ask("DELETE", None, kind=None, version="1999-01-01"),
    "PUT": Ask("PUT"),
    "PATCH without a session": Ask("PATCH", session=None),
    "unknown method": Ask(body=method("no/such")),
    "no handler": Ask(body=method("logging/setLevel", {"level": "info"})),
    "wrong params": Ask(body=method("tools/call", {"arguments": {}})),
    "wrong level": Ask(body=method("logging/setLevel", {"level": "loud"})),
    "wrong handshake": Ask(session=None, body=method("initialize", {})),
}
# What a mode without sessions answers with a stream that does not end.
STREAMS = {"GET without a session", "GET of an unknown session"}


def answered(program: str, *mode: str) -> dict[str, Any]:
    """How each request is answered."""
    found: dict[str, Any] = {}
    with serving(program, *mode) as (url, _), httpx.Client(timeout=LIMIT, base_url=url) as client:
        opened = client.post("/mcp", json=HANDSHAKE[0], headers={"accept": BOTH})
        found["handshake"] = messages(opened)
        own = opened.headers.get("mcp-session-id")
        headers = {"accept": BOTH, "mcp-session-id": own or ""}
        before = client.post("/mcp", json=method("tools/list"), headers=headers)
        found["before initialized"] = messages(before) if not mode else None
        client.post("/mcp", json=HANDSHAKE[1], headers=headers)
        for name, ask in ASKED.items():
            if not (mode and name in STREAMS):
                found[name] = seen(client.send(request(client, ask, own)), own)
        ended = client.delete("/mcp", headers=headers)
        found["DELETE"] = ended.status_code, ended.text
        found["ended"] = seen(client.send(request(client, Ask(), own)), own)
    return found


def request(client: httpx.Client, ask: Ask, own: str | None) -> httpx.Request:
    """The request as it is sent."""
    session = own if ask.session == "its own" else ask.session
    given = {
        "accept": ask.accept,
        "content-type": ask.kind,
        "mcp-session-id": session,
        "mcp-protocol-version": ask.version,
    }
    body = ask.body if ask.body is None or isinstance(ask.body, bytes) else json.dumps(ask.body).encode()
    made = client.build_request(ask.method, "/mcp", content=body)
    for name, value in given.items():
        made.headers.pop(name, None)
        if value is not None:
            made.headers[name] = value
    return made


def seen(response: httpx.Response, own: str | None) -> Any:
    """What a client sees of an answer; session ids are random."""
    headers = {name: response.headers.get(name) for name in ("content-type", "allow")}
    session = response.headers.get("mcp-session-id")
    if response.is_error:
        headers["mcp-session-id"] = "its own" if session == own else session and "another"
        return response.status_code, headers, response.text
    return response.status_code, messages(response) if response.content else None


@pytest.mark.parametrize("program", [LISTENER, ASGI], ids=["listener", "asgi"])
@pytest.mark.parametrize("mode", [[], ["json"], ["stateless"]], ids=["sessions", "json", "stateless"])
def test_refusals_have_the_words_of_the_official_package(program: str, mode: list[str]) -> None:
    theirs, ours = answered(program, *mode), answered(ALIAS + program, *mode)
    different = {name: (said, ours[name]) for name, said in theirs.items() if ours[name] != said}
    assert not different
