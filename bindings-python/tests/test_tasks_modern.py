"""Tasks of 2026-07-28: servers whose tools become tasks, clients that wait for them or hold them, and
a file that outlasts the process.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import textwrap
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest
from bounds import WHOLE
from http_servers import serving
from peer import soon
from pydantic import BaseModel

from mcpbolt import Client, MCPError, types
from mcpbolt.client.tasks import Task, Tasks, start_tool, task, watch
from mcpbolt.server import MCPServer
from mcpbolt.server.fastmcp import FastMCP
from mcpbolt.server.mcpserver import Context

MODERN = "2026-07-28"
MISSING_CAPABILITY = -32021


def run(work: Awaitable[Any]) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def text(result: Any) -> str:
    return result.content[0].text


class Name(BaseModel):
    name: str


class Gates:
    """A server whose tool waits until the test lets it go."""

    def __init__(self, kind: type[Any] = MCPServer, **options: Any) -> None:
        self.go = asyncio.Event()
        self.begun = asyncio.Event()
        self.ended = asyncio.Event()
        self.mcp = kind("s", options={"tasks.poll_interval": 0.02}, **options)

        @self.mcp.tool(task="optional")
        async def gate(word: str = "") -> str:
            self.begun.set()
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.ended.set()
                raise
            return f"done {word}"

    def client(self, **more: Any) -> Client:
        return Client(self.mcp, mode=MODERN, extensions=[Tasks()], **more)


@pytest.mark.parametrize("kind", [MCPServer, FastMCP])
def test_a_call_waits_for_its_task(kind: type[Any]) -> None:
    async def test() -> None:
        gates = Gates(kind)
        async with gates.client() as client:
            call = asyncio.ensure_future(client.call_tool("gate", {"word": "x"}))
            started = await start_tool(client, "gate")
            assert isinstance(started, Task)
            assert (await started.get()).status == "working"
            assert not call.done()
            gates.go.set()
            assert text(await soon(call)) == "done x"
            assert text(await soon(started.wait())) == "done "
            state = await started.get()
            assert state.is_over and state.result is not None and state.result["content"][0]["text"] == "done "

    run(test())


def test_clients_that_did_not_declare_the_extension_get_the_result_or_are_refused() -> None:
    async def test() -> None:
        gates = Gates()
        gates.go.set()

        @gates.mcp.tool(task="required")
        def must() -> str:
            return "a task"

        async with Client(gates.mcp, mode=MODERN) as client:
            assert text(await client.call_tool("gate")) == "done "
            with pytest.raises(MCPError) as caught:
                await client.call_tool("must")
            assert caught.value.code == MISSING_CAPABILITY
        async with Client(gates.mcp, mode="legacy", extensions=[Tasks()]) as client:
            # The legacy era has no such tasks.
            assert text(await client.call_tool("gate")) == "done "
        async with gates.client() as client:
            assert text(await client.call_tool("must")) == "a task"

    run(test())


def test_a_task_that_is_given_up_stops() -> None:
    async def test() -> None:
        gates = Gates()
        async with gates.client() as client:
            started: Any = await start_tool(client, "gate")
            waiting = asyncio.ensure_future(started.wait())
            # A task that is cancelled before its tool runs has nothing to stop.
            await soon(gates.begun.wait())
            await started.cancel()
            with pytest.raises(MCPError):
                await soon(waiting)
            assert (await started.get()).status == "cancelled"
            await soon(gates.ended.wait())
            with pytest.raises(MCPError) as caught:
                await task(client, "unknown").get()
            assert caught.value.code == -32602

    run(test())


def test_what_a_task_asks_goes_to_the_callbacks_or_is_answered_by_hand() -> None:
    mcp = MCPServer("s", options={"tasks.poll_interval": 0.02})

    @mcp.tool(task="required")
    async def ask(ctx: Context) -> str:
        answer = await ctx.elicit("Who?", Name)
        again = await ctx.elicit("Who else?", Name)
        return f"{answer.data.name} {again.data.name}"

    asked: list[str] = []

    async def elicit(_: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"name": f"n{len(asked)}"})

    async def test() -> None:
        async with Client(mcp, mode=MODERN, extensions=[Tasks()], elicitation_callback=elicit) as client:
            assert text(await client.call_tool("ask")) == "n1 n2"
            assert asked == ["Who?", "Who else?"]
            started: Any = await start_tool(client, "ask")
            async with watch(client, [started.id, "unknown"]) as steps:
                assert steps.task_ids == [started.id]
                for name in ("ann", "bob"):
                    state = await started.get()
                    while not state.input_requests:
                        state = await soon(steps.__anext__())
                    (key,) = state.input_requests
                    await started.update({key: types.ElicitResult(action="accept", content={"name": name})})
                while not state.is_over:
                    state = await soon(steps.__anext__())
                assert state.result is not None and state.result["content"][0]["text"] == "ann bob"

    run(test())


def test_a_tool_makes_a_task_of_its_call_by_itself() -> None:
    mcp = MCPServer("s", options={"tasks.poll_interval": 0.02})
    ids: list[str] = []

    @mcp.tool()
    async def later(ctx: Context) -> str:
        ids.append(await ctx.begin_task())
        assert await ctx.begin_task() == ids[0]
        return "from a task"

    async def test() -> None:
        async with Client(mcp, mode=MODERN, extensions=[Tasks()]) as client:
            started = await start_tool(client, "later")
            assert isinstance(started, Task)
            assert text(await soon(started.wait())) == "from a task"
            assert [started.id] == ids
        async with Client(mcp, mode=MODERN) as client:
            # Nobody can be given a task who does not know what one is.
            with pytest.raises(MCPError) as caught:
                await client.call_tool("later")
            assert caught.value.code == MISSING_CAPABILITY

    run(test())


def test_wrong_words_are_refused_where_they_are_written() -> None:
    with pytest.raises(ValueError, match="'required'"):
        MCPServer("s").add_tool(lambda: "x", name="x", task="always")  # type: ignore[arg-type]


PROGRAM = textwrap.dedent(
    """
    import asyncio, sys
    from mcpbolt.server import MCPServer

    port, store = int(sys.argv[1]), sys.argv[2]
    mcp = MCPServer("reports", stores=f"file:{store}")

    @mcp.tool(task="required")
    def quick() -> str:
        return "kept"

    @mcp.tool(task="required")
    async def endless() -> str:
        await asyncio.Event().wait()
        return ""

    mcp.run("streamable-http", port=port)
    """
)


def test_a_result_outlasts_a_process_that_is_killed(tmp_path: Path) -> None:
    store = str(tmp_path / "tasks.redb")

    async def begin(url: str) -> list[str]:
        async with Client(url, mode=MODERN, extensions=[Tasks()]) as client:
            quick: Any = await start_tool(client, "quick")
            endless: Any = await start_tool(client, "endless")
            assert text(await soon(quick.wait())) == "kept"
            return [quick.id, endless.id]

    async def read(url: str, ids: list[str]) -> None:
        async with Client(url, mode=MODERN, extensions=[Tasks()]) as client:
            assert text(await soon(task(client, ids[0]).wait())) == "kept"
            lost = await task(client, ids[1]).get()
            assert lost.status == "failed" and lost.error is not None and "restarted" in lost.error["message"]

    with serving(PROGRAM, store) as (url, process):
        ids = run(begin(f"{url}/mcp"))
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait(WHOLE) == -signal.SIGKILL
    with serving(PROGRAM, store) as (url, _):
        run(read(f"{url}/mcp", ids))


def test_the_file_of_a_server_that_has_ended_is_free(tmp_path: Path) -> None:
    stores = f"file:{tmp_path / 'tasks.redb'}"

    async def test() -> None:
        first = Gates(stores=stores)
        async with first.client() as client:
            ended = await start_tool(client, "gate", {"word": "kept"})
            first.go.set()
            assert text(await soon(ended.wait())) == "done kept"
        second = Gates(stores=stores)
        async with second.client() as client:
            assert text(await soon(task(client, ended.id).wait())) == "done kept"

        # A web server's lifespan ends what it began, also where the program keeps the object.
        apps = [Gates(stores=stores), Gates(stores=stores)]
        for gates in apps:
            gates.mcp.streamable_http_app()
            async with gates.mcp.session_manager.run():
                pass

    run(test())


def test_a_store_that_another_process_has_open_is_refused_by_name(tmp_path: Path) -> None:
    store = str(tmp_path / "tasks.redb")
    with serving(PROGRAM, store) as (_, process):
        second = subprocess.run(
            [*process.args[:3], "1", store],  # type: ignore[index]
            stderr=subprocess.PIPE,
            timeout=WHOLE,
            text=True,
        )
        assert second.returncode != 0
        assert "tasks.redb" in second.stderr
