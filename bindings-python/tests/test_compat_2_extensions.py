"""Extensions of clients and servers under the alias of 2.x: declared, refused and heard as on the
official package 2.3.0, which runs the same program.
"""

from __future__ import annotations

import pytest
from beside_2 import official, ours
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

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

UNASKED = """
from typing import Literal

class Receipt(t.Result):
    result_type: Literal["receipt"] = "receipt"

async def resolve(result, context):
    return t.CallToolResult(content=[t.TextContent(text=context.tool_name)])

class Receipts(ClientExtension):
    identifier = "com.example/receipts"

    def claims(self):
        return [ResultClaim(result_type="receipt", model=Receipt, resolve=resolve)]

async def main():
    async def call_tool(ctx, params):
        return {"resultType": "receipt"}

    async def list_tools(ctx, params):
        return t.ListToolsResult(tools=[t.Tool(name="buy", input_schema={"type": "object"})])

    server = Server("s", on_call_tool=call_tool, on_list_tools=list_tools)
    async with Client(server, mode="2026-07-28", extensions=[Receipts()]) as client:
        found = [
            await raised(client.session.call_tool("buy", {})),
            type(await client.session.call_tool("buy", {}, allow_claimed=True)).__name__,
            (await client.call_tool("buy", {})).content[0].text,
        ]
    return found

run(main)
"""


@pytest.mark.parametrize(
    "program", [EXTENSIONS, REFUSED, DEAF, UNASKED], ids=["declared", "refused", "deaf", "unasked"]
)
def test_the_same_extensions_do_the_same(program: str) -> None:
    """What is declared in which era, what is refused in which words, whom notifications of the
    protocol reach, and results that a call did not ask for.
    """
    assert ours(program) == official(program)
