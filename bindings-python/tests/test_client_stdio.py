"""`ClientSession` and `stdio_client` with a server on the official package."""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from bounds import LIMIT, START
from peer import legacy_command, official, soon, text

from mcpbolt import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcpbolt.shared.exceptions import ConnectError, SessionClosed, TimeoutError, UsageError

official()
BACKENDS = ["asyncio", "trio"] if "trio" in sys.modules or __import__("importlib.util").util.find_spec("trio") else ["asyncio"]


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    return request.param


@asynccontextmanager
async def session(**callbacks: Any) -> AsyncIterator[ClientSession]:
    async with stdio_client(legacy_command()) as (read, write):
        async with ClientSession(read, write, **callbacks) as opened:
            result = await soon(opened.initialize(), START)
            assert (result.serverInfo.name, result.instructions) == ("peer", "be brief")
            yield opened


def test_every_verb_gets_its_answer(backend: str) -> None:
    async def main() -> None:
        async with session() as opened:
            capabilities = opened.get_server_capabilities()
            assert capabilities is not None and capabilities.tools is not None
            tools = await soon(opened.list_tools())
            assert [tool.name for tool in tools.tools][:2] == ["echo", "add"]
            assert text(await soon(opened.call_tool("echo", {"text": "zwölf"}))) == "zwölf"
            added = await soon(opened.call_tool("add", {"a": 1, "b": 2}))
            assert added.structuredContent == {"total": 3}
            failed = await soon(opened.call_tool("fail"))
            assert failed.isError and "no luck" in text(failed)
            resources = await soon(opened.list_resources())
            assert str(resources.resources[0].uri) == "note://today"
            read = await soon(opened.read_resource(types.AnyUrl("note://today")))
            assert isinstance(read.contents[0], types.TextResourceContents) and read.contents[0].text == "a note"
            templates = await soon(opened.list_resource_templates())
            assert templates.resourceTemplates[0].uriTemplate == "note://{name}/text"
            prompts = await soon(opened.list_prompts(params=types.PaginatedRequestParams()))
            assert prompts.prompts[0].name == "greet"
            prompt = await soon(opened.get_prompt("greet", {"name": "Ada"}))
            assert prompt.messages[0].content == types.TextContent(type="text", text="Greet Ada")
            reference = types.PromptReference(type="ref/prompt", name="greet")
            completed = await soon(opened.complete(reference, {"name": "name", "value": "x"}))
            assert completed.completion.values == ["x!"]
            assert isinstance(await soon(opened.send_ping()), types.EmptyResult)
            with pytest.raises(McpError) as caught:
                await soon(opened.read_resource(types.AnyUrl("note://nowhere")))
            assert not caught.value.local
            with pytest.raises(ValueError, match="both cursor and params"):
                await opened.list_tools("x", params=types.PaginatedRequestParams())  # pyright: ignore

    anyio.run(main, backend=backend)


def test_questions_of_the_server_reach_their_callbacks(backend: str) -> None:
    async def elicit(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert params.message == "Who are you?" and isinstance(context.session, ClientSession)
        return types.ElicitResult(action="accept", content={"name": "Ada"})

    async def sample(context: Any, params: types.CreateMessageRequestParams) -> types.CreateMessageResult:
        content = types.TextContent(type="text", text=f"{params.maxTokens} tokens")
        return types.CreateMessageResult(role="assistant", content=content, model="m")

    async def roots(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root.model_validate({"uri": "file:///srv"})])

    async def main() -> None:
        async with session(
            elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots
        ) as opened:
            assert text(await soon(opened.call_tool("ask"))) == "accept:Ada"
            assert text(await soon(opened.call_tool("sample"))) == "5 tokens"
            assert text(await soon(opened.call_tool("roots"))) == "file:///srv"
            await opened.send_roots_list_changed()

    anyio.run(main, backend=backend)


def test_a_callback_that_fails_or_refuses_fails_the_tool_and_nothing_else() -> None:
    async def elicit(context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        raise LookupError("secret")

    async def sample(context: Any, params: Any) -> types.ErrorData:
        return types.ErrorData(code=-1, message="User rejected sampling request")

    async def main() -> None:
        async with session(elicitation_callback=elicit, sampling_callback=sample) as opened:
            failed = await soon(opened.call_tool("ask"))
            assert failed.isError and "LookupError" in text(failed) and "secret" not in text(failed)
            failed = await soon(opened.call_tool("sample"))
            assert failed.isError and "User rejected sampling request" in text(failed)
            failed = await soon(opened.call_tool("roots"))
            assert failed.isError
            assert text(await soon(opened.call_tool("echo", {"text": "on"}))) == "on"

    anyio.run(main)


def test_what_came_before_an_answer_is_handled_before_it(backend: str) -> None:
    seen: list[Any] = []

    async def log(params: types.LoggingMessageNotificationParams) -> None:
        await anyio.lowlevel.checkpoint()
        seen.append((params.level, params.data))

    async def handler(message: Any) -> None:
        if isinstance(message, types.ServerNotification):
            seen.append(type(message.root).__name__)

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        await anyio.lowlevel.checkpoint()
        seen.append((progress, total, message))

    async def main() -> None:
        async with session(logging_callback=log, message_handler=handler) as opened:
            await soon(opened.call_tool("log", {"text": "careful"}))
            assert seen == [("warning", "careful"), "LoggingMessageNotification"]
            seen.clear()
            await soon(opened.call_tool("count", {"to": 2}, progress_callback=progress))
            steps = [item for item in seen if isinstance(item, tuple)]
            assert steps == [(1, 2, "step 1"), (2, 2, "step 2")]
            seen.clear()
            await soon(opened.call_tool("changed"))
            assert seen == ["ToolListChangedNotification"]

    anyio.run(main, backend=backend)


def test_a_handler_may_ask_the_server_something() -> None:
    names: list[str] = []

    async def handler(message: Any) -> None:
        if isinstance(message, types.ServerNotification):
            names.extend(tool.name for tool in (await holder[0].list_tools()).tools)

    holder: list[ClientSession] = []

    async def main() -> None:
        async with session(message_handler=handler) as opened:
            holder.append(opened)
            await soon(opened.call_tool("changed"))
            assert "changed" in names

    anyio.run(main)


def test_giving_up_tells_the_server(backend: str) -> None:

    async def main() -> None:
        started = anyio.Event()

        async def log(params: types.LoggingMessageNotificationParams) -> None:
            if params.data == "hanging task":
                started.set()

        async with session(logging_callback=log) as opened:
            with pytest.raises(TimeoutError) as caught:
                await soon(opened.call_tool("hang", {"name": "limit"}, timedelta(seconds=0.05)))
            error = caught.value
            assert isinstance(error, McpError) and (error.error.code, error.kind, error.local) == (408, "timeout", True)
            words = "Timed out while waiting for response to ClientRequest. Waited 0.05 seconds."
            assert error.error.message == words
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(opened.call_tool, "hang", {"name": "task"})
                await soon(started.wait())
                tasks.cancel_scope.cancel()
            told = await soon(opened.call_tool("cancellations"))
            assert told.structuredContent == {"result": ["limit", "task"]}

    anyio.run(main, backend=backend)


def test_a_dead_server_fails_every_call_at_once(backend: str) -> None:
    async def main() -> None:
        errors: list[Exception] = []

        async def call(name: str, arguments: dict[str, Any]) -> None:
            try:
                await opened.call_tool(name, arguments)
            except McpError as error:
                errors.append(error)

        async with session() as opened:
            with anyio.fail_after(LIMIT):
                async with anyio.create_task_group() as tasks:
                    for number in range(3):
                        tasks.start_soon(call, "hang", {"name": str(number)})
                    tasks.start_soon(call, "die", {"code": 3})
            assert len(errors) == 4
            for error in errors:
                assert isinstance(error, (SessionClosed, ConnectError)) and error.local
            with pytest.raises(SessionClosed):
                await soon(opened.call_tool("echo", {"text": "x"}))
            await soon(opened.wait_closed())
            assert opened.state == "closed"
            with pytest.raises(McpError, match="exit status: 3") as caught:
                await soon(opened.send_ping())
            assert isinstance(caught.value, SessionClosed)

    anyio.run(main, backend=backend)


def test_contexts_are_left_in_other_tasks_and_in_any_order(backend: str) -> None:
    async def main() -> None:
        way = stdio_client(legacy_command())
        read, write = await way.__aenter__()
        opened = ClientSession(read, write)
        await opened.__aenter__()

        async def begin() -> None:
            await soon(opened.initialize(), START)

        async def leave() -> None:
            await soon(way.__aexit__(None, None, None), 10)
            await soon(opened.__aexit__(None, None, None), 10)
            await soon(opened.close())

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(begin)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(leave)
        with pytest.raises(SessionClosed):
            await soon(opened.send_ping())

    anyio.run(main, backend=backend)


def test_a_session_works_without_being_entered_and_says_what_is_missing() -> None:
    async def main() -> None:
        async with stdio_client(legacy_command()) as (read, write):
            opened = ClientSession(read, write)
            with pytest.raises(UsageError, match="initialize"):
                await soon(opened.send_ping())
            await soon(opened.initialize(), START)
            await soon(opened.send_ping())
            await soon(opened.close(), 10)

    anyio.run(main)


def test_streams_by_hand_carry_messages(backend: str) -> None:
    async def main() -> None:
        from mcpbolt.shared.message import SessionMessage

        async with stdio_client(legacy_command()) as (read, write):
            params = {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "hand", "version": "1"},
            }
            request = types.JSONRPCRequest(jsonrpc="2.0", id=7, method="initialize", params=params)
            await soon(write.send(SessionMessage(types.JSONRPCMessage(request))))
            answer = await soon(read.receive(), START)
            assert isinstance(answer, SessionMessage)
            root = answer.message.root
            assert isinstance(root, types.JSONRPCResponse) and root.id == 7
            assert root.result["protocolVersion"] == "2025-06-18"

    anyio.run(main, backend=backend)


def test_a_program_that_is_not_there_is_an_oserror() -> None:
    async def main() -> None:
        with pytest.raises(FileNotFoundError):
            async with stdio_client(StdioServerParameters(command="no-such-program-anywhere")):
                pass
        with pytest.raises(FileNotFoundError):
            async with stdio_client(StdioServerParameters(command=sys.executable, cwd="/no/such/folder")):
                pass

    anyio.run(main)


def test_the_environment_is_the_default_and_what_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCPBOLT_TEST_SECRET", "do not inherit")

    async def main() -> None:
        parameters = legacy_command()
        parameters.env = {"GIVEN": "yes"}
        async with stdio_client(parameters) as (read, write):
            async with ClientSession(read, write) as opened:
                await soon(opened.initialize(), START)
                assert text(await soon(opened.call_tool("environment", {"name": "GIVEN"}))) == "yes"
                assert text(await soon(opened.call_tool("environment", {"name": "MCPBOLT_TEST_SECRET"}))) == ""

    anyio.run(main)


def test_standard_error_goes_where_the_program_wants(tmp_path: Path) -> None:
    import io

    async def main(errlog: Any) -> None:
        async with stdio_client(legacy_command(), errlog) as (read, write):
            async with ClientSession(read, write) as opened:
                await soon(opened.initialize(), START)
                with pytest.raises(McpError):
                    await soon(opened.call_tool("die", {"code": 1}))

    path = tmp_path / "log"
    with path.open("w") as file:
        anyio.run(main, file)
    assert "last words" in path.read_text()
    lines = io.StringIO()
    anyio.run(main, lines)
    assert "last words" in lines.getvalue()


class Broken:
    """Written to like a file, and fails as its `error`."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error

    def write(self, _: str) -> None:
        if self.error is not None:
            raise self.error


async def _loses_words(errlog: Any) -> None:
    """Have a server write to its standard error, and see that nobody is troubled."""
    troubled: list[Any] = []
    with suppress(RuntimeError):
        asyncio.get_running_loop().set_exception_handler(lambda _, about: troubled.append(about))
    async with stdio_client(legacy_command(), errlog) as (read, write):
        async with ClientSession(read, write) as opened:
            await soon(opened.initialize(), START)
            with pytest.raises(McpError):
                await soon(opened.call_tool("die", {"code": 1}))
    assert troubled == []


@pytest.mark.parametrize("error", [None, ValueError("I/O operation on closed file."), TypeError("bytes, please")])
def test_a_file_that_fails_is_no_trouble_of_the_session(backend: str, error: Exception | None) -> None:
    # Without an error there is no `flush`.
    anyio.run(_loses_words, Broken(error), backend=backend)


@pytest.mark.parametrize("number", [subprocess.DEVNULL, subprocess.PIPE, None])
def test_standard_error_may_be_what_processes_take(backend: str, number: int | None, capfd: Any) -> None:
    anyio.run(_loses_words, number, backend=backend)
    assert ("last words" in capfd.readouterr().err) == (number is None)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of Windows have no such numbers")
def test_standard_error_may_be_a_descriptor(backend: str, tmp_path: Path) -> None:
    here, there = socket.socketpair()
    with (tmp_path / "log").open("w") as file, here, there:
        for number in (file.fileno(), there.fileno()):
            anyio.run(_loses_words, number, backend=backend)
        here.settimeout(LIMIT)
        assert b"last words" in here.recv(65_536)
    assert "last words" in (tmp_path / "log").read_text()
    with pytest.raises(OSError):
        anyio.run(_loses_words, 1_000_000, backend=backend)
