"""Chapter deploy."""

from __future__ import annotations

import asyncio


# [guide]
from mcpbolt.server.fastmcp import FastMCP

# No sessions: every worker and every node answers. An application without `lifespan=` of
# yours can be mounted anywhere; it starts with its first request.
mcp = FastMCP(
    "reports", stateless_http=True, json_response=True, health="/healthz", ready="/readyz", metrics="/metrics"
)


@mcp.tool()
def revenue(year: int) -> float:
    """Revenue of a year."""
    return 1e6 + year


app = mcp.streamable_http_app()
# [end]



def test_each_request_stands_alone() -> None:
    import httpx

    async def main() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:
            assert (await http.get("/healthz")).text == "ok\n"
            assert (await http.get("/readyz")).status_code == 200
            params = {"name": "revenue", "arguments": {"year": 1}}
            headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}
            message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            answer = await http.post("/mcp", json=message, headers=headers)
            assert answer.json()["result"]["structuredContent"] == {"result": 1000001.0}
            assert "mcp-session-id" not in answer.headers
            counted = 'mcpbolt_calls_total{method="tools/call",outcome="ok"} 1'
            assert counted in (await http.get("/metrics")).text.splitlines()

    asyncio.run(asyncio.wait_for(main(), 60))
