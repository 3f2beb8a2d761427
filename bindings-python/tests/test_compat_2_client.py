"""What a program sees of its client under the alias of 2.x: the same as on the official package
2.3.0, which runs the same program.
"""

from __future__ import annotations

import pytest
from beside_2 import official, ours
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

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

CHECKED = """
async def main():
    shop = MCPServer("shop")

    @shop.tool()
    def measure(word: str) -> int:
        return len(word)

    # Libraries put the old names back, with a warning.
    used = []
    t.CallToolResult.structuredContent = property(lambda result: used.append(result))
    async with Client(shop) as client:
        found = await client.call_tool("measure", {"word": "milk"})
    return found.structured_content, len(used)

run(main)
"""

BY_HAND = """
async def main():
    question = t.ElicitRequest(params=t.ElicitRequestFormParams(message="?", requested_schema={"type": "object", "properties": {}}))
    seen = []

    def look(ctx, params):
        answers = params.input_responses
        if not answers:
            return t.InputRequiredResult(input_requests={"q": question}, request_state="s")
        seen.append([answers["q"].action, params.request_state, (ctx.meta or {}).get("test/mark")])

    async def get_prompt(ctx, params):
        return look(ctx, params) or t.GetPromptResult(messages=[])

    async def read_resource(ctx, params):
        return look(ctx, params) or t.ReadResourceResult(contents=[])

    server = Server("s", on_get_prompt=get_prompt, on_read_resource=read_resource)
    again = {"input_responses": {"q": t.ElicitResult(action="decline")}, "request_state": "s"}
    async with Client(server) as client:
        for meta in (None, {"test/mark": 1}):
            await client.get_prompt("p", meta=meta, **again)
            await client.read_resource("a://b", meta=meta, **again)
    return seen

run(main)
"""

SEEN = {
    "answers by hand": BY_HAND,
    "checked": CHECKED,
    "pinned": PINNED,
    "groups": GROUPS,
    "answers": ANSWERS,
    "sampling": SAMPLING,
    "keys of questions": KEYS,
    "raised": RAISED,
    "unreached": UNREACHED,
    "long events": LONG,
}


@pytest.mark.parametrize("program", SEEN.values(), ids=SEEN)
def test_the_same_program_sees_the_same(program: str) -> None:
    """Revisions that a program names, errors that leave contexts, answers, what callbacks are
    told, and limits.
    """
    assert ours(program) == official(program)
