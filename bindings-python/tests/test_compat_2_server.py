"""What a program sees of its server under the alias of 2.x: the same as on the official package
2.3.0, which runs the same program.
"""

from __future__ import annotations

import pytest
from both import answers, ours
from peer import MODERN

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")

RESOURCES = """
import pathlib
from mcp.server.mcpserver.resources import FileResource, FunctionResource, Resource, ResourceManager, TextResource

class Odd(Resource):
    async def read(self):
        return 42

async def main():
    mcp = MCPServer("s")

    @mcp.resource("db://all")
    def every() -> str:
        raise KeyError("secret")

    @mcp.resource("db://one/{name}")
    def one(name: str) -> str:
        raise KeyError("secret")

    @mcp.resource("ask://{name}")
    def ask(name: str) -> t.InputRequiredResult:
        return question()

    @mcp.resource("quiet://{name}")
    def quiet(name: str) -> list[object]:
        return [name]

    mcp.add_resource(FunctionResource(uri="ask://never", name="x", fn=question))
    mcp.add_resource(Odd(uri="odd://one", name="odd"))
    fails = FunctionResource(uri="f://x", fn=lambda: {}["no"])
    there = pathlib.Path(__file__ if "__file__" in globals() else "/nowhere").absolute()
    uris = ("db://all", "db://one/x", "ask://x", "ask://never", "odd://one", "no://where")
    return {
        "reads": [await raised(mcp.read_resource(uri)) for uri in uris],
        "reads_in_a_context": [await raised(Context(mcp_server=mcp).read_resource(uri)) for uri in uris],
        "alone": await raised(fails.read()),
        "unknown": await raised(ResourceManager().get_resource("no://where", Context())),
        "kind": TextResource(uri="a://b", text="", mime_type='text/plain; charset="utf-8"').mime_type,
        "encoding": FileResource(uri="a://b", path=there, mime_type='text/plain; x=y; charset="latin-1"').encoding,
        "more": refused(FileResource, uri="a://b", path=there, is_binary=True),
    }

run(main)
"""

RESULTS = """
from typing import Annotated, AsyncIterator, Iterator
from pydantic import BaseModel, Field
from typing_extensions import NotRequired, TypedDict
from mcp.server.mcpserver.tools import ToolManager
from mcp.server.mcpserver.utilities.func_metadata import FuncMetadata, func_metadata

class Weather(TypedDict):
    '''Of a day.'''
    city: Annotated[str, Field(alias="cityName", description="Where")]
    low: NotRequired[float]

class Node(BaseModel):
    name: str
    children: list["Node"] = []

class Later(t.InputRequiredResult):
    pass

class Lost(TypedDict):
    total: "Nowhere"

def weather() -> Weather: return {"city": "Rome"}
def node() -> Node: return Node(name="a", children=[Node(name="b")])
def number() -> int: return 7
def several() -> list[int]: return [1, 2]
def asks() -> t.InputRequiredResult | Later: ...
def maybe() -> str | t.InputRequiredResult: return "x"
def blocks() -> Annotated[t.CallToolResult, list[t.TextContent]]: return t.CallToolResult(content=[])
def lost() -> Lost: ...

class Unknown: pass

class Partly:
    part: Unknown

def numbers() -> Iterator[int]: yield 1
async def stream() -> AsyncIterator[int]: yield 1
def unknown() -> list[Unknown]: ...
def partly() -> Partly: ...
def keyed() -> dict[str, Unknown]: ...
def bare() -> Unknown: ...

def shown(found):
    return found.model_dump(mode="json", by_alias=True) if isinstance(found, BaseModel) else found

async def main():
    found = {}
    for fn in (weather, node, number, several, asks, maybe, blocks, lost):
        known = func_metadata(fn)
        found[fn.__name__] = [known.output_schema, shown(known.convert_result(fn()))]
    every = (numbers, stream, unknown, partly, keyed, bare)
    found["refused"] = {fn.__name__: refused(func_metadata, func=fn) for fn in every}
    live = func_metadata(number)
    live.output_schema = None
    found["off"] = shown(live.convert_result(7))
    live.output_schema, live.output_model, live.wrap_output = {"type": "object"}, Node, False
    found["on"] = shown(live.convert_result({"name": "c"}))
    manager = ToolManager()
    for fn in (weather, number):
        manager.add_tool(fn)
        found[f"called {fn.__name__}"] = [
            shown(await manager.call_tool(fn.__name__, {}, Context(), convert_result=whole)) for whole in (False, True)
        ]
    def takes(xs: list[int], of: str = "") -> str: return f"{xs}{of}"
    arguments = func_metadata(takes, skip_names=["of"])
    found["parsed"] = [arguments.pre_parse_json({"xs": text}) == {"xs": text} for text in ("[1]", "9" * 5000, "x")]
    direct = arguments.call_fn_with_arg_validation
    found["direct"] = await direct(takes, False, {"xs": ["1"]}, {"of": "a"})
    found["validated"] = await direct(takes, False, {}, {"of": "b"}, pre_validated={"xs": [2]})
    return found

run(main)
"""

LOGS = """
async def main():
    mcp, records = MCPServer("s"), []

    class Kept(logging.Handler):
        def emit(self, record):
            if record.name.startswith(("mcp.server", "mcp.shared.jsonrpc")):
                records.append([record.name, record.levelname, record.getMessage(), record.exc_info is not None])

    logging.getLogger().addHandler(Kept())
    logging.getLogger().setLevel(logging.INFO)

    @mcp.tool()
    def add(a: int) -> int:
        raise KeyError("secret")

    @mcp.tool()
    async def reads(ctx: Context) -> str:
        await ctx.read_resource("db://x")

    @mcp.resource("db://{name}")
    def one(name: str) -> str:
        raise KeyError("secret")

    @mcp.completion()
    async def complete(ref, argument, context):
        return ["not", "a", "completion"]

    @mcp.prompt()
    def broken() -> str:
        raise KeyError("secret")

    prompt = t.PromptReference(name="p")
    async with Client(mcp) as client:
        answers = [
            (await raised(work))[:2]
            for work in (
                client.read_resource("db://x"),
                client.read_resource("no://x"),
                client.complete(ref=prompt, argument={"name": "style", "value": "b"}),
            )
        ]
        for name, arguments in (("add", {"a": "x"}), ("add", {"a": 1}), ("nope", {}), ("reads", {})):
            found = await client.call_tool(name, arguments)
            answers.append([found.is_error, found.content[0].text.partition("\\n")[0]])
    async with Client(mcp, mode="legacy") as client:
        for name in ("broken", "nope"):
            answers.append(await raised(client.get_prompt(name)))
    direct = [await raised(mcp.call_tool("add", {"a": a})) for a in ("x", 1)]
    direct = [[kind, words.partition("\\n")[0], cause] for kind, words, cause in direct]
    return answers, direct, records

run(main)
"""

CONTEXTS = """
from contextlib import asynccontextmanager
from unittest.mock import AsyncMock
from mcp.server.context import ServerRequestContext

async def main():
    @asynccontextmanager
    async def lifespan(_):
        yield "hello"

    mcp, seen = MCPServer("s", lifespan=lifespan), []

    @mcp.prompt()
    def greet(ctx: Context[str]) -> str:
        return f"{ctx.request_context.lifespan_context} {ctx.protocol_version}"

    @mcp.resource("greet://{name}")
    def greeted(name: str, ctx: Context[str]) -> str:
        seen.append([ctx.input_responses is None, ctx.request_state])
        return f"{ctx.request_context.lifespan_context} {ctx.protocol_version}"

    @mcp.tool()
    async def outer(ctx: Context) -> str | t.InputRequiredResult:
        if ctx.input_responses is None:
            return question()
        [found] = await ctx.read_resource("greet://x")
        return f"{found.content} {ctx.request_state}"

    async def answered(context, params):
        return t.ElicitResult(action="accept", content={})

    async with Client(mcp, mode="2026-07-28", elicitation_callback=answered) as client:
        found = [
            (await client.get_prompt("greet")).messages[0].content.text,
            (await client.read_resource("greet://x")).contents[0].text,
            (await client.call_tool("outer", {})).content[0].text,
        ]
    async with Client(mcp, mode="legacy", elicitation_callback=answered) as client:
        found.append(await raised(client.call_tool("outer", {})))
    session = AsyncMock()
    made = ServerRequestContext(
        request_id=1, session=session, method="tools/call", lifespan_context=None, protocol_version="2025-11-25",
        request=object(),
    )
    context = Context(request_context=made, mcp_server=mcp)
    await context.report_progress(0, 10)
    called = [list(call.args) for call in session.report_progress.await_args_list]
    return found, seen, called, context.headers, context.protocol_version

run(main)
"""

LISTENING = """
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged

class Recording:
    def __init__(self):
        self.sent = []

    async def send_notification(self, notification, related_request_id=None):
        self.sent.append([related_request_id, notification.model_dump(mode="json", by_alias=True, exclude_none=True)])

async def main():
    bus, session, results = InMemorySubscriptionBus(), Recording(), []
    handler = ListenHandler(bus, max_subscriptions=1)
    wanted = t.SubscriptionFilter(tools_list_changed=True, prompts_list_changed=False, resource_subscriptions=["r://a"])
    params = t.SubscriptionsListenRequestParams(notifications=wanted)

    def context(session):
        return ServerRequestContext(
            session=session, lifespan_context={}, protocol_version="2026-07-28", method="subscriptions/listen", request_id=7
        )

    async def serve():
        results.append((await handler(context(session), params)).meta)

    async with anyio.create_task_group() as group:
        group.start_soon(serve)
        await anyio.wait_all_tasks_blocked()
        results.append(await raised(handler(context(Recording()), params)))
        for event in (ToolsListChanged(), ResourceUpdated(uri="r://b"), ResourceUpdated(uri="r://a")):
            await bus.publish(event)
        handler.close()
    return session.sent, results

run(main)
"""

NAMES = """
async def main():
    import importlib
    import mcp.server
    from mcp.client.auth import AuthorizationCodeResult

    try:
        importlib.import_module("mcp.server.fastmcp")
    except ModuleNotFoundError as error:
        return error.name, str(error), hasattr(mcp.server, "fastmcp"), AuthorizationCodeResult(code="c", state="s").code

run(main)
"""

AROUND = """
from mcp.server.lowlevel import Server

logging.disable(logging.CRITICAL)

async def failing(ctx, call_next):
    if ctx.method in ("initialize", "server/discover") or ctx.method.startswith("notifications/"):
        return await call_next(ctx)
    raise RuntimeError("password=hunter2")

async def call(ctx, params):
    return t.CallToolResult(content=[])

async def main():
    high, low, found = MCPServer("high"), Server("low", on_call_tool=call), []

    @high.tool()
    def add() -> int:
        return 1

    for server in (high, low):
        server.middleware.append(failing)
        for mode in ("auto", "legacy"):
            async with Client(server, mode=mode) as client:
                for work in (client.call_tool("add", {}), client.list_tools(), client.read_resource("x://a")):
                    try:
                        await work
                    except MCPError as error:
                        found.append([mode, error.code, error.message])
    return found

run(main)
"""

OVERRIDDEN = """
logging.disable(logging.CRITICAL)
seen = []

class Given(MCPServer):
    async def call_tool(self, name, arguments, context):
        seen.append([type(context).__name__, bool(context.request_id), (context.request_context.meta or {}).get("user")])
        return await super().call_tool(name, arguments, context)

    async def read_resource(self, uri, context):
        seen.append([type(context).__name__, bool(context.request_id)])
        return await super().read_resource(uri, context)

    async def get_prompt(self, name, arguments, context):
        seen.append([type(context).__name__, bool(context.request_id)])
        return await super().get_prompt(name, arguments, context)

async def main():
    mcp = Given("s")

    @mcp.tool()
    def add() -> int:
        return 1

    @mcp.resource("r://a")
    def read() -> str:
        return "read"

    @mcp.prompt()
    def ask() -> str:
        return "asked"

    async with Client(mcp) as client:
        called = await client.call_tool("add", {}, meta={"user": "me"})
        read, asked = await client.read_resource("r://a"), await client.get_prompt("ask")
    return seen, called.structured_content, read.contents[0].text, asked.messages[0].content.text

run(main)
"""

@pytest.mark.parametrize(
    "program",
    [RESOURCES, RESULTS, LOGS, CONTEXTS, LISTENING, NAMES, AROUND, OVERRIDDEN],
    ids="resources results logs contexts listening names around overridden".split(),
)
def test_the_same_program_sees_the_same(program: str) -> None:
    """Errors of resources, results as models, log records, contexts, subscriptions, names, what fails
    around handlers, and overridden calls.
    """
    here, there = answers(program)
    assert here == there


FAILING = """
import asyncio, gc, threading
from typing import Annotated
from anyio.from_thread import check_cancelled
from anyio.lowlevel import checkpoint
from mcp.server.mcpserver import Resolve

begun, over = threading.Event(), threading.Event()

def first() -> str:
    begun.wait(30)
    raise ValueError("first")

def second() -> str:
    begun.set()
    try:
        while True:
            check_cancelled()
    finally:
        over.set()
        raise ValueError("second")

async def main():
    complaints = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: complaints.append(told["message"]))
    mcp = MCPServer("s")

    @mcp.tool()
    def both(a: Annotated[str, Resolve(first)], b: Annotated[str, Resolve(second)]) -> str:
        return a + b

    async with Client(mcp) as client:
        failed = (await client.call_tool("both", {})).is_error
    await anyio.to_thread.run_sync(over.wait, 30)
    while len(asyncio.all_tasks()) > 1:
        await checkpoint()
    gc.collect()
    return failed, complaints

run(main)
"""


def test_the_loop_does_not_complain_of_what_fails_once_its_call_has_failed() -> None:
    """Resolvers run side by side here, one after the other in 2.3."""
    assert ours(FAILING) == [True, []]
