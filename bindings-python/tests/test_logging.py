"""Logging belongs to the program: official names, nothing set up, nothing made in vain."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from bounds import WHOLE
from eras import with_client
from memory import connected
from pydantic import BaseModel

from mcpbolt import Client, MCPError, types
from mcpbolt._common.json_logs import JsonLines
from mcpbolt.server import MCPServer, Server
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.shared.exceptions import UsageError
from mcpbolt.v2.server import MCPServer as MCPServerOf2

UNTOUCHED = """
import asyncio, logging
before = (list(logging.root.handlers), logging.root.level)
from mcpbolt import Client, types
from mcpbolt.server import MCPServer, Server
from mcpbolt.server.fastmcp import FastMCP
async def main(server):
    async with Client(server) as client:
        await client.list_tools()
for kind in (FastMCP, MCPServer):
    asyncio.run(main(kind("x")))
assert (list(logging.root.handlers), logging.root.level) == before
ours = [name for name, found in logging.root.manager.loggerDict.items()
        if isinstance(found, logging.Logger) and name.split(".")[0] in ("mcp", "mcpbolt", "client")]
assert ours, "no logger"
for name in ours:
    assert not logging.getLogger(name).handlers and logging.getLogger(name).level == logging.NOTSET, name
    assert name == "client" or name.startswith("mcp."), name
print("untouched")
"""


def test_no_handler_is_added_and_names_are_official() -> None:
    done = subprocess.run([sys.executable, "-c", UNTOUCHED], capture_output=True, text=True, timeout=60)
    assert done.stdout == "untouched\n", done.stderr


class Costly:
    """Something whose text nobody should ask for."""

    shown = 0

    def __str__(self) -> str:
        type(self).shown += 1
        return "costly"


def test_a_message_below_the_level_is_not_made(caplog: pytest.LogCaptureFixture) -> None:
    from mcpbolt._engine.host import ServerHost

    assert ServerHost.event is not None
    host: Any = ServerHost.__new__(ServerHost)
    with caplog.at_level(logging.INFO, "mcp.server.lowlevel.server"):
        host.event(("log", 1, "hidden_tool", Costly()))
    assert Costly.shown == 0
    with caplog.at_level(logging.DEBUG, "mcp.server.lowlevel.server"):
        host.event(("log", 1, "hidden_tool", Costly()))
    assert Costly.shown > 0
    assert caplog.records[-1].getMessage() == "hidden_tool: costly"


@pytest.mark.parametrize("level", [logging.DEBUG, logging.WARNING])
def test_what_goes_wrong_is_told_under_the_official_names(level: int, caplog: pytest.LogCaptureFixture) -> None:
    server = FastMCP("x")

    @server.tool("not a good name")
    def tool() -> None:
        """Its name is warned about."""

    low_level = Server("y")

    @low_level.call_tool()
    async def call(name: str, arguments: dict[str, Any]) -> list[Any]:
        return []

    async def test() -> None:
        async with connected(low_level) as client:
            await client.ask("tools/call", {"name": "unlisted"})
            assert "error" in await client.ask("tools/call", {"name": 5})

    with caplog.at_level(level, "mcp"):
        asyncio.run(asyncio.wait_for(test(), WHOLE))
    names = {record.name for record in caplog.records if record.levelno >= logging.WARNING}
    assert "mcp.server.lowlevel.server" in names
    if level == logging.WARNING:
        assert all(record.levelno >= logging.WARNING for record in caplog.records if record.name.startswith("mcp."))


LEGACY = ("mcp.shared.jsonrpc_dispatcher", "handler for 'prompts/get' raised")
MODERN = ("mcp.server.runner", "modern request handler raised")


async def broken(_: Any, __: Any) -> Any:
    raise ValueError("the cause")


def by_keyword(**options: Any) -> Server[Any, Any]:
    return Server("x", on_get_prompt=broken, **options)


def by_decorator() -> MCPServerOf2[Any]:
    server = MCPServerOf2("x")

    @server.prompt()
    def hello() -> str:
        raise ValueError("the cause")

    return server


def as_in_1() -> Server[Any, Any]:
    server: Server[Any, Any] = Server("x")

    @server.get_prompt()
    async def get(name: str, arguments: dict[str, str] | None) -> types.GetPromptResult:
        raise ValueError("the cause")

    return server


def in_middleware() -> Server[Any, Any]:
    async def middle(context: Any, call_next: Callable[[Any], Any]) -> Any:
        return await call_next(context)

    server = as_in_1()
    server.middleware.append(middle)
    return server


@pytest.mark.parametrize(
    ("server", "mode", "logged"),
    [
        (by_keyword, "legacy", LEGACY),
        (by_keyword, "2026-07-28", MODERN),
        (in_middleware, "legacy", LEGACY),
        (by_decorator, "legacy", LEGACY),
        (by_decorator, "2026-07-28", MODERN),
        (partial(by_keyword, error_detail="masked"), "legacy", ("mcp.server.guarding", "")),
        (as_in_1, "legacy", None),
    ],
)
def test_what_a_handler_of_2_raises_is_logged_once(
    server: Callable[[], Any], mode: str, logged: tuple[str, str] | None, caplog: pytest.LogCaptureFixture
) -> None:
    async def test(opened: Client) -> None:
        with pytest.raises(MCPError):
            await opened.get_prompt("hello")

    with_client(mode, server(), test)
    # As a traceback shows it, with the exceptions that it came from.
    found = [(one.name, one.getMessage(), "ValueError: the cause" in str(one.exc_text)) for one in caplog.records]
    if logged is None:
        assert found == []
        return
    [(name, words, is_shown)] = found
    assert name == logged[0] and logged[1] in words and is_shown


LINES = """
import logging
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import FastMCP
KIND("x", log_format="json")
log = logging.getLogger("shop")
log.debug("not seen")
log.info("sold %d", 3, extra={"item": "tea", "where": object})
try:
    1 / 0
except ZeroDivisionError:
    log.exception("broken\\nbadly")
"""


@pytest.mark.parametrize("kind", ["FastMCP", "MCPServer"])
def test_log_messages_are_json_lines_if_a_program_wants_that(kind: str) -> None:
    program = LINES.replace("KIND", kind)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert not done.stdout and not done.returncode, done
    sold, broken = (json.loads(line) for line in done.stderr.splitlines())
    assert datetime.fromisoformat(sold.pop("time")).utcoffset() == timedelta()
    assert sold == {"level": "INFO", "logger": "shop", "message": "sold 3", "item": "tea", "where": str(object)}
    assert (broken["level"], broken["message"]) == ("ERROR", "broken\nbadly")
    assert broken["exception"].endswith("ZeroDivisionError: division by zero")


def test_json_lines_name_the_span() -> None:
    trace = pytest.importorskip("opentelemetry.trace", reason="opentelemetry-api is not installed")
    context = trace.SpanContext(0x1234, 0x56, is_remote=False)
    record = logging.makeLogRecord({"msg": "inside"})
    with trace.use_span(trace.NonRecordingSpan(context)):
        line = json.loads(JsonLines().format(record))
    assert (line["trace_id"], line["span_id"]) == ("00000000000000000000000000001234", "0000000000000056")
    assert "trace_id" not in json.loads(JsonLines().format(record))


class Order(BaseModel):
    item: str
    note: str | None = None


def test_a_model_is_logged_without_what_is_none() -> None:
    heard: list[Any] = []
    both = asyncio.Event()
    server: FastMCP[Any] = FastMCP("shop")

    @server.tool()
    async def sell(ctx: Context[Any, Any, Any]) -> None:
        whole: Any = Order(item="tea")
        await ctx.log("info", whole)
        await ctx.session.send_log_message("info", {"order": whole, "by": None})

    async def hear(params: Any) -> None:
        heard.append(params.data)
        if len(heard) == 2:
            both.set()

    async def test(client: Client) -> None:
        await client.call_tool("sell")
        await both.wait()

    with_client("legacy", server, test, logging_callback=hear)
    assert heard == [{"item": "tea"}, {"order": {"item": "tea"}, "by": None}]


@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_an_unknown_format_is_refused(kind: Any) -> None:
    with pytest.raises(UsageError, match="log_format must be 'text' or 'json', not 'xml'"):
        kind("x", log_format="xml")
