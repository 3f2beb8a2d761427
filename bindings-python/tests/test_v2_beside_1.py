"""Both lines in one process: which was imported first decides nothing, and a server takes the content
of either.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import mcpbolt
import mcpbolt.types as types1
import pytest
from bounds import START
from mcpbolt import v2
from mcpbolt.client.auth import LoopbackRedirect
from mcpbolt.client.auth import OAuthClientProvider as Provider1
from mcpbolt.server import MCPServer as MCPServerOf1
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.fastmcp.prompts.base import UserMessage as UserMessage1
from mcpbolt.server.fastmcp.resources import TextResource as TextResource1
from mcpbolt.server.fastmcp.utilities.func_metadata import func_metadata as func_metadata1
from mcpbolt.shared.exceptions import MCPError, McpError
from mcpbolt.v2 import types as types2
from mcpbolt.v2.client.auth import OAuthClientProvider
from mcpbolt.v2.server import MCPServer
from mcpbolt.v2.server.mcpserver.prompts.base import UserMessage as UserMessage2
from mcpbolt.v2.server.mcpserver.resources import TextResource as TextResource2
from mcpbolt.v2.server.mcpserver.utilities.func_metadata import func_metadata as func_metadata2
from mcpbolt.v2.shared.auth import OAuthClientInformationFull, OAuthClientMetadata
from sign_in_site import Browser, Site
from v2_by_import import httpx2_paths, with_httpx2

SERVERS: list[Any] = [FastMCP, MCPServerOf1, MCPServer]


def text(types: Any, words: str) -> Any:
    return types.TextContent(type="text", text=words)


def app(kind: Any) -> Any:
    """A server whose functions return the content of both lines."""
    server = kind("both")

    @server.tool()
    def whole1() -> types1.CallToolResult:
        return types1.CallToolResult(content=[text(types1, "one")], isError=True)

    @server.tool()
    def whole2() -> types2.CallToolResult:
        return types2.CallToolResult(content=[text(types2, "two")], is_error=True)

    @server.tool()
    async def blocks() -> Any:
        return [text(types1, "one"), text(types2, "two"), "three"]

    @server.prompt()
    def ask() -> Any:
        return [UserMessage1(text(types1, "one")), UserMessage2(text(types2, "two")), text(types1, "3"), text(types2, "4")]

    server.add_resource(TextResource1.model_validate({"uri": "one://a", "text": "one"}))
    server.add_resource(TextResource2(uri="two://a", text="two"))
    return server


@pytest.mark.anyio
@pytest.mark.parametrize("kind", SERVERS, ids=["FastMCP", "MCPServer", "v2.MCPServer"])
async def test_a_server_takes_the_content_of_both_lines(kind: Any) -> None:
    async with v2.Client(app(kind)) as client:
        calls = {name: await client.call_tool(name, {}) for name in ("whole1", "whole2", "blocks")}
        shown = {name: (call.is_error, [block.text for block in call.content]) for name, call in calls.items()}
        assert shown == {
            "whole1": (True, ["one"]), "whole2": (True, ["two"]), "blocks": (False, ["one", "two", "three"]),
        }
        said = [message.content.text for message in (await client.get_prompt("ask")).messages]
        assert said == ["one", "two", "3", "4"]
        uris = [resource.uri for resource in (await client.list_resources()).resources]
        assert uris == ["one://a", "two://a"]
        assert [(await client.read_resource(uri)).contents[0].text for uri in uris] == ["one", "two"]


@pytest.mark.anyio
@pytest.mark.parametrize(("kind", "types"), [(MCPServerOf1, types1), (MCPServer, types2)], ids=["1", "2"])
async def test_own_calls_answer_with_the_models_of_the_server(kind: Any, types: Any) -> None:
    server = app(kind)
    for name in ("whole1", "whole2", "blocks"):
        found = await server.call_tool(name, {})
        assert type(found) is types.CallToolResult
        assert {type(block) for block in found.content} == {types.TextContent}
    prompt = await server.get_prompt("ask")
    assert type(prompt) is types.GetPromptResult
    assert {type(message.content) for message in prompt.messages} == {types.TextContent}
    rows = await server.list_tools(), await server.list_prompts(), await server.list_resources()
    assert [type(row[0]) for row in rows] == [types.Tool, types.Prompt, types.Resource]


PROGRAM = """
import asyncio, json
{imports}
t2 = v2.types

async def main():
    new, old = v2.server.MCPServer("new"), FastMCP("old")
    for server, types in ((new, t2), (old, t1)):
        @server.tool()
        def bad() -> types.CallToolResult:
            return types.CallToolResult(content=[types.TextContent(type="text", text="bad")], isError=True)
        @server.resource("https://example.com")
        def site() -> str: return "site"
    found = []
    for server in (new, old):
        async with v2.Client(server) as client:
            call, [one] = await client.call_tool("bad", {}), (await client.list_resources()).resources
            read = await client.read_resource(one.uri)
            found.append([call.is_error, call.content[0].text, one.uri, read.contents[0].text])
    print(json.dumps(found))

asyncio.run(main())
"""
IMPORTS = [
    "import mcpbolt.types as t1",
    "from mcpbolt.server.fastmcp import FastMCP",
    "from mcpbolt import v2; import mcpbolt.v2.server",
]


@pytest.mark.parametrize("imports", [IMPORTS, IMPORTS[::-1]], ids=["1 first", "2 first"])
def test_the_order_of_imports_decides_nothing(imports: list[str]) -> None:
    done = run(PROGRAM.replace("{imports}", "\n".join(imports)))
    assert json.loads(done) == [
        [True, "bad", "https://example.com", "site"],
        [True, "bad", "https://example.com/", "site"],
    ]


def run(program: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=START, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_program_for_1_loads_nothing_of_2() -> None:
    program = """
import asyncio, sys
from mcpbolt import Client
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.types import CallToolResult, TextContent
server = FastMCP("one")
@server.tool()
def whole() -> CallToolResult: return CallToolResult(content=[TextContent(type="text", text="x")])
@server.resource("a://b")
def note() -> str: return "n"
@server.prompt()
def ask() -> str: return "a"
async def main():
    async with Client(server) as client:
        await client.call_tool("whole", {}), await client.get_prompt("ask"), await client.read_resource("a://b")
asyncio.run(main())
print([name for name in sys.modules if name.startswith("mcpbolt.v2")])
"""
    assert run(program) == "[]\n"


def test_a_server_of_2_loads_no_models_before_it_needs_them() -> None:
    program = """
import sys
from mcpbolt.v2.server import MCPServer
server = MCPServer("two")
@server.tool()
def add(a: int, b: int) -> int: return a + b
@server.prompt()
def ask(topic: str) -> str: return topic
@server.resource("a://b")
def note() -> str: return "n"
print(sorted(name for name in sys.modules if name == "pydantic" or name.endswith((".content", "_types.tools"))))
"""
    assert [name for name in json.loads(run(program).replace("'", '"')) if name != "mcpbolt._common.functions.content"] == []


def test_errors_show_what_they_were_made_from() -> None:
    assert MCPError(1, "m", "d").args == (1, "m", "d")
    error = McpError(types1.ErrorData(code=1, message="m"))
    assert (error.args, str(error), type(error.error)) == (("m",), "m", types1.ErrorData)
    for one in (MCPError(1, "m", "d"), error, mcpbolt.shared.exceptions.TimeoutError("late")):
        copy = pickle.loads(pickle.dumps(one))
        assert (type(copy), copy.args, str(copy), copy.code) == (type(one), one.args, str(one), one.code)


@pytest.mark.anyio
async def test_each_client_raises_its_own_errors() -> None:
    for client, args in ((mcpbolt.Client(app(MCPServer)), 1), (v2.Client(app(MCPServer)), 3)):
        async with client:
            with pytest.raises(MCPError) as failed:
                await client.get_prompt("none")
            assert len(failed.value.args) == args
            assert str(failed.value) == failed.value.message


@pytest.mark.parametrize("func_metadata", [func_metadata1, func_metadata2])
def test_results_of_either_line_are_content(func_metadata: Any) -> None:
    def one() -> types1.CallToolResult: ...
    def two() -> types2.CallToolResult: ...
    assert [func_metadata(function).output_schema for function in (one, two)] == [None, None]


class Storage:
    """Keeps what it is given."""

    tokens: Any = None
    client: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> Any:
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        self.client = client_info


@pytest.mark.anyio
@pytest.mark.parametrize("provider", [Provider1, OAuthClientProvider], ids=["1", "2"])
async def test_a_provider_signs_in_for_httpx(provider: Any) -> None:
    storage = await signed_in(httpx, provider)
    assert isinstance(storage.client, OAuthClientInformationFull) is (provider is OAuthClientProvider)


async def signed_in(library: Any, provider: Any) -> Storage:
    """What a provider stored, once a client of this package has signed in at a site by it."""
    storage = Storage()
    metadata = OAuthClientMetadata(redirect_uris=None, client_name="x", application_type="web")
    with Site() as site:
        auth = provider(site.url, metadata, storage, redirect=LoopbackRedirect(open_browser=Browser()))
        async with library.AsyncClient(auth=auth, trust_env=False) as http:
            answer = await http.post(site.url, json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
        assert answer.status_code == 200
        assert site.registered[0]["application_type"] == "web"
        await auth.sign_out()
        assert len(site.revoked) == 2
    return storage


SIGN_IN = """
import sys
sys.path += {paths!r}
import anyio, httpx2
import test_v2_beside_1 as here
storage = anyio.run(here.signed_in, httpx2, here.OAuthClientProvider)
print(issubclass(here.OAuthClientProvider, httpx2.Auth), storage.client.application_type)
"""


@with_httpx2
def test_a_provider_signs_in_for_httpx2() -> None:
    paths = [str(Path(__file__).parent), *httpx2_paths()]
    assert run(SIGN_IN.format(paths=paths)) == "True web\n"
