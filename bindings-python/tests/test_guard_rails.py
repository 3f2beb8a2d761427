"""Guard rails of the engine around functions of Python; cases have the names of every language."""

from __future__ import annotations

import asyncio
import gc
import json
import re
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import httpx
import pytest
from bounds import WHOLE
from eras import ERAS, with_client
from peer import text

from mcpbolt import Client, McpError, types
from mcpbolt.server import FastMCP, MCPServer, Server
from mcpbolt.server.fastmcp import Context
from mcpbolt.server.fastmcp.exceptions import ToolError
from mcpbolt.server.guarding import Action, Asker
from mcpbolt.types import ErrorData

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "raw", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
HEADERS = {
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/list",
}


def guarded(**rails: Any) -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("guarded", **rails)

    @server.tool()
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool()
    async def wait() -> str:
        await asyncio.Event().wait()
        return "never"

    @server.prompt()
    async def later() -> str:
        await asyncio.Event().wait()
        return "never"

    @server.resource("note://one")
    def one() -> str:
        return "one"

    return server


@ERAS
def test_over_the_limit_a_tool_call_reads_how_long_to_wait(mode: str) -> None:
    rule = {"methods": ["tools/call"], "per": "server", "rate": 0.001, "burst": 1}

    async def main(client: Client) -> None:
        first = await client.call_tool("add", {"a": 1, "b": 2})
        assert not first.isError and text(first) == "3"
        second = await client.call_tool("add", {"a": 1, "b": 2})
        assert second.isError and text(second).startswith("Rate limit exceeded: try again in ")
        # Others go on.
        assert (await client.list_tools()).tools

    with_client(mode, guarded(options={"rate_limit": [rule]}), main)


@ERAS
def test_over_the_limit_other_requests_get_429_and_the_wait(mode: str) -> None:
    rule = {"methods": ["resources/read"], "per": "session", "rate": 0.001, "burst": 1}

    async def main(client: Client) -> None:
        await client.read_resource("note://one")
        with pytest.raises(McpError) as refused:
            await client.read_resource("note://one")
        assert refused.value.error.code == 429 and refused.value.error.data["retryAfterMs"] > 1000

    with_client(mode, guarded(options={"rate_limit": [rule]}), main)


@ERAS
def test_a_handler_that_never_returns_is_cancelled_and_the_client_reads_why(mode: str) -> None:
    async def main(client: Client) -> None:
        late = await client.call_tool("wait", {})
        assert late.isError and text(late) == "Tool wait timed out after 0.05 s"
        with pytest.raises(McpError) as error:
            await client.get_prompt("later")
        assert (error.value.error.code, error.value.error.data["reason"]) == (-32603, "timeout")

    with_client(mode, guarded(options={"timeout": 0.05}), main)


# Access


def rule(asker: Asker, action: Action) -> Any:
    if action.name in ("add", "note://one"):
        return "hide"
    return {"deny": "not today"} if action.name == "wait" and action.verb != "list" else "allow"


@ERAS
@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
def test_what_is_hidden_is_answered_as_if_it_did_not_exist(mode: str, kind: Any) -> None:
    server = kind("guarded", authorize=lambda _, action: "hide" if "secret" in action.name else "allow")

    def secret() -> str:
        return "secret"

    for register in (server.tool(), server.prompt(), server.resource("note://secret")):
        register(secret)

    async def learned(work: Awaitable[Any]) -> str:
        try:
            return str((await work).model_dump_json()).replace("secret", "absent")
        except McpError as error:
            return str(error.error.model_dump_json()).replace("secret", "absent")

    async def main(client: Client) -> None:
        for ask in (
            lambda name: client.call_tool(name, {}),
            lambda name: client.get_prompt(name),
            lambda name: client.read_resource(f"note://{name}"),
        ):
            hidden = await learned(ask("secret"))
            assert hidden == await learned(ask("absent"))
            assert "absent" in hidden

    with_client(mode, server, main)


@ERAS
def test_what_is_hidden_is_in_no_list_and_lists_are_private(mode: str) -> None:
    async def main(client: Client) -> None:
        tools = await client.list_tools()
        assert [tool.name for tool in tools.tools] == ["wait"]
        assert (await client.list_resources()).resources == []
        if mode != "legacy":
            assert tools.cacheScope == "private"

    with_client(mode, guarded(authorize=rule), main)


@ERAS
def test_what_is_denied_is_listed_and_refused_with_its_reason(mode: str) -> None:
    async def main(client: Client) -> None:
        refused = await client.call_tool("wait", {})
        assert refused.isError and "not today" in text(refused)

    with_client(mode, guarded(authorize=rule), main)


@ERAS
def test_verdicts_may_come_later_and_what_nobody_decides_is_refused(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def later(asker: Asker, action: Action) -> Any:
        await asyncio.sleep(0)
        assert asker.client_info is not None and asker.revision
        if action.verb == "list":
            return "allow" if action.name == "add" else "hide"
        if action.name == "add":
            raise RuntimeError("the database is down")
        return "perhaps"

    async def main(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["add"]
        odd = await client.call_tool("wait", {})
        assert odd.isError and text(odd) == "denied: nobody allowed it"
        with pytest.raises(McpError, match="^access could not be decided$"):
            await client.call_tool("add", {"a": 1, "b": 2})
        assert "the database is down" in caplog.text

    with_client(mode, guarded(authorize=later), main)


def test_a_header_can_decide_without_any_credentials() -> None:
    def by_header(asker: Asker, action: Action) -> Any:
        return "allow" if asker.header("X-User") == "ann" or action.name != "add" else "hide"

    async def main() -> None:
        server = guarded(authorize=by_header)
        app = server.streamable_http_app()
        sent = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": MODERN}}
        seen = {}
        async with server.session_manager.run(), httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost:8000"
        ) as http:
            for user in ("ann", "bob"):
                answer = await http.post("/mcp", json=sent, headers={**HEADERS, "x-user": user})
                data = answer.text.split("data: ")[-1]
                seen[user] = [tool["name"] for tool in json.loads(data)["result"]["tools"]]
        assert seen == {"ann": ["add", "wait"], "bob": ["wait"]}

    asyncio.run(asyncio.wait_for(main(), WHOLE))


@pytest.mark.parametrize("name", ['"secret", "name": "secret"', '"secret\\ud800"'])
def test_a_name_that_only_the_handlers_parser_reads_is_decided_on(name: str) -> None:
    reached: list[str] = []

    async def main() -> None:
        server = guarded(authorize=lambda _, action: "hide" if action.name.startswith("secret") else "allow")

        @server.completion()
        async def complete(ref: Any, argument: Any, context: Any) -> types.Completion:
            reached.append(ref.name)
            return types.Completion(values=[])

        app = server.streamable_http_app()
        reference = f'{{"type": "ref/prompt", "name": {name}}}'
        params = f'{{"_meta": {json.dumps(MODERN)}, "ref": {reference}, "argument": {{"name": "a", "value": ""}}}}'
        sent = f'{{"jsonrpc": "2.0", "id": 1, "method": "completion/complete", "params": {params}}}'
        async with server.session_manager.run(), httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://localhost:8000"
        ) as http:
            headers = {**HEADERS, "content-type": "application/json", "mcp-method": "completion/complete"}
            answer = await http.post("/mcp", content=sent, headers=headers)
        assert "Unknown prompt: secret" in answer.text and reached == []

    asyncio.run(asyncio.wait_for(main(), WHOLE))


def test_two_servers_of_a_program_decide_each_for_itself() -> None:
    async def main() -> None:
        one = guarded(authorize=lambda _, action: "hide" if action.name == "add" else "allow")
        two = guarded(authorize=lambda _, action: "hide" if action.name == "wait" else "allow")
        async with Client(one) as first, Client(two) as second:
            names = [[tool.name for tool in (await client.list_tools()).tools] for client in (first, second)]
        assert names == [["wait"], ["add"]]

    asyncio.run(asyncio.wait_for(main(), WHOLE))


# Audit


@ERAS
@pytest.mark.parametrize("to", ["file", "function", "async function"])
def test_the_audit_has_one_record_per_request_and_never_the_arguments(mode: str, to: str, tmp_path: Path) -> None:
    records: list[dict[str, Any]] = []
    path = tmp_path / "audit.jsonl"

    async def keep(record: dict[str, Any]) -> None:
        await asyncio.sleep(0)
        records.append(record)

    async def main(client: Client) -> None:
        await client.call_tool("add", {"a": 1_147_110_047, "b": 1})
        with pytest.raises(McpError):
            await client.get_prompt("nobody")

    with_client(mode, guarded(audit={"file": path, "function": records.append, "async function": keep}[to]), main)
    if to == "file":
        gc.collect()
        records = [json.loads(line) for line in path.read_text().splitlines()]
    by_method = {record["method"]: record for record in records}
    assert len([record for record in records if record["method"] == "tools/call"]) == 1
    call = by_method["tools/call"]
    assert (call["name"], call["outcome"]) == ("add", "result") and call["arguments"].startswith("sha256:")
    # The last record is not lost with the server.
    assert by_method["prompts/get"]["outcome"] == "error"
    assert "1147110047" not in json.dumps(records)


def test_an_audit_sink_that_blocks_holds_up_no_call_and_what_is_lost_is_counted() -> None:
    records: list[dict[str, Any]] = []
    go = asyncio.Event()

    async def block(record: dict[str, Any]) -> None:
        await go.wait()
        records.append(record)

    async def main(client: Client) -> None:
        for number in range(40):
            assert text(await client.call_tool("add", {"a": number, "b": 1})) == str(number + 1)
        go.set()

    server: FastMCP[Any] = guarded(audit=block, options={"audit": {"queue": 2}})
    with_client("legacy", server, main)
    assert sum(record["lost"] for record in records if "lost" in record) >= 30


# What leaves, and what arrives


@ERAS
def test_a_sanitizer_sees_every_content_block_before_it_is_sent(mode: str) -> None:
    async def blot(method: str, name: str | None, result: dict[str, Any]) -> dict[str, Any]:
        assert (method, name) in (("tools/call", "add"), ("resources/read", "note://one"))
        for block in result.get("content", []) + result.get("contents", []):
            block["text"] = "*" * len(block["text"])
        return result

    async def main(client: Client) -> None:
        result = await client.call_tool("add", {"a": 1, "b": 2})
        assert text(result) == "*"
        assert (await client.read_resource("note://one")).contents[0].text == "***"  # type: ignore[union-attr]

    with_client(mode, guarded(sanitize_result=blot), main)


def test_what_a_sanitizer_could_not_read_does_not_leave() -> None:
    def fail(_: str, __: str | None, result: dict[str, Any]) -> dict[str, Any]:
        raise RuntimeError(f"cannot read {result}")

    async def main(client: Client) -> None:
        with pytest.raises(McpError) as refused:
            await client.call_tool("add", {"a": 4, "b": 4})
        assert "8" not in refused.value.error.message.replace("could not be sanitized", "")

    with_client("legacy", guarded(sanitize_result=fail), main)


@ERAS
def test_a_result_is_validated_before_it_is_returned(mode: str) -> None:
    asked: list[tuple[str, str | None]] = []

    def check(method: str, name: str | None, result: dict[str, Any]) -> str | None:
        asked.append((method, name))
        return "it is three" if "3" in json.dumps(result) and method == "tools/call" else None

    async def main(client: Client) -> None:
        assert text(await client.call_tool("add", {"a": 1, "b": 1})) == "2"
        with pytest.raises(McpError, match="it is three"):
            await client.call_tool("add", {"a": 1, "b": 2})
        assert ("tools/call", "add") in asked

    with_client(mode, guarded(), main, validate_result=check)


@ERAS
def test_results_lists_and_pages_of_a_server_are_capped(mode: str) -> None:
    async def main(client: Client) -> None:
        server_says = await client.call_tool("add", {"a": 1, "b": 1})
        assert text(server_says) == "2"
        with pytest.raises(McpError, match="max_result_bytes"):
            await client.call_tool("add", {"a": 10**2000, "b": 1})

    async def listing(client: Client) -> None:
        with pytest.raises(McpError, match=capped):
            first = await client.list_tools()
            await client.list_tools(cursor=first.nextCursor)

    with_client(mode, guarded(), main, options={"max_result_bytes": 1500})
    for capped in ("max_pages", "max_list_items"):
        with_client(mode, guarded(options={"page_size": 1}), listing, options={capped: 1})


@ERAS
def test_sampling_inside_of_sampling_is_refused_beyond_its_cap(mode: str) -> None:
    server: FastMCP[Any] = FastMCP("muse")
    asked = 0

    @server.tool()
    async def muse(ctx: Context[Any, Any, Any]) -> str:
        said = types.SamplingMessage(role="user", content=types.TextContent(type="text", text="hm"))
        answer = await ctx.session.create_message([said], max_tokens=5)
        return str(answer.content)

    async def sample(_: Any, __: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        nonlocal asked
        asked += 1
        inner = await opened.call_tool("muse")
        words = types.TextContent(type="text", text=text(inner))
        return types.CreateMessageResult(role="assistant", model="m", content=words)

    async def main(client: Client) -> None:
        nonlocal opened
        opened = client
        try:
            said = text(await client.call_tool("muse"))
        except McpError as error:
            said = str(error)
        assert "nested too deeply" in said and asked == 3

    opened: Client
    with_client(mode, server, main, sampling_callback=sample, options={"max_nested_sampling": 3})


# What clients learn of exceptions

SECRET = "/srv/secret/ledger.db"


def broken(kind: Any, **rails: Any) -> Any:
    server = kind("broken", **rails)

    @server.tool()
    async def fails() -> str:
        raise OSError(f"cannot open {SECRET}: disk 7 is full")

    @server.tool()
    def fails_on_a_thread() -> str:
        raise OSError(f"cannot open {SECRET}: disk 7 is full")

    @server.tool()
    def meant() -> str:
        raise ToolError("Give a path below /docs.")

    @server.tool()
    def wrong(n: int) -> str:
        raise ValueError(f"disk 7 at {SECRET}")

    @server.tool()
    def inside() -> str:
        raise McpError(ErrorData(code=-32603, message=f"disk 7 at {SECRET}"))

    @server.resource("note://broken")
    def note() -> str:
        raise OSError(f"disk 7 at {SECRET}")

    @server.prompt()
    def prompt() -> str:
        raise OSError(f"disk 7 at {SECRET}")

    return server


async def told(client: Client) -> dict[str, str]:
    """What a client learns of each failure."""
    said: dict[str, str] = {}
    for name, arguments in (("fails", {}), ("fails_on_a_thread", {}), ("meant", {}), ("wrong", {"n": 1}),
                            ("inside", {})):
        try:
            result = await client.call_tool(name, arguments)
            assert result.isError
            said[name] = text(result)
        except McpError as error:
            said[name] = error.error.message
    refused = await client.call_tool("wrong", {"n": "no number"})
    said["refused"] = text(refused)
    for name, work in (("note", client.read_resource("note://broken")), ("prompt", client.get_prompt("prompt"))):
        with pytest.raises(McpError) as error:
            await work
        said[name] = error.value.error.message
    return said


@ERAS
@pytest.mark.parametrize("kind", [FastMCP, MCPServer])
@pytest.mark.parametrize("rails", [{"error_detail": "masked"}, {"options": {"error_detail": "masked"}}])
def test_masked_errors_say_internal_error_with_an_id_that_is_also_in_the_log(
    mode: str, kind: Any, rails: Any, caplog: pytest.LogCaptureFixture
) -> None:
    async def main(client: Client) -> None:
        said = await told(client)
        assert said.pop("meant").endswith("Give a path below /docs."), "what is written for the model leaves as it is"
        assert "n" in said["refused"] and "internal error" not in said.pop("refused")
        for name, message in said.items():
            found = re.fullmatch(r"internal error \(id ([0-9a-f]{16})\)", message)
            assert found and found[1] in caplog.text, f"{name}: {message}"

    with_client(mode, broken(kind, **rails), main)


@ERAS
def test_masked_errors_of_a_low_level_server_have_an_id_too(mode: str, caplog: pytest.LogCaptureFixture) -> None:
    server: Server[Any, Any] = Server("low", error_detail="masked")

    @server.list_tools()
    async def tools() -> list[types.Tool]:
        return [types.Tool(name=name, inputSchema={"type": "object"}) for name in ("broken", "meant")]

    @server.call_tool()
    async def call(name: str, _: dict[str, Any]) -> list[types.ContentBlock]:
        raise ToolError("Try again.") if name == "meant" else OSError(f"no {SECRET}")

    async def main(client: Client) -> None:
        assert text(await client.call_tool("meant", {})) == "Try again."
        message = text(await client.call_tool("broken", {}))
        found = re.fullmatch(r"internal error \(id ([0-9a-f]{16})\)", message)
        assert found and found[1] in caplog.text

    with_client(mode, server, main)


@ERAS
def test_words_of_exceptions_leave_unless_it_is_said_otherwise(mode: str) -> None:
    async def main(client: Client) -> None:
        said = await told(client)
        assert "disk 7 is full" in said["fails"] and "disk 7 is full" in said["fails_on_a_thread"]
        # Errors of the protocol never name paths.
        assert "disk 7" in said["inside"] and SECRET not in said["note"]

    with_client(mode, broken(FastMCP), main)
