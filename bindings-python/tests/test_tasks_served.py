"""The server's half of the experimental tasks of 2025-11-25, for clients of the official package
and of this one, over each transport.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import mcpbolt
import pytest
from asgi_servers import serving
from bounds import START, WHOLE
from peer import FOLDER, soon
from pydantic import BaseModel

from mcpbolt import ClientSession, McpError, types
from mcpbolt.client.streamable_http import streamable_http_client
from mcpbolt.server.experimental.task_support import TaskSupport
from mcpbolt.server.fastmcp import Context, FastMCP
from mcpbolt.server.lowlevel import Server
from mcpbolt.shared.memory import create_connected_server_and_client_session

sys.path.insert(0, str(FOLDER))
from own_tasks import make  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore:The experimental tasks API is deprecated"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
RELATED = "io.modelcontextprotocol/related-task"


def run(work: Any) -> Any:
    return asyncio.run(asyncio.wait_for(work, WHOLE))


def text(result: Any) -> str:
    return result.content[0].text


async def accept(context: Any, params: Any) -> types.ElicitResult:
    assert params.meta is not None and RELATED in (params.meta.model_extra or {})
    return types.ElicitResult(action="accept", content={"ok": True})


async def think(_: Any, __: Any) -> types.CreateMessageResult:
    content = types.TextContent(type="text", text="a thought")
    return types.CreateMessageResult(role="assistant", content=content, model="m")


@asynccontextmanager
async def over_memory() -> AsyncGenerator[Any, None]:
    async with create_connected_server_and_client_session(
        make(), elicitation_callback=accept, sampling_callback=think
    ) as session:
        yield session


@asynccontextmanager
async def over_http(**options: Any) -> AsyncGenerator[Any, None]:
    async with (
        serving(make(), **options) as url,
        streamable_http_client(url) as (read, write, _),
        ClientSession(read, write, elicitation_callback=accept, sampling_callback=think) as session,
    ):
        await soon(session.initialize(), START)
        yield session


@pytest.mark.parametrize("connected", [over_memory, over_http])
def test_a_task_asks_while_its_result_is_waited_for(connected: Any) -> None:
    async def test() -> None:
        async with connected() as session:
            tasks = session.experimental
            for tool, said in (("work", "did it"), ("ask", "accept {'ok': True}"), ("think", "a thought")):
                created = await soon(tasks.call_tool_as_task(tool, {"what": "it"}))
                assert created.task.status == "working"
                name = created.task.taskId
                result = await soon(tasks.get_task_result(name, types.CallToolResult))
                assert (text(result), result.meta) == (said, {RELATED: {"taskId": name}})
                assert (await soon(tasks.get_task(name))).status == "completed"
            assert text(await soon(session.call_tool("work", {}))) == "at once"
            assert len((await soon(tasks.list_tasks())).tasks) == 3
            declared = session.handshake.capabilities.tasks
            assert None not in (declared.list, declared.cancel, declared.requests.tools.call)

    run(test())


def test_a_task_that_its_client_gives_up_takes_nobody_with_it() -> None:
    async def test() -> None:
        async with over_memory() as session:
            tasks = session.experimental
            name = (await soon(tasks.call_tool_as_task("ask", {}))).task.taskId
            while (await soon(tasks.get_task(name))).status != "input_required":
                await asyncio.sleep(0)
            assert (await soon(tasks.cancel_task(name))).status == "cancelled"
            # Its question is asked all the same, and what the work does with the answer is over.
            await soon(tasks.get_task_result(name, types.GetTaskPayloadResult))
            failed = (await soon(tasks.call_tool_as_task("fail", {}))).task.taskId
            seen = [task async for task in tasks.poll_task(failed)]
            assert (seen[-1].status, seen[-1].statusMessage) == ("failed", "no luck")
            with pytest.raises(McpError, match="terminal"):
                await soon(tasks.cancel_task(failed))
            assert text(await soon(session.call_tool("work", {}))) == "at once"

    run(test())


def test_tasks_of_a_server_without_sessions_belong_to_whoever_knows_them() -> None:
    async def test() -> None:
        async with over_http(stateless=True, json_response=True) as session:
            tasks = session.experimental
            name = (await soon(tasks.call_tool_as_task("work", {"what": "it"}))).task.taskId
            assert text(await soon(tasks.get_task_result(name, types.CallToolResult))) == "did it"
            assert (await soon(tasks.list_tasks())).tasks == []

    run(test())


def test_work_that_waits_for_an_answer_does_not_outlive_its_server() -> None:
    async def test() -> None:
        async with over_memory() as session:
            # Nobody fetches the result, so nobody is asked.
            name = (await soon(session.experimental.call_tool_as_task("ask", {}))).task.taskId
            while (await soon(session.experimental.get_task(name))).status != "input_required":
                await asyncio.sleep(0)

    run(test())


def test_what_fails_in_a_run_is_raised_as_it_is() -> None:
    async def test() -> None:
        support = TaskSupport.in_memory()
        with pytest.raises(KeyError, match="mine"):
            async with support.run():
                raise KeyError("mine")
        with pytest.raises(RuntimeError, match="not running"):
            _ = support.task_group
        async with support.run(), support.run():
            pass

    run(test())


class Sure(BaseModel):
    ok: bool


def test_a_tool_with_task_serves_clients_of_this_revision_too() -> None:
    mcp: Any = FastMCP("s", options={"tasks.poll_interval": 0.02})

    @mcp.tool(task="optional")
    async def sure(ctx: Context) -> str:
        answer = await ctx.elicit("Sure?", Sure)
        return answer.action

    @mcp.tool()
    async def plain() -> str:
        return "plain"

    async def test() -> None:
        async with create_connected_server_and_client_session(mcp, elicitation_callback=accept) as session:
            listed = {tool.name: tool.execution for tool in (await soon(session.list_tools())).tools}
            assert listed["plain"] is None and listed["sure"].taskSupport == "optional"
            tasks = session.experimental
            name = (await soon(tasks.call_tool_as_task("sure", {}, ttl=5000))).task.taskId
            result = await soon(tasks.get_task_result(name, types.CallToolResult))
            assert (text(result), result.meta) == ("accept", {RELATED: {"taskId": name}})
            state = await soon(tasks.get_task(name))
            assert (state.status, state.ttl) == ("completed", 5000)
            with pytest.raises(McpError) as refused:
                await soon(tasks.call_tool_as_task("plain", {}))
            assert refused.value.error.code == types.METHOD_NOT_FOUND
            with pytest.raises(McpError) as over:
                await soon(tasks.cancel_task(name))
            assert over.value.error.code == types.INVALID_PARAMS

    run(test())


def test_clients_of_later_revisions_are_not_told_of_these_tasks() -> None:
    async def test() -> None:
        async with mcpbolt.Client(make(), mode="2026-07-28") as client:
            assert client.server_capabilities.tasks is None
            assert text(await soon(client.call_tool("work", {}))) == "at once"

    run(test())


def test_a_client_of_the_official_package_has_tasks_here() -> None:
    pytest.importorskip("mcp.server.fastmcp", reason="the official package is not installed")
    official: Any = importlib.import_module("mcp")
    stdio: Any = importlib.import_module("mcp.client.stdio")
    path = str(Path(mcpbolt.__file__).parent.parent)
    command = official.StdioServerParameters(
        command=sys.executable, args=[str(FOLDER / "own_tasks.py")], env={"PYTHONPATH": path}
    )

    async def accept_theirs(_: Any, __: Any) -> Any:
        return official.types.ElicitResult(action="accept", content={"ok": True})

    async def test() -> None:
        async with (
            stdio.stdio_client(command) as streams,
            official.ClientSession(*streams, elicitation_callback=accept_theirs) as session,
        ):
            await soon(session.initialize(), START)
            tasks = session.experimental
            created = await soon(tasks.call_tool_as_task("ask", {}))
            result = await soon(tasks.get_task_result(created.task.taskId, official.types.CallToolResult))
            assert text(result) == "accept {'ok': True}"
            assert [task.taskId for task in (await soon(tasks.list_tasks())).tasks] == [created.task.taskId]
            long = (await soon(tasks.call_tool_as_task("long", {}))).task.taskId
            assert (await soon(tasks.cancel_task(long))).status == "cancelled"

    run(test())


def test_a_server_that_speaks_first_is_answered(as_official: None) -> None:
    del as_official

    async def test() -> None:
        from anyio import create_memory_object_stream

        from mcpbolt.shared.message import SessionMessage

        to_client, from_server = create_memory_object_stream[Any](1)
        to_server, from_client = create_memory_object_stream[Any](1)
        with to_client, from_server, to_server, from_client:
            async with ClientSession(from_server, to_server):
                request = types.JSONRPCRequest(jsonrpc="2.0", id="r", method="tasks/list")
                await to_client.send(SessionMessage(types.JSONRPCMessage(request)))
                answer = (await soon(from_client.receive())).message.root
                assert (answer.id, answer.error.message) == ("r", "tasks/list not supported")

    run(test())


def test_a_server_asks_for_the_tasks_of_its_client() -> None:
    from mcpbolt.client.experimental.task_handlers import ExperimentalTaskHandlers

    async def list_tasks(_: Any, __: Any) -> types.ListTasksResult:
        return types.ListTasksResult(tasks=[])

    server: Server[Any, Any] = Server("asks")

    @server.list_tools()
    async def list_tools() -> list[types.Tool]:
        return [types.Tool(name="ask", inputSchema={"type": "object"})]

    @server.call_tool()
    async def call_tool(name: str, arguments: dict[str, Any]) -> list[types.ContentBlock]:
        session = server.request_context.session
        found = await session.send_request(types.ServerRequest(types.ListTasksRequest()), types.ListTasksResult)
        return [types.TextContent(type="text", text=f"{len(found.tasks)} tasks")]

    async def test() -> None:
        handlers = ExperimentalTaskHandlers(list_tasks=list_tasks)
        async with serving(server) as url, streamable_http_client(url) as (read, write, _):
            async with ClientSession(read, write, experimental_task_handlers=handlers) as session:
                await soon(session.initialize(), START)
                assert text(await soon(session.call_tool("ask", {}))) == "0 tasks"

    run(test())
