"""Chapter security."""

from __future__ import annotations

import asyncio
from typing import Any

# [guide]
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.transport_security import TransportSecuritySettings

mcp = FastMCP(
    "reports",
    host="127.0.0.1",
    max_request_body_size=1 << 20,
    max_sessions=500,
    session_idle_timeout=600,  # seconds
    transport_security=TransportSecuritySettings(
        allowed_hosts=["reports.example.com"],
        allowed_origins=["https://app.example.com"],
    ),
)
app = mcp.streamable_http_app()
# [end]

# [guide]
from mcpbolt.server.auth.middleware.auth_context import get_access_token  # noqa: E402
from mcpbolt.server.auth.provider import AccessToken  # noqa: E402
from mcpbolt.server.auth.settings import AuthSettings  # noqa: E402


class Tokens:
    """Knows one token. A real verifier asks the authorization server, or checks a signature."""

    async def verify_token(self, token: str) -> AccessToken | None:
        if token != "a-long-random-token":
            return None
        return AccessToken(token=token, client_id="ann", scopes=["read"], resource="https://reports.example.com/mcp")


guarded = FastMCP(
    "reports",
    token_verifier=Tokens(),
    auth=AuthSettings(
        issuer_url="https://login.example.com",
        resource_server_url="https://reports.example.com/mcp",
        required_scopes=["read"],
        validate_token_resource=True,
    ),
)


@guarded.tool()
def who() -> str:
    """Says who is asking"""
    token = get_access_token()
    return "nobody" if token is None else token.client_id
# [end]

# [guide]
from mcpbolt import ClientSession, types  # noqa: E402


async def ask_first(session: ClientSession, tool: types.Tool, arguments: dict[str, object]) -> bool:
    """Calls a tool when it only reads, or when a person says yes."""
    only_reads = tool.annotations is not None and tool.annotations.readOnlyHint
    if not only_reads:
        print(f"{tool.name} wants to run with {arguments}")  # show tool, arguments and server; ask
        return False
    return not (await session.call_tool(tool.name, arguments)).isError
# [end]


def test_names_that_are_not_allowed_get_nothing() -> None:
    import httpx

    async def status(host: str, origin: str | None, served: Any = app) -> int:
        transport = httpx.ASGITransport(served)
        headers = {"accept": "application/json, text/event-stream", "host": host}
        headers |= {} if origin is None else {"origin": origin}
        message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}
        async with httpx.AsyncClient(transport=transport, base_url="http://reports.example.com") as http:
            return (await http.post("/mcp", json=message, headers=headers)).status_code

    async def main() -> None:
        assert await status("reports.example.com", None) == 200
        assert await status("reports.example.com", "https://app.example.com") == 200
        assert await status("evil.example.com", None) == 421
        assert await status("reports.example.com", "https://evil.example.com") == 403
        usual = FastMCP("usual").streamable_http_app()
        assert await status("127.0.0.1:8000", None, usual) == 200
        assert await status("evil.example.com", None, usual) == 421

    asyncio.run(asyncio.wait_for(main(), 60))


def test_only_who_has_the_token_is_served() -> None:
    import httpx

    async def main() -> None:
        transport = httpx.ASGITransport(guarded.streamable_http_app())
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http:

            async def post(token: str, message: Any, **more: str) -> httpx.Response:
                headers = {"accept": "application/json, text/event-stream", "authorization": f"Bearer {token}", **more}
                return await http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, **message}, headers=headers)

            hello = {"method": "initialize", "params": HELLO}
            refused = await post("another", hello)
            assert refused.status_code == 401
            document = refused.headers["www-authenticate"].split('resource_metadata="')[1].rstrip('"')
            assert document == "https://reports.example.com/.well-known/oauth-protected-resource/mcp"
            opened = await post("a-long-random-token", hello)
            session = {"mcp-session-id": opened.headers["mcp-session-id"]}
            call = {"method": "tools/call", "params": {"name": "who", "arguments": {}}}
            assert "ann" in (await post("a-long-random-token", call, **session)).text

    asyncio.run(asyncio.wait_for(main(), 60))


HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def test_nothing_runs_that_may_change_things(capsys) -> None:
    from mcpbolt import Client

    server = FastMCP("both")
    server.tool(annotations=types.ToolAnnotations(readOnlyHint=True))(look)
    server.tool()(change)

    async def main() -> list[bool]:
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            return [await ask_first(client.session, tool, {}) for tool in tools]

    assert asyncio.run(asyncio.wait_for(main(), 60)) == [True, False]
    assert capsys.readouterr().out == "change wants to run with {}\n"


def look() -> str:
    return "seen"


def change() -> str:
    raise AssertionError("nobody said yes")
