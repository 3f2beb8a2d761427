"""Spans, where a program has OpenTelemetry; nothing of it where it has not."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Iterator
from typing import Any

import pytest
from bounds import WHOLE
from memory import connected

from mcpbolt import Client, MCPError, SyncClient, types
from mcpbolt.server import MCPServer, Server
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.mcpserver.exceptions import ToolError

trace = pytest.importorskip("opentelemetry.trace", reason="opentelemetry-api is not installed")
pytest.importorskip("opentelemetry.sdk.trace", reason="opentelemetry-sdk is not installed")
from opentelemetry.sdk.trace import TracerProvider  # noqa: E402
from opentelemetry.sdk.trace.export import SimpleSpanProcessor  # noqa: E402
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter  # noqa: E402
from opentelemetry.util._once import Once  # noqa: E402

ERAS = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
EXPORTER = InMemorySpanExporter()


@pytest.fixture(autouse=True, scope="module")
def provider() -> Iterator[None]:
    found = TracerProvider()
    found.add_span_processor(SimpleSpanProcessor(EXPORTER))
    trace.set_tracer_provider(found)
    yield
    # The API takes one provider per process, and keeps it; other tests go without.
    trace._TRACER_PROVIDER = None
    trace._TRACER_PROVIDER_SET_ONCE = Once()


@pytest.fixture(autouse=True)
def empty() -> Iterator[None]:
    EXPORTER.clear()
    yield


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def spans(kind: Any = trace.SpanKind.SERVER) -> dict[str, Any]:
    return {span.name: span for span in EXPORTER.get_finished_spans() if span.kind == kind}


def own_span(name: str) -> Any:
    return next(span for span in EXPORTER.get_finished_spans() if span.name == name)


def traced_server() -> MCPServer[Any]:
    server = MCPServer("x")

    @server.tool()
    async def later(a: int) -> int:
        with trace.get_tracer("mine").start_as_current_span("inside later"):
            return a

    @server.tool()
    def threaded(a: int) -> int:
        with trace.get_tracer("mine").start_as_current_span("inside threaded"):
            return a

    @server.tool()
    def sorry() -> int:
        raise ToolError("no")

    @server.tool()
    async def refuse() -> int:
        raise MCPError(-5, "not you")

    @server.prompt()
    def greet() -> str:
        return "hello"

    return server


@ERAS
def test_a_call_is_one_trace_from_the_client_into_the_function(mode: str) -> None:
    async def test() -> None:
        async with Client(traced_server(), mode=mode) as client:
            with trace.get_tracer("mine").start_as_current_span("program"):
                await client.call_tool("later", {"a": 1})
                await client.call_tool("threaded", {"a": 1})

    run(test())
    program = own_span("program")
    for name in ("later", "threaded"):
        sent = spans(trace.SpanKind.CLIENT)[f"MCP send tools/call {name}"]
        got = spans()[f"tools/call {name}"]
        inside = own_span(f"inside {name}")
        assert sent.parent.span_id == program.context.span_id
        assert got.parent.span_id == sent.context.span_id
        assert inside.parent.span_id == got.context.span_id
        assert inside.context.trace_id == program.context.trace_id
        attributes = dict(got.attributes)
        assert attributes == dict(sent.attributes)
        assert attributes.pop("jsonrpc.request.id").isdigit()
        assert attributes == {
            "mcp.method.name": "tools/call",
            "mcp.protocol.version": "2025-11-25" if mode == "legacy" else mode,
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
        }


@ERAS
def test_spans_say_what_failed(mode: str) -> None:
    async def test() -> None:
        async with Client(traced_server(), mode=mode) as client:
            assert (await client.call_tool("sorry")).isError
            with pytest.raises(MCPError):
                await client.call_tool("refuse")
            await client.get_prompt("greet")

    run(test())
    sorry, refuse, greet = (spans()[name] for name in ("tools/call sorry", "tools/call refuse", "prompts/get greet"))
    assert (sorry.attributes["error.type"], sorry.status.is_ok) == ("tool_error", False)
    assert refuse.attributes["error.type"] == refuse.attributes["rpc.response.status_code"] == "-5"
    assert refuse.status.description == "not you"
    assert greet.attributes["gen_ai.prompt.name"] == "greet" and greet.status.is_ok
    sent = spans(trace.SpanKind.CLIENT)
    sorry, refused = (sent[f"MCP send tools/call {name}"] for name in ("sorry", "refuse"))
    assert (sorry.attributes["error.type"], sorry.status.is_ok) == ("tool_error", False)
    assert refused.attributes["error.type"] == refused.attributes["rpc.response.status_code"] == "-5"
    assert not refused.status.is_ok and "not you" in refused.status.description
    assert sent["MCP send prompts/get greet"].status.is_ok


def test_what_the_engine_would_answer_has_spans_too() -> None:
    async def test() -> None:
        async with Client(traced_server(), mode="legacy") as client:
            await client.list_tools()
            await client.send_ping()

    run(test())
    assert {"initialize", "tools/list", "ping"} <= set(spans())


def test_context_that_a_client_sent_is_the_parent() -> None:
    server = Server("x")

    @server.call_tool()
    async def call(name: str, arguments: dict[str, Any]) -> list[Any]:
        return []

    async def test() -> None:
        async with connected(server) as client:
            sent = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
            await client.ask("tools/call", {"name": "a", "_meta": sent})
            await client.ask("tools/call", {"name": "b", "_meta": {"traceparent": "nonsense"}})

    run(test())
    assert spans()["tools/call a"].parent.span_id == 0xB7AD6B7169203331
    assert spans()["tools/call b"].parent is None


def test_questions_of_a_server_are_in_the_trace_of_the_call() -> None:
    server = FastMCP("x")

    @server.tool()
    async def ask(ctx: Context) -> int:
        return len((await ctx.session.list_roots()).roots)

    async def answer_roots(_: Any) -> Any:
        return types.ListRootsResult(roots=[])

    async def test() -> None:
        async with Client(server, list_roots_callback=answer_roots, mode="legacy") as client:
            await client.call_tool("ask")

    run(test())
    asked = spans(trace.SpanKind.CLIENT)["MCP send roots/list"]
    assert asked.parent.span_id == spans()["tools/call ask"].context.span_id


def test_a_client_without_a_loop_has_its_spans_where_it_is_called() -> None:
    with SyncClient(traced_server()) as client:
        with trace.get_tracer("mine").start_as_current_span("program"):
            client.call_tool("later", {"a": 1})
    sent = spans(trace.SpanKind.CLIENT)["MCP send tools/call later"]
    assert sent.parent.span_id == own_span("program").context.span_id


UNTRACED = """
import asyncio, sys
from mcpbolt import Client
from mcpbolt.server.fastmcp import Context, FastMCP
server = FastMCP("x")
seen = []
@server.tool()
async def look(ctx: Context) -> int:
    seen.append(ctx.request_context.meta)
    return 1
async def main():
    async with Client(server, mode="legacy") as client:
        await client.call_tool("look")
asyncio.run(main())
assert seen == [None], seen
assert not [name for name in sys.modules if name.startswith("opentelemetry")], "loaded"
print("untraced")
"""


def test_a_program_that_does_not_trace_loads_nothing_of_it() -> None:
    done = subprocess.run([sys.executable, "-c", UNTRACED], capture_output=True, text=True, timeout=60)
    assert done.stdout == "untraced\n", done.stderr


SPANS_UNDER_THE_OFFICIAL_NAME = """
import asyncio, sys
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from mcpbolt import compat
compat.install(fixes=sys.argv[1] == "fixes")
from mcp.server.fastmcp import FastMCP
from mcp.shared.memory import create_connected_server_and_client_session as connect
exporter, provider = InMemorySpanExporter(), TracerProvider()
provider.add_span_processor(SimpleSpanProcessor(exporter))
trace.set_tracer_provider(provider)
server = FastMCP("x")
server.tool('f')(lambda: None)
async def main():
    async with connect(server._mcp_server) as client:
        await client.list_tools()
asyncio.run(main())
print(len(exporter.get_finished_spans()) > 0)
"""


@pytest.mark.parametrize(("behaviour", "some"), [("official", "False"), ("fixes", "True")])
def test_there_are_no_spans_where_the_official_package_has_none(behaviour: str, some: str) -> None:
    program = [sys.executable, "-c", SPANS_UNDER_THE_OFFICIAL_NAME, behaviour]
    done = subprocess.run(program, capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout.strip() == some
