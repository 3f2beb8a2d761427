"""`Client`, `SyncClient`, `ClientSessionGroup` and the command."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import anyio
import pytest
from bounds import LIMIT, START
from peer import legacy_command, modern_command, official, own_command, serving, soon, text

import mcpbolt
from mcpbolt import Client, ClientSession, ClientSessionGroup, McpError, SyncClient, stdio_client, types
from mcpbolt.client.session_group import ClientSessionParameters
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.shared.exceptions import TimeoutError, UsageError
from mcpbolt.shared.message import SessionMessage
from mcpbolt.v2.client._memory import InMemoryTransport


def own_server() -> FastMCP[Any]:
    server: FastMCP[Any] = FastMCP("own")

    @server.tool()
    def add(a: int, b: int) -> int:
        return a + b

    @server.tool()
    async def roots(ctx: Context[Any, Any, Any]) -> str:
        return " ".join(str(root.uri) for root in (await ctx.session.list_roots()).roots)

    @server.tool()
    async def hang() -> None:
        await anyio.sleep_forever()

    @server.resource("note://one")
    def one() -> str:
        return "1"

    del add, roots, hang, one
    return server


async def list_roots(context: Any) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///srv"})])


@pytest.mark.parametrize(("mode", "revision"), [("auto", "2026-07-28"), ("legacy", "2025-11-25")])
def test_a_server_object_of_this_process(mode: str, revision: str) -> None:
    async def main() -> None:
        async with Client(own_server(), mode=mode, list_roots_callback=list_roots) as client:
            assert client.protocol_version == revision
            assert client.server_info is not None and client.server_info.name == "own"
            assert [tool.name for tool in (await soon(client.list_tools())).tools] == ["add", "roots", "hang"]
            assert (await soon(client.call_tool("add", {"a": 1, "b": 2}))).structuredContent == {"result": 3}
            assert text(await soon(client.call_tool("roots"))) == "file:///srv"
            assert (await soon(client.read_resource("note://one"))).contents[0].model_dump()["text"] == "1"
            with pytest.raises(TimeoutError):
                await soon(client.call_tool("hang", read_timeout_seconds=0.02))
        with pytest.raises(RuntimeError, match="within an async context manager"):
            client.session  # noqa: B018
        await soon(client.close())

    anyio.run(main)


def test_a_client_opens_again_after_its_end_and_not_before() -> None:
    async def main() -> None:
        client = Client(own_server())
        for _ in range(2):
            async with client:
                with pytest.raises(RuntimeError, match="already entered"):
                    await client.connect()
                await soon(client.list_tools())

    anyio.run(main)


def test_what_is_no_server_is_named() -> None:
    async def main() -> None:
        with pytest.raises(UsageError, match="not object"):
            await Client(object()).connect()

    anyio.run(main)


def test_the_sync_client_needs_no_loop_and_bears_one() -> None:
    def use() -> str:
        with SyncClient(own_command(), list_roots_callback=plain_roots) as client:
            assert client.server_info is not None and client.server_info.name == "own"
            steps: list[float] = []
            client.call_tool("count", {"to": 2}, progress_callback=lambda now, total, words: steps.append(now))
            assert steps == [1, 2]
            with pytest.raises(TimeoutError):
                client.call_tool("hang", read_timeout_seconds=0.02)
            return text(client.call_tool("roots"))

    def plain_roots(context: Any) -> types.ListRootsResult:
        assert threading.current_thread() is not threading.main_thread()
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///plain"})])

    async def main() -> str:
        return use()

    assert use() == "file:///plain"
    assert asyncio.run(main()) == "file:///plain"
    client = SyncClient(own_command())
    with pytest.raises(RuntimeError, match="not connected"):
        client.list_tools()
    client.close()


def test_a_sync_client_is_shared_by_threads() -> None:
    with SyncClient(own_command()) as client:
        results: list[Any] = []

        def call(number: int) -> None:
            results.append(client.call_tool("add", {"a": number, "b": 1}).structuredContent)

        threads = [threading.Thread(target=call, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
        assert sorted(result["result"] for result in results) == list(range(1, 9))


def test_a_plain_callback_of_a_sync_client_may_return_a_coroutine() -> None:
    steps: list[float] = []
    heard = threading.Event()

    async def step(now: float, total: float | None, words: str | None) -> None:
        steps.append(now)
        if now == total:
            heard.set()

    async def list_roots() -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///later"})])

    with SyncClient(own_command(), list_roots_callback=lambda context: list_roots()) as client:
        client.call_tool("count", {"to": 2}, progress_callback=lambda *report: step(*report))
        assert heard.wait(LIMIT)
        assert steps == [1, 2]
        assert text(client.call_tool("roots")) == "file:///later"


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_client_that_leaves_while_it_connects_is_no_failure_of_the_server(
    backend: str, caplog: pytest.LogCaptureFixture
) -> None:
    if backend == "trio":
        pytest.importorskip("trio")

    async def main() -> None:
        entered, left = anyio.Event(), anyio.Event()

        @asynccontextmanager
        async def lifespan(server: Any) -> AsyncIterator[None]:
            entered.set()
            # What the client sent before it left is answered when it is gone.
            await soon(left.wait())
            yield

        async def leave() -> None:
            left.set()

        server: FastMCP[Any] = FastMCP("slow", lifespan=lifespan)
        params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
        hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
        async with anyio.create_task_group() as tasks, InMemoryTransport(server) as (_, write):
            await write.send(SessionMessage(types.JSONRPCMessage.model_validate(hello)))
            await soon(entered.wait())
            # It runs when the transport waits for the server, with its streams closed.
            tasks.start_soon(leave)

    anyio.run(main, backend=backend)
    assert "the server in this process failed" not in caplog.text


def test_a_server_that_fails_in_this_process_is_named_with_its_failure(caplog: pytest.LogCaptureFixture) -> None:
    @asynccontextmanager
    async def lifespan(server: Any) -> AsyncIterator[None]:
        raise KeyError
        yield

    async def main() -> None:
        with pytest.raises(McpError):
            await soon(Client(FastMCP("fails", lifespan=lifespan)).connect())

    anyio.run(main)
    assert "the server in this process failed: KeyError()" in caplog.text


def test_a_group_merges_what_its_servers_have() -> None:
    parameters = own_command()

    async def main() -> None:
        async with ClientSessionGroup(component_name_hook=hook) as group:
            first = await soon(group.connect_to_server(parameters, ClientSessionParameters()), START)
            names.append("b")
            second = await soon(group.connect_to_server(parameters), START)
            assert group.sessions == [first, second]
            assert {"a.add", "b.add"} <= set(group.tools) and "a.one" in group.resources
            result = await soon(group.call_tool("b.add", {"a": 2, "b": 3}, timedelta(seconds=5)))
            assert result.structuredContent == {"result": 5}
            with pytest.raises(McpError, match="already exist in group"):
                await soon(group.connect_to_server(parameters), START)
            await soon(group.disconnect_from_server(first), 10)
            assert not [name for name in group.tools if name.startswith("a.")]
            with pytest.raises(McpError, match="not managed"):
                await group.disconnect_from_server(first)

    names = ["a"]

    def hook(name: str, info: types.Implementation) -> str:
        return f"{names[-1]}.{name}"

    anyio.run(main)


def test_the_command_connects_and_says_so() -> None:
    server = own_command()
    variables = [word for name, value in (server.env or {}).items() for word in ("-e", name, value)]
    words = [sys.executable, "-m", "mcpbolt.client", *variables, server.command, *server.args]
    done = subprocess.run(words, capture_output=True, text=True, timeout=START, check=False)
    assert done.returncode == 0, done.stderr
    assert "Initialized: own" in done.stderr and not done.stdout


def test_a_modern_server_asks_on_the_way() -> None:
    async def elicit(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert params.message == "Who are you?"
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def main() -> None:
        command = modern_command()
        async with Client(command, elicitation_callback=elicit) as client:
            assert client.protocol_version == "2026-07-28"
            assert text(await soon(client.call_tool("echo", {"text": "x"}))) == "x"
            assert text(await soon(client.call_tool("ask"))) == "accept:Ada"
        with serving(command, "streamable-http") as port:
            async with Client(f"http://127.0.0.1:{port}/mcp", elicitation_callback=elicit) as client:
                assert client.protocol_version == "2026-07-28"
                assert text(await soon(client.call_tool("ask"))) == "accept:Ada"

    anyio.run(main)


def test_a_legacy_server_is_found_by_auto() -> None:
    official()

    async def main() -> None:
        client = Client(legacy_command())
        await soon(client.connect(), START)
        assert client.protocol_version == "2025-11-25"
        assert text(await soon(client.call_tool("echo", {"text": "x"}))) == "x"
        await soon(client.close(), 10)

    anyio.run(main)


def test_the_reference_time_server() -> None:
    pytest.importorskip("mcp_server_time", reason="mcp-server-time is not installed")

    async def main() -> None:
        parameters = mcpbolt.StdioServerParameters(
            command=sys.executable, args=["-m", "mcp_server_time", "--local-timezone", "UTC"]
        )
        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as opened:
            await soon(opened.initialize(), START)
            result = await soon(opened.call_tool("get_current_time", {"timezone": "Asia/Tokyo"}))
            assert "+09:00" in text(result)

    anyio.run(main)
