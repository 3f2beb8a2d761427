"""The programs of the cookbook that are for HTTP."""

import asyncio
from typing import Any

import httpx
import metrics
import tenants

HELLO: dict[str, Any] = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class Caller:
    """A client with a token, by hand: what is asked, and how it is refused."""

    def __init__(self, app: Any, token: str = "") -> None:
        self.headers = {"accept": "application/json, text/event-stream"}
        if token:
            self.headers["authorization"] = f"Bearer {token}"
        self.http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8000")

    async def ask(self, method: str, params: dict[str, Any]) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer = await self.http.post("/mcp", json=message, headers=self.headers)
        if session := answer.headers.get("mcp-session-id"):
            self.headers["mcp-session-id"] = session
        return answer

    async def call(self, tool: str, **arguments: Any) -> str:
        return (await self.ask("tools/call", {"name": tool, "arguments": arguments})).text


def test_tenants_see_their_own_notes_and_what_they_may_do() -> None:
    app = tenants.mcp.streamable_http_app()

    async def main() -> None:
        nobody = await Caller(app).ask("initialize", HELLO)
        assert nobody.status_code == 401 and "resource_metadata=" in nobody.headers["www-authenticate"]
        ann, bob = Caller(app, "token-of-ann"), Caller(app, "token-of-bob")
        for each in (ann, bob):
            assert (await each.ask("initialize", HELLO)).status_code == 200
        assert "Written. There are 1 notes." in await ann.call("write", name="a", text="of ann")
        assert "of ann" in await ann.call("read", name="a")
        assert "There is no note a." in await bob.call("read", name="a")
        # Bob may not write: the tool is unknown to him, and in no list of his.
        assert "Unknown tool" in await bob.call("write", name="a", text="of bob")
        assert '"write"' in (await ann.ask("tools/list", {})).text
        assert '"write"' not in (await bob.ask("tools/list", {})).text
        # A session belongs to whoever opened it.
        bob.headers["mcp-session-id"] = ann.headers["mcp-session-id"]
        assert (await bob.ask("tools/list", {})).status_code == 404

    asyncio.run(asyncio.wait_for(main(), 60))


def test_calls_are_counted_and_shown() -> None:
    app = metrics.mcp.streamable_http_app()

    async def main() -> str:
        caller = Caller(app)
        await caller.ask("initialize", HELLO)
        assert "1001999" not in await caller.call("revenue", year=1999)
        assert "1002001" in await caller.call("revenue", year=2001)
        assert (await caller.http.get("/healthz")).text == "ok\n"
        assert "mcpbolt_calls_total" in (await caller.http.get("/engine")).text
        # Records are written beside the calls: wait until those of both are there.
        while sum(metrics.calls.values()) < 3:
            await asyncio.sleep(0)
        return (await caller.http.get("/metrics")).text

    shown = asyncio.run(asyncio.wait_for(main(), 60))
    assert 'calls_total{name="initialize",outcome="result"} 1' in shown
    assert 'calls_total{name="revenue",outcome="result"} 1' in shown
    assert 'calls_total{name="revenue",outcome="tool_error"} 1' in shown
    assert 'call_seconds_bucket{le="10.0"} 3' in shown
