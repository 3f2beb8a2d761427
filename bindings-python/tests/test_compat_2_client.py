"""What a program sees of its client under the alias of 2.x: the same as on the official package
2.3.0, which runs the same program.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from bounds import START
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

BEGIN = """
import json, warnings
import anyio, mcp_types as t
from mcp import Client, ClientSession, MCPError
from mcp.client.extension import ClientExtension, ResultClaim, advertise
from mcp.server import Server
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import NoBackChannelError

warnings.simplefilter("ignore")

def about(error):
    inner = getattr(error, "exceptions", None)
    if inner:
        return [type(error).__name__, *[about(one) for one in inner]]
    shown = type(error).__name__
    return [shown, error.code, error.message] if isinstance(error, MCPError) else [shown]

async def raised(work):
    try:
        return await work
    except BaseException as error:
        return about(error)

def run(main):
    print(json.dumps(anyio.run(main)))
"""

PINNED = """
async def main():
    async with Client(MCPServer("shop")) as client:
        saved = client.session.discover_result
    async with Client(MCPServer("shop"), mode="2026-07-28") as client:
        blank = [client.server_info, client.server_capabilities == t.ServerCapabilities(), client.protocol_version]
    async with Client(MCPServer("shop"), mode="2026-07-28", prior_discover=saved) as client:
        known = [client.server_info.name, client.session.discover_result is saved]
    return blank, known

run(main)
"""

GROUPS = """
async def leaving(server):
    async with Client(server) as client:
        await client.read_resource("a://nothing")

def leaves(found):
    if found[0] != "ExceptionGroup":
        return [found]
    return [one for part in found[1:] for one in leaves(part)]

async def main():
    found = await raised(leaving(MCPServer("shop")))
    return found[0], leaves(found)

run(main)
"""

ANSWERS = """
class Told(t.Result):
    result_type: str = "told"

async def main():
    async def call_tool(ctx, params):
        if params.name == "ask":
            question = t.ElicitRequest(params=t.ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}}))
            return t.InputRequiredResult(input_requests={"q": question}, request_state="s")
        if params.name == "odd":
            return Told()
        if params.name == "mismatch":
            raise MCPError(-32020, "raised by the tool")
        token = (ctx.meta or {}).get("progress_token")
        return t.CallToolResult(content=[t.TextContent(text=type(token).__name__)])

    async def list_tools(ctx, params):
        schema = {"type": "object"}
        return t.ListToolsResult(tools=[t.Tool(name=one, input_schema=schema) for one in ("ask", "odd", "mismatch", "token")])

    async def ignore(*report):
        pass

    server = Server("s", on_call_tool=call_tool, on_list_tools=list_tools)
    async with Client(server) as client:
        asked = await client.session.call_tool("ask", {}, allow_input_required=True)
        refused = await raised(client.call_tool("ask", {}))
        odd = await raised(client.call_tool("odd", {}))
        ping = await raised(client.send_ping())
    async with Client(server, mode="legacy") as client:
        mismatch = await raised(client.call_tool("mismatch", {}))
        token = await client.call_tool("token", {}, progress_callback=ignore)
    return sorted(asked.meta or {}), refused, odd[0], ping, token.content[0].text, mismatch

run(main)
"""

EXTENSIONS = """
from typing import Literal

class Receipt(t.Result):
    result_type: Literal["receipt"] = "receipt"

async def resolve(result, context):
    raise NotImplementedError

class Receipts(ClientExtension):
    identifier = "com.example/receipts"

    def claims(self):
        return [ResultClaim(result_type="receipt", model=Receipt, resolve=resolve)]

async def main():
    mcp = MCPServer("s")

    @mcp.tool()
    def declared(ctx: Context) -> list[str]:
        return sorted(ctx.client_capabilities.extensions or {})

    found = []
    for mode in ("legacy", "2026-07-28"):
        async with Client(mcp, mode=mode, extensions=[Receipts(), advertise("com.example/flags")]) as client:
            found.append((await client.call_tool("declared", {})).structured_content)
    return found

run(main)
"""

SAMPLING = """
async def main():
    mcp = MCPServer("s")

    @mcp.tool()
    async def ask(ctx: Context) -> str:
        await ctx.session.create_message(messages=[], max_tokens=8)

    async with Client(mcp) as client:
        return await raised(client.call_tool("ask", {}))

run(main)
"""


def answer_of(*command: str) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=START)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    "program",
    [PINNED, GROUPS, ANSWERS, EXTENSIONS, SAMPLING],
    ids=["pinned", "groups", "answers", "extensions", "sampling"],
)
def test_the_same_program_sees_the_same(program: str) -> None:
    """Revisions that a program names, errors that leave contexts, answers, and what is declared."""
    ours = answer_of(sys.executable, "-m", "mcpbolt.compat", "--api", "2", "-c", BEGIN + program)
    assert ours == answer_of(MODERN, "-c", BEGIN + program)
