"""An event store of the program's: streams over HTTP that a client comes back to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from bounds import LIMIT
from http_servers import UVICORN, serving

STORE = '''
import asyncio, sys
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.streamable_http import EventMessage, EventStore

class Store(EventStore):
    """Keeps everything, in order."""

    def __init__(self):
        self.rows = []
        self.replays = []

    async def store_event(self, stream_id, message):
        self.rows.append((stream_id, message))
        if message is not None and hasattr(message.root, "result") and message.root.id == 2:
            finished.set()
        return f"event-{len(self.rows)}"

    async def replay_events_after(self, last_event_id, send_callback):
        self.replays.append(last_event_id)
        index = int(last_event_id.removeprefix("event-"))
        if not 0 < index <= len(self.rows):
            return None
        stream = self.rows[index - 1][0]
        for number, (its, message) in enumerate(self.rows[index:], index + 1):
            if its == stream and message is not None:
                await send_callback(EventMessage(message, f"event-{number}"))
        return stream

port = int(sys.argv[1])
store = Store()
gate = asyncio.Event()
finished = asyncio.Event()
mcp = FastMCP("kept", event_store=store, retry_interval=10, port=port)

@mcp.tool()
async def slow(ctx: Context) -> str:
    await ctx.info("one")
    await gate.wait()
    await ctx.info("two")
    return "three"

@mcp.tool()
async def go() -> str:
    gate.set()
    # The answer of the slow call is kept, though nobody listens to it.
    await asyncio.wait_for(finished.wait(), 30)
    return "went"

@mcp.tool()
async def kept() -> list[str]:
    return [type(message.root).__name__ for _, message in store.rows if message is not None]

@mcp.tool()
async def replays() -> list[str]:
    return store.replays
'''
WAYS = pytest.mark.parametrize(
    "program", [STORE + 'mcp.run("streamable-http")\n', STORE + UVICORN.format(app="mcp.streamable_http_app()")],
    ids=["engine", "asgi"],
)
INFO = {"name": "t", "version": "1"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": INFO}


class Client:
    def __init__(self, url: str) -> None:
        self.http = httpx.Client(
            base_url=url, timeout=LIMIT, headers={"accept": "application/json, text/event-stream"}
        )
        with self.post({"id": 1, "method": "initialize", "params": HELLO}) as events:
            assert last_of(events)["result"]["serverInfo"]["name"] == "kept"
        self.http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"}).raise_for_status()

    @contextmanager
    def post(self, message: dict[str, Any]) -> Iterator[Iterator[tuple[str | None, Any]]]:
        with self.http.stream("POST", "/mcp", json={"jsonrpc": "2.0", **message}) as response:
            assert response.status_code == 200
            if "mcp-session-id" in response.headers:
                self.http.headers["mcp-session-id"] = response.headers["mcp-session-id"]
            yield events_of(response)

    @contextmanager
    def back(self, event: str) -> Iterator[Iterator[tuple[str | None, Any]]]:
        with self.http.stream("GET", "/mcp", headers={"last-event-id": event}) as response:
            assert response.status_code == 200, response.status_code
            yield events_of(response)

    def call(self, number: int, name: str) -> Any:
        with self.post({"id": number, "method": "tools/call", "params": {"name": name}}) as events:
            return last_of(events)["result"]["structuredContent"]["result"]


def events_of(response: httpx.Response) -> Iterator[tuple[str | None, Any]]:
    """Ids and messages of a stream, or the one message of a plain answer."""
    if response.headers["content-type"].startswith("application/json"):
        response.read()
        yield None, response.json()
        return
    event, data = None, ""
    for line in response.iter_lines():
        if line.startswith("id:"):
            event = line[3:].strip()
        elif line.startswith("data:"):
            data += line[5:].strip()
        elif not line:
            yield event, json.loads(data) if data else None
            event, data = None, ""


def last_of(events: Iterator[tuple[str | None, Any]]) -> Any:
    return [message for _, message in events if message is not None][-1]


@WAYS
def test_a_client_that_lost_its_stream_gets_the_rest_from_the_store(program: str) -> None:
    with serving(program) as (url, _):
        client = Client(url)
        last = ""
        with client.post({"id": 2, "method": "tools/call", "params": {"name": "slow"}}) as events:
            for event, message in events:
                last = event or last
                if message is not None:
                    assert message["params"]["data"] == "one"
                    break
        # What the store called it is what the client reads.
        assert last.startswith("event-"), last
        assert client.call(3, "go") == "went"
        kept = client.call(5, "kept")
        assert kept[:4] == ["JSONRPCResponse", "JSONRPCNotification", "JSONRPCNotification", "JSONRPCResponse"]
        with client.back(last) as events:
            rest = []
            for _, message in events:
                if message is not None:
                    rest.append(message)
                if message is not None and "result" in message:
                    break
        assert [message["params"]["data"] for message in rest if "params" in message] == ["two"]
        assert (rest[-1]["id"], rest[-1]["result"]["structuredContent"]) == (2, {"result": "three"})
        assert client.call(4, "replays")
        client.http.close()


@WAYS
def test_the_store_has_every_event_when_it_happens(program: str) -> None:
    with serving(program) as (url, _):
        client = Client(url)
        # The answer to `initialize`, and that to the call before each.
        seen = [len(client.call(number, "kept")) for number in (2, 3, 4)]
        assert seen == [1, 2, 3]
        client.http.close()


COMPAT = "import mcpbolt.compat; mcpbolt.compat.install()\n" + STORE.replace("from mcpbolt.", "from mcp.")
BOTH = pytest.mark.parametrize(
    "program", [STORE.replace("from mcpbolt.", "from mcp."), COMPAT], ids=["official", "compat"]
)


@BOTH
def test_under_the_official_name_streams_answer_as_there(program: str) -> None:
    official = "compat" not in program
    with serving(program + UVICORN.format(app="mcp.streamable_http_app()")) as (url, _):
        client = Client(url)
        client.http.headers["mcp-protocol-version"] = "2025-11-25"
        with client.post({"id": 2, "method": "tools/call", "params": {"name": "kept"}}) as events:
            rows = list(events)
        assert [event for event, _ in rows] == (["event-3", "event-4"] if official else ["event-2", "event-3"])
        assert rows[0][1] is None
        with client.back("event-4711") as events:
            assert list(events) == []
        with client.http.stream("GET", "/mcp") as first:
            assert first.status_code == 200
            assert client.http.get("/mcp").status_code == 409
        client.http.close()


@WAYS
def test_a_store_that_forgot_an_event_does_not_make_one_up(program: str) -> None:
    with serving(program) as (url, _):
        client = Client(url)
        response = client.http.get("/mcp", headers={"last-event-id": "event-4711"})
        assert response.status_code in (400, 404, 409)
        client.http.close()
