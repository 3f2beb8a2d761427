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


REFUSED = """
from typing import Any, Literal
from pydantic import AliasChoices, BaseModel, Field
from mcp.client.extension import NotificationBinding
from mcp.server.extension import Extension, MethodBinding

class Told(t.Result):
    result_type: Literal["told"] = "told"

class Called(t.CallToolResult):
    pass

class Stateful(t.Result):
    result_type: Literal["told"] = "told"
    kept: Any = Field(default=None, validation_alias=AliasChoices("kept", "requestState"))

class Heard(BaseModel):
    pass

async def nothing(*_):
    raise NotImplementedError

def claim(model=Told, tag="told", **more):
    return ResultClaim(result_type=tag, model=model, resolve=nothing, **more)

class Claims(ClientExtension):
    def __init__(self, name, times=1):
        self.identifier, self.times = name, times

    def claims(self):
        return [claim()] * self.times

class Hears(ClientExtension):
    def __init__(self, name, times=1):
        self.identifier, self.times = name, times

    def notifications(self):
        return [NotificationBinding(method="notifications/x", params_type=Heard, handler=nothing)] * self.times

def said(make):
    try:
        make()
    except Exception as error:
        return [type(error).__name__, str(error)]

def given(*extensions):
    return said(lambda: Client(MCPServer("s"), extensions=list(extensions)))

async def ping(ctx, params):
    raise NotImplementedError

class Pings(Extension):
    def __init__(self, name):
        self.identifier = name

    def methods(self):
        return [MethodBinding("com.example/ping", t.RequestParams, ping)]

async def main():
    return [
        said(lambda: Client(MCPServer("s"), extensions={"com.example/a": {}})),
        said(lambda: MCPServer("s", extensions=[Pings("com.example/a"), Pings("com.example/b")])),
        said(lambda: MethodBinding("com.example/ping", t.RequestParams, ping, frozenset())),
        given(ClientExtension()),
        given(advertise("com.example/a"), advertise("com.example/a")),
        given(Claims("com.example/a"), Claims("com.example/b")),
        given(Claims("com.example/a", 2)),
        given(Hears("com.example/a"), Hears("com.example/b")),
        given(Hears("com.example/a", 2)),
        *[
            said(lambda: claim(**wrong))
            for wrong in (
                {"tag": "complete"},
                {"tag": "other"},
                {"model": t.Result},
                {"model": Called},
                {"model": Stateful},
                {"model": Heard},
                {"method": "prompts/get"},
                {"protocol_versions": frozenset()},
                {"protocol_versions": frozenset({"2025-11-25", "2026-07-28"})},
                {},
            )
        ],
    ]

run(main)
"""

DEAF = """
import logging
from pydantic import BaseModel
from mcp.client.extension import NotificationBinding

class Any(BaseModel):
    pass

async def fails(params):
    raise NotImplementedError

class Hears(ClientExtension):
    identifier = "com.example/hears"

    def notifications(self):
        return [NotificationBinding(method="notifications/message", params_type=Any, handler=fails)]

class Kept(logging.Handler):
    def emit(self, record):
        warned.append(record.getMessage())

warned = []
logging.getLogger("client").addHandler(Kept())

async def main():
    mcp, heard = MCPServer("s"), anyio.Event()

    @mcp.tool()
    async def tell(ctx: Context) -> str:
        await ctx.info("here")
        return ""

    async def log(params):
        heard.set()

    for mode in ("legacy", "2026-07-28"):
        async with Client(mcp, mode=mode, extensions=[Hears()], logging_callback=log, log_level="debug") as client:
            await client.call_tool("tell", {})
            with anyio.fail_after(20):
                await heard.wait()
        heard = anyio.Event()
    return [one for one in warned if "will never fire" in one]

run(main)
"""

KEYS = """
async def main():
    async def call_tool(ctx, params):
        if params.input_responses:
            return t.CallToolResult(content=[])
        question = t.ElicitRequest(params=t.ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}}))
        return t.InputRequiredResult(input_requests={"who": question, "roots": t.ListRootsRequest()})

    async def list_tools(ctx, params):
        return t.ListToolsResult(tools=[t.Tool(name="ask", input_schema={"type": "object"})])

    asked = []

    async def elicit(context, params):
        asked.append(context.request_id)
        return t.ElicitResult(action="decline")

    async def roots(context):
        asked.append(context.request_id)
        return t.ListRootsResult(roots=[])

    server = Server("s", on_call_tool=call_tool, on_list_tools=list_tools)
    async with Client(server, elicitation_callback=elicit, list_roots_callback=roots) as client:
        # At the same time, under the same keys.
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "ask", {})
            group.start_soon(client.call_tool, "ask", {})
    return sorted(asked)

run(main)
"""

RAISED = """
async def main():
    async def call_tool(ctx, params):
        raise ValueError(params.name)

    server = Server("s", on_call_tool=call_tool)
    found = []
    async with Client(server, mode="2026-07-28", raise_exceptions=True) as client:
        for name in ("one", "two"):
            try:
                await client.session.call_tool(name, {})
            except MCPError as error:
                found.append([error.code, error.message, error.data, repr(error.__cause__)])
    return found

run(main)
"""

UNREACHED = """
import socket
try:
    import httpx2
except ImportError:
    import httpx as httpx2
from mcp.client.sse import sse_client

async def opened(url, **more):
    async with sse_client(url, **more):
        raise NotImplementedError

async def main():
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = await raised(opened(f"http://127.0.0.1:{closed.getsockname()[1]}/sse"))

    def client(headers=None, timeout=None, auth=None):
        return httpx2.AsyncClient(transport=httpx2.MockTransport(lambda request: httpx2.Response(403)))

    return nobody, await raised(opened("http://test/sse", httpx_client_factory=client))

run(main)
"""

LONG = """
try:
    import httpx2
except ImportError:
    import httpx as httpx2
from mcp.client.streamable_http import streamable_http_client

def serve(request):
    body = json.loads(request.content) if request.content else {}
    if "id" not in body or request.method != "POST":
        return httpx2.Response(202 if request.method == "POST" else 405)
    if body["method"] == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}
        return httpx2.Response(200, json={"jsonrpc": "2.0", "id": body["id"], "result": result})
    if body["method"] == "tools/list":
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("2000", "10")]
        return httpx2.Response(200, json={"jsonrpc": "2.0", "id": body["id"], "result": {"tools": tools}})
    text = "x" * int(body["params"]["name"])
    answer = json.dumps({"jsonrpc": "2.0", "id": body["id"], "result": {"content": [{"type": "text", "text": text}]}})
    content = ": a comment\\r\\n\\r\\ndata: " + answer + "\\n\\n"
    return httpx2.Response(200, content=content.encode(), headers={"content-type": "text/event-stream"})

async def main():
    found = []
    for most in (1024, None):
        async with httpx2.AsyncClient(transport=httpx2.MockTransport(serve)) as http:
            way = streamable_http_client("http://test/mcp", http_client=http, max_sse_event_size=most)
            async with Client(way, mode="legacy") as client:
                for size in ("2000", "10"):
                    answer = await raised(client.session.call_tool(size, {}))
                    found.append(answer if isinstance(answer, list) else len(answer.content[0].text))
    for wrong in (0, -1):
        try:
            async with streamable_http_client("http://test/mcp", max_sse_event_size=wrong):
                pass
        except ValueError as error:
            found.append(str(error))
    return found

run(main)
"""

SEEN = {
    "pinned": PINNED,
    "groups": GROUPS,
    "answers": ANSWERS,
    "extensions": EXTENSIONS,
    "sampling": SAMPLING,
    "refused extensions": REFUSED,
    "deaf extensions": DEAF,
    "keys of questions": KEYS,
    "raised": RAISED,
    "unreached": UNREACHED,
    "long events": LONG,
}


def answer_of(*command: str) -> Any:
    done = subprocess.run(command, capture_output=True, text=True, timeout=START)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("program", SEEN.values(), ids=SEEN)
def test_the_same_program_sees_the_same(program: str) -> None:
    """Revisions that a program names, errors that leave contexts, answers, extensions and what is
    declared of them, what callbacks are told, and limits.
    """
    ours = answer_of(sys.executable, "-m", "mcpbolt.compat", "--api", "2", "-c", BEGIN + program)
    assert ours == answer_of(MODERN, "-c", BEGIN + program)
