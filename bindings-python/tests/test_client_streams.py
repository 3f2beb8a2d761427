"""`ClientSession` on streams of a program's own, and the hooks of its subclasses."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from peer import soon
from pydantic import BaseModel, ValidationError
from scripted import HELLO, Scripted, scripted

from mcpbolt import ClientSession, McpError, StdioServerParameters, stdio_client, types
from mcpbolt.client import _reach
from mcpbolt.shared.exceptions import ProtocolViolation, SessionClosed
from mcpbolt.shared.memory import create_client_server_memory_streams
from mcpbolt.shared.message import SessionMessage

@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_messages_go_through_streams_of_the_programs_own(backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio")

    async def lists(server: Scripted, request: Any) -> Any:
        return {"tools": [{"name": "t", "inputSchema": {"type": "object"}}], "more": {"kept": True}}

    async def main() -> None:
        async with scripted({"tools/list": lists}) as (opened, server):
            result = await soon(opened.list_tools())
            assert result.tools[0].name == "t" and result.model_extra == {"more": {"kept": True}}
            methods = [root.method for root in server.seen]
            assert methods == ["initialize", "notifications/initialized", "tools/list"]
            info = server.seen[0].params["clientInfo"]
            assert info["name"] == "mcp"

    anyio.run(main, backend=backend)


def test_structured_content_is_held_against_the_schema() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    returned: list[Any] = []

    async def lists(server: Scripted, request: Any) -> Any:
        return {"tools": [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": schema}]}

    async def call(server: Scripted, request: Any) -> Any:
        return {"content": [], **returned.pop()}

    async def main() -> None:
        async with scripted({"tools/list": lists, "tools/call": call}) as (opened, server):
            returned.append({"structuredContent": {"n": 1}})
            assert (await soon(opened.call_tool("t"))).structuredContent == {"n": 1}
            returned.append({})
            with pytest.raises(RuntimeError, match="has an output schema but did not return structured content"):
                await soon(opened.call_tool("t"))
            returned.append({"structuredContent": {"n": "one"}})
            with pytest.raises(RuntimeError, match="Invalid structured content returned by tool t"):
                await soon(opened.call_tool("t"))
            returned.append({"isError": True})
            assert (await soon(opened.call_tool("t"))).isError
            lists_asked = [root for root in server.seen if getattr(root, "method", "") == "tools/list"]
            assert len(lists_asked) == 1

    anyio.run(main)


class Filter(BaseModel):
    name: str
    limit: int | None = None


def test_models_in_arguments_are_sent_without_what_is_none() -> None:
    async def call(server: Scripted, request: Any) -> Any:
        return {"content": []}

    async def lists(server: Scripted, request: Any) -> Any:
        return {"tools": []}

    async def main() -> None:
        async with scripted({"tools/call": call, "tools/list": lists}) as (opened, server):
            await soon(opened.call_tool("t", {"filter": Filter(name="a"), "rows": [Filter(name="b"), None], "n": None}))
            (asked,) = [root for root in server.seen if getattr(root, "method", "") == "tools/call"]
            expected = {"filter": {"name": "a"}, "rows": [{"name": "b"}, None], "n": None}
            assert asked.params["arguments"] == expected

    anyio.run(main)


# An integer of more digits than Python reads from text.
LONG = 10**5000


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_what_cannot_be_put_on_the_stream_fails_at_once(backend: str, caplog: pytest.LogCaptureFixture) -> None:
    if backend == "trio":
        pytest.importorskip("trio")
    asked, refused = anyio.Event(), list[Any]()

    async def tools(server: Scripted, request: Any) -> Any:
        return {"tools": []}

    async def prompts(server: Scripted, request: Any) -> Any:
        await server.say(id="q", method="elicitation/create", params={"message": "?", "requestedSchema": QUESTION})
        return {"prompts": []}

    async def answered(server: Scripted, response: Any) -> None:
        refused.append(response)
        asked.set()

    async def elicit(context: Any, params: Any) -> Any:
        return types.ElicitResult(action="accept", content={"n": LONG})

    async def main() -> None:
        answers = {"tools/list": tools, "prompts/list": prompts, "": answered}
        async with scripted(answers, elicitation_callback=elicit) as (opened, server):
            with pytest.raises(McpError, match="cannot be put on the stream: .*number out of range"):
                await soon(opened.call_tool("t", {"n": LONG}))
            params = types.ProgressNotificationParams.model_validate({"progressToken": 1, "progress": 1, "n": LONG})
            told = types.ProgressNotification(params=params)
            await soon(opened.send_notification(types.ClientNotification(told)))
            # The server gets an error in place of an answer.
            await soon(opened.list_prompts())
            await soon(asked.wait())
            assert (refused[0].id, refused[0].error.code) == ("q", -32603)
            assert (await soon(opened.list_tools())).tools == []
            methods = [getattr(root, "method", "") for root in server.seen]
            assert "tools/call" not in methods and "notifications/progress" not in methods

    anyio.run(main, backend=backend)
    assert "notifications/progress was not sent: the message cannot be put on the stream" in caplog.text


QUESTION = {"type": "object", "properties": {"n": {"type": "integer"}}}


def test_subclasses_see_requests_and_notifications_first() -> None:
    class Watching(ClientSession):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self.seen: list[str] = []

        async def _received_request(self, responder: Any) -> None:
            self.seen.append(type(responder.request.root).__name__)
            await super()._received_request(responder)

        async def _received_notification(self, notification: Any) -> None:
            self.seen.append(type(notification.root).__name__)

    async def roots(context: Any) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[])

    async def prompts(server: Scripted, request: Any) -> Any:
        asked.append(request.id)
        await server.say(method="notifications/no/such")
        await server.say(method="notifications/tools/list_changed")
        await server.say(id="r1", method="roots/list")

    async def answered(server: Scripted, response: Any) -> Any:
        assert (response.id, response.result) == ("r1", {"roots": []})
        await server.say(id=asked[0], result={"prompts": []})

    asked: list[Any] = []

    async def main() -> None:
        answers = {"prompts/list": prompts, "": answered}
        async with scripted(answers, Watching, list_roots_callback=roots) as (opened, _):
            assert isinstance(opened, Watching)
            await soon(opened.list_prompts())
            assert sorted(opened.seen) == ["ListRootsRequest", "ToolListChangedNotification"]

    anyio.run(main)


def test_a_message_handler_is_told_of_faults() -> None:
    async def main() -> None:
        seen: list[Any] = []

        async def handler(message: Any) -> None:
            seen.append(message)

        async with scripted({"tools/list": lists}, message_handler=handler) as (opened, _):
            await soon(opened.list_tools())
        assert [type(item) for item in seen] == [ValueError, ProtocolViolation]

    async def lists(server: Scripted, request: Any) -> Any:
        await server.write.send(ValueError("broken line"))
        await server.say(id=999, result={})
        return {"tools": []}

    anyio.run(main)


def test_the_end_of_the_stream_ends_the_session() -> None:
    async def lists(server: Scripted, request: Any) -> Any:
        await server.write.aclose()

    async def main() -> None:
        async with scripted({"tools/list": lists}) as (opened, _):
            with pytest.raises(SessionClosed):
                await soon(opened.list_tools())
            with pytest.raises(McpError):
                await soon(opened.send_ping())

    anyio.run(main)


def test_an_unknown_revision_is_refused() -> None:
    async def main() -> None:
        async with create_client_server_memory_streams() as (ours, (read, write)):
            async with anyio.create_task_group() as tasks, ClientSession(*ours) as opened:

                async def answer() -> None:
                    request = (await read.receive()).message.root
                    result = {**HELLO, "protocolVersion": "1999-01-01"}
                    response = types.JSONRPCResponse(jsonrpc="2.0", id=request.id, result=result)
                    await write.send(SessionMessage(types.JSONRPCMessage(response)))

                tasks.start_soon(answer)
                with pytest.raises(RuntimeError, match="Unsupported protocol version from the server"):
                    await soon(opened.initialize())

    anyio.run(main)


BLOCKS: list[Any] = [
    [{"type": "text", "text": "one"}, {"type": "text", "text": "two", "annotations": {"priority": 1}, "_meta": {"a": 1}}],
    [{"type": "text", "text": "one", "unknown": [1]}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}],
    [{"type": "resource", "resource": {"uri": "note://one", "text": "1"}}],
    [],
    # None of these is content.
    [{"type": "text", "text": 7}],
    [{"type": "text", "text": "one"}, {"type": "nothing"}],
    [{"text": "one"}],
    ["one"],
    {"type": "text", "text": "one"},
]


@pytest.mark.parametrize("blocks", BLOCKS)
def test_results_of_tools_are_what_their_model_makes_of_them(blocks: Any) -> None:
    result = {"content": blocks, "isError": False, "_meta": {"b": 2}, "more": 1}

    async def answer(_server: Scripted, _root: Any) -> Any:
        return result

    async def tools(_server: Scripted, _root: Any) -> Any:
        return {"tools": [{"name": "any", "inputSchema": {"type": "object"}}]}

    async def main() -> None:
        async with scripted({"tools/call": answer, "tools/list": tools}) as (client, _):
            try:
                expected = types.CallToolResult.model_validate(result)
            except ValidationError as error:
                with pytest.raises(ValidationError) as raised:
                    await soon(client.call_tool("any"))
                assert raised.value.errors() == error.errors()
                return
            found = await soon(client.call_tool("any"))
            assert found == expected
            assert found.model_dump() == expected.model_dump()
            assert found.model_fields_set == expected.model_fields_set
            assert [type(block) for block in found.content] == [type(block) for block in expected.content]

    anyio.run(main)


def test_behind_a_slow_callback_only_so_much_waits(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("mcpbolt._engine.serial.MAX_WAITING", 10)
    monkeypatch.setattr("mcpbolt._engine.serial.ORDER_SECONDS", 0.0)
    goes_on, last_came = anyio.Event(), anyio.Event()
    heard: list[int] = []

    async def log(params: types.LoggingMessageNotificationParams) -> None:
        heard.append(params.data)
        await goes_on.wait()
        if params.data == 99:
            last_came.set()

    async def lists(server: Scripted, request: Any) -> Any:
        for number in range(100):
            await server.say(method="notifications/message", params={"level": "info", "data": number})
        return {"tools": []}

    async def main() -> None:
        async with scripted({"tools/list": lists}, logging_callback=log) as (opened, _):
            assert (await soon(opened.list_tools())).tools == []
            goes_on.set()
            await soon(last_came.wait())

    anyio.run(main)
    # The one that ran, and the latest.
    assert heard == [0, *range(90, 100)]
    assert caplog.text.count("A callback is too slow") == 1
    assert "89 callbacks were dropped" in caplog.text


def test_in_streams_that_nobody_reads_only_so_much_waits(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(_reach, "MAX_UNREAD", 10)
    is_answer, answered = _reach._is_answer, anyio.Event()

    def looked(message: Any) -> bool:
        if is_answer(message):
            answered.set()
        return is_answer(message)

    monkeypatch.setattr(_reach, "_is_answer", looked)
    file = tmp_path / "chatty.py"
    file.write_text(
        """
import json, sys

sys.stdin.readline()
for number in range(100):
    params = {"level": "info", "data": number}
    print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message", "params": params}))
print(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}), flush=True)
sys.stdin.readline()
"""
    )

    async def main() -> None:
        server = StdioServerParameters(command=sys.executable, args=[str(file)])
        async with stdio_client(server) as (read, write):
            ping = types.JSONRPCMessage.model_validate({"jsonrpc": "2.0", "id": 1, "method": "ping"})
            await soon(write.send(SessionMessage(ping)))
            await soon(answered.wait())
            found = [(await soon(read.receive())).message.root for _ in range(11)]
        assert [getattr(root, "params", {}).get("data") for root in found] == [*range(10), None]
        assert caplog.text.count("others than answers are dropped") == 1

    anyio.run(main)


def test_requests_whose_callback_fails_or_is_cancelled_are_not_kept() -> None:
    async def fails(context: Any) -> Any:
        raise ValueError("no luck")

    waits = anyio.Event()

    async def hangs(context: Any, params: Any) -> Any:
        waits.set()
        await anyio.sleep_forever()

    async def lists(server: Scripted, request: Any) -> Any:
        asked.append(request.id)
        await server.say(id="fails", method="roots/list")

    async def answered(server: Scripted, response: Any) -> Any:
        assert response.id == "fails"
        params = {"messages": [], "maxTokens": 1}
        await server.say(id="hangs", method="sampling/createMessage", params=params)
        await waits.wait()
        await server.say(method="notifications/cancelled", params={"requestId": "hangs"})
        await server.say(id=asked[0], result={"tools": []})

    asked: list[Any] = []

    async def main() -> None:
        answers = {"tools/list": lists, "": answered}
        async with scripted(answers, list_roots_callback=fails, sampling_callback=hangs) as (opened, _):
            await soon(opened.list_tools())
            assert opened._in_flight == {}

    anyio.run(main)
