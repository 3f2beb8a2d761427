"""Scopes that a token needs for single tools, over HTTP in both transports."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
import pytest
import uvicorn
from ports import free_port

from mcpbolt.client.auth.utils import extract_field_from_www_auth
from mcpbolt.server.auth.provider import AccessToken, TokenVerifier
from mcpbolt.server.auth.settings import AuthSettings
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.mcpserver import MCPServer

pytestmark = pytest.mark.anyio

ABOUT = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp"
HEADERS = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Verifier(TokenVerifier):
    """Tokens that are their scopes."""

    async def verify_token(self, token):
        return AccessToken(token=token, client_id="editor", scopes=token.split("+"), resource=None)


def files(kind=FastMCP, **options):
    settings = AuthSettings(
        issuer_url="https://login.example.com",
        resource_server_url="https://mcp.example.com/mcp",
        required_scopes=["notes"],
        validate_token_resource=False,
    )
    mcp = kind("files", auth=settings, token_verifier=Verifier(), **options)

    @mcp.tool()
    def look() -> str:
        return "looked"

    @mcp.tool(scopes=["files:read", "files:write"])
    def write() -> str:
        return "written"

    return mcp


@asynccontextmanager
async def served(app):
    port = free_port()
    listener = uvicorn.Server(uvicorn.Config(app, port=port, log_level="critical"))
    running = asyncio.ensure_future(listener.serve())
    try:
        while not listener.started:
            await asyncio.sleep(0)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=10) as http:
            yield http
    finally:
        listener.should_exit = True
        await running


def call(name):
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": {}}}


async def ask(http, body, token):
    return await http.post("/mcp", json=body, headers={**HEADERS, "authorization": f"Bearer {token}"})


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
async def test_a_call_needs_the_scopes_of_its_tool_and_is_told_all_of_them(kind):
    options = {"stateless_http": True, "json_response": True}
    mcp = files(kind, **options) if kind is FastMCP else files(kind)
    app = mcp.streamable_http_app() if kind is FastMCP else mcp.streamable_http_app(**options)
    async with served(app) as http:
        assert (await ask(http, call("look"), "notes")).status_code == 200
        refused = await ask(http, call("write"), "notes+files:read")
        assert refused.status_code == 403
        assert extract_field_from_www_auth(refused, "error") == "insufficient_scope"
        assert extract_field_from_www_auth(refused, "scope") == "notes files:read files:write"
        assert extract_field_from_www_auth(refused, "resource_metadata") == ABOUT
        # What the challenge names is enough: stepping up works.
        scopes = extract_field_from_www_auth(refused, "scope").replace(" ", "+")
        assert "written" in (await ask(http, call("write"), scopes)).text
        listing = await ask(http, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, "notes")
        assert "write" in listing.text


async def test_a_tool_that_comes_later_is_never_open():
    mcp = files(stateless_http=True, json_response=True)
    async with served(mcp.streamable_http_app()) as http:
        await ask(http, call("look"), "notes")

        @mcp.tool(scopes=["admin"])
        def purge() -> str:
            return "purged"

        assert (await ask(http, call("purge"), "notes")).status_code == 403
        assert (await ask(http, call("purge"), "notes+admin")).status_code == 200
        mcp.remove_tool("write")
        assert (await ask(http, call("write"), "notes")).status_code == 200


async def test_a_program_that_lists_tools_itself_opens_none():
    class Own(FastMCP):
        async def list_tools(self):
            return []

    mcp = files(Own, stateless_http=True, json_response=True)
    async with served(mcp.streamable_http_app()) as http:
        assert (await ask(http, call("write"), "notes")).status_code == 403


async def test_a_transport_that_has_accepted_the_message_answers_with_an_error():
    async with served(files().sse_app()) as http:
        bearer = {"authorization": "Bearer notes"}
        async with http.stream("GET", "/sse", headers=bearer) as stream:
            lines = stream.aiter_lines()

            async def data():
                async for line in lines:
                    if line.startswith("data: "):
                        return line.removeprefix("data: ")

            path = await data()
            about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            hello = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about}
            for message in (hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call("write")):
                assert (await http.post(path, json=message, headers=bearer)).status_code == 202
            assert json.loads(await data())["result"]["serverInfo"]["name"] == "files"
            error = json.loads(await data())["error"]
            assert "files:write" in error["data"]["challenge"]


def test_a_name_that_can_be_no_scope_is_refused():
    mcp = FastMCP("files")
    with pytest.raises(ValueError, match="one by one"):

        @mcp.tool(scopes=["a b"])
        def write() -> str:
            return ""
