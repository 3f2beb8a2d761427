"""A high-level server as a program on standard streams."""

import json
import signal
import textwrap
from typing import Any

import pytest
from bounds import LIMIT
from stdio_servers import BOTH, FAST, SLOW
from wire import MODERN, Child, text_of


@BOTH
def test_tools_resources_and_prompts_answer(program: str) -> None:
    with Child(program) as server:
        opened = server.open()["result"]
        assert opened["serverInfo"]["name"] == "test"
        assert opened["instructions"] == "Use it."
        assert opened["capabilities"]["tools"] == {"listChanged": False}
        assert server.call("add", a=1)["result"]["structuredContent"] == {"result": 2}
        assert text_of(server.call("later", text="x")) == "x"
        assert [r["uri"] for r in server.ask("resources/list")["result"]["resources"]] == ["note://one"]
        templates = server.ask("resources/templates/list")["result"]["resourceTemplates"]
        assert [row["uriTemplate"] for row in templates] == ["note://{name}/text"]
        read = server.ask("resources/read", uri="note://one")["result"]["contents"]
        assert read == [{"uri": "note://one", "mimeType": "text/plain", "text": "first"}]
        assert server.ask("resources/read", uri="note://x/text")["result"]["contents"][0]["text"].startswith("x")
        prompt = server.ask("prompts/get", name="greet", arguments={"name": "Ann", "times": "2"})["result"]
        assert prompt["messages"][0]["content"]["text"] == "Hello Ann x2"
        assert server.ask("ping")["result"] == {}
        assert server.end() == (0, "")


def test_both_paths_send_the_same_bytes() -> None:
    def transcript(program: str) -> list[dict[str, Any]]:
        with Child(program) as server:
            rows = [server.open()]
            for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping"):
                rows += [server.ask(method), server.ask(method)]
            rows += [server.call("add", a=1), server.call("add", a="x"), server.call("nope")]
            rows += [server.ask("resources/read", uri="note://none"), server.ask("prompts/get", name="none")]
            rows += [server.ask("prompts/get", name="greet"), server.ask("no/such/method")]
            return rows

    fast, slow = transcript(FAST), transcript(SLOW)
    assert [json.dumps(row) for row in fast] == [json.dumps(row) for row in slow]


@BOTH
def test_failures_have_the_codes_of_the_protocol(program: str) -> None:
    with Child(program) as server:
        server.open()
        unknown = server.call("nope")["result"]
        assert (unknown["isError"], unknown["content"][0]["text"]) == (True, "Unknown tool: nope")
        missing = server.ask("resources/read", uri="note://none")["error"]
        assert (missing["code"], missing["data"]["uri"]) == (-32002, "note://none")
        assert server.ask("prompts/get", name="none")["error"]["code"] == -32602
        assert server.ask("prompts/get", name="greet")["error"]["code"] == -32602
        assert server.ask("no/such/method")["error"]["code"] == -32601
        assert server.ask("completion/complete", ref={}, argument={})["error"]["code"] == -32601


@BOTH
def test_a_blocking_function_delays_nobody(program: str) -> None:
    with Child(program) as server:
        server.open()
        blocked = [server.start("tools/call", name="block", arguments={}) for _ in range(4)]
        assert server.ask("ping")["result"] == {}
        assert text_of(server.call("later", text="y")) == "y"
        freed = server.start("tools/call", name="unblock", arguments={})
        answers = {(answer := server.receive())["id"]: answer for _ in range(5)}
        assert set(answers) == {*blocked, freed}
        assert len({text_of(answers[number]) for number in blocked}) == 4


def test_a_quick_function_does_not_wait_for_the_slow_one_behind_it() -> None:
    with Child(FAST) as server:
        server.open()
        calls = [("add", {"a": 1}), ("block", {}), ("add", {"a": 2})]
        server.send(
            *(
                {"id": name + str(arguments), "method": "tools/call", "params": {"name": name, "arguments": arguments}}
                for name, arguments in calls
            )
        )
        quick = {server.receive()["id"] for _ in range(2)}
        assert quick == {"add{'a': 1}", "add{'a': 2}"}
        server.send({"id": "free", "method": "tools/call", "params": {"name": "unblock", "arguments": {}}})
        assert {server.receive()["id"] for _ in range(2)} == {"free", "block{}"}


def test_a_cancelled_call_is_stopped_and_not_answered() -> None:
    with Child(FAST) as server:
        server.open()
        number = server.start("tools/call", name="hang", arguments={})
        assert text_of(server.call("later", text="it runs")) == "it runs"
        server.send({"method": "notifications/cancelled", "params": {"requestId": number}})
        assert server.ask("ping")["result"] == {}
        assert server.end() == (0, "let go\n")


def test_only_the_protocol_is_on_stdout() -> None:
    with Child(FAST) as server:
        server.open()
        params = {"name": "noisy", "arguments": {}, "_meta": {"progressToken": "t"}}
        number = server.start("tools/call", **params)
        methods = []
        while "id" not in (message := server.receive()):
            methods.append((message["method"], message["params"].get("progress")))
        assert methods == [
            ("notifications/message", None),
            ("notifications/progress", 1),
            ("notifications/progress", 2),
        ]
        assert (message["id"], text_of(message)) == (number, str(number))
        code, errors = server.end()
        assert code == 0
        assert "nor this" in errors and "this must not reach the client" in errors
        assert server.rest() == b""


def test_functions_see_the_context_of_the_program() -> None:
    with Child(FAST) as server:
        server.open()
        assert text_of(server.call("who")) == "main"


@BOTH
def test_changes_of_the_registry_are_seen_at_once(program: str) -> None:
    def tools() -> dict[str, str]:
        return {tool["name"]: tool["description"] for tool in server.ask("tools/list")["result"]["tools"]}

    with Child(program) as server:
        server.open()
        assert "grown" not in tools()
        server.call("grow")
        assert "grown" in tools()
        assert text_of(server.call("grown")) == "new"
        server.call("shrink")
        assert "grown" not in tools()
        assert tools()["add"] == "Changed."
        assert text_of(server.call("grown")) == "Unknown tool: grown"


def test_a_handler_asks_the_user_on_the_legacy_era() -> None:
    with Child(FAST) as server:
        server.open(elicitation={}, roots={})
        number = server.start("tools/call", name="ask", arguments={})
        question = server.receive()
        assert question["method"] == "elicitation/create"
        assert question["params"]["requestedSchema"]["properties"] == {"name": {"title": "Name", "type": "string"}}
        server.send({"id": question["id"], "result": {"action": "accept", "content": {"name": "Ann"}}})
        question = server.receive()
        assert question["method"] == "roots/list"
        server.send({"id": question["id"], "result": {"roots": [{"uri": "https://a.example/v1"}]}})
        answer = server.receive()
        assert (answer["id"], text_of(answer)) == (number, "accept name='Ann' https://a.example/v1")


def test_a_handler_asks_the_user_on_the_modern_era() -> None:
    with Child(FAST) as server:
        params: dict[str, Any] = {"name": "ask", "arguments": {}, "_meta": MODERN}
        answers: list[dict[str, Any]] = [
            {"action": "accept", "content": {"name": "Ann"}},
            {"roots": [{"uri": "file:///project"}]},
        ]
        result = server.ask("tools/call", **params)["result"]
        for answer in answers:
            assert result["resultType"] == "input_required"
            (key,) = result["inputRequests"]
            more = {"inputResponses": {key: answer}, "requestState": result["requestState"]}
            result = server.ask("tools/call", **params, **more)["result"]
        assert result["content"][0]["text"] == "accept name='Ann' file:///project"


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_one_signal_ends_it_quietly(number: signal.Signals, code: int) -> None:
    with Child(FAST) as server:
        server.open()
        server.start("tools/call", name="hang", arguments={})
        assert text_of(server.call("later", text="up")) == "up"
        server.signal(number)
        assert server.process.wait(LIMIT) == code
        assert server.errors() == "let go\n"


def test_a_program_may_catch_the_interrupt() -> None:
    program = FAST.replace("mcp.run()\n", "try:\n    mcp.run()\nexcept KeyboardInterrupt:\n    sys.exit(7)\n")
    with Child(program) as server:
        server.open()
        server.signal(signal.SIGINT)
        assert (server.process.wait(LIMIT), server.errors()) == (7, "")


def test_the_end_of_input_ends_it() -> None:
    with Child(FAST) as server:
        server.open()
        assert server.end() == (0, "")


REGISTERED = """
@mcp.resource("a://b")
def resource() -> str: return ""

@mcp.prompt()
def prompt(name: str) -> str: return name
"""


@pytest.mark.parametrize("more", ["", REGISTERED], ids=["tools", "everything"])
def test_nothing_heavy_is_loaded_before_the_first_answer(more: str) -> None:
    program = textwrap.dedent(
        """
        import sys
        from mcpbolt.server.fastmcp import FastMCP

        mcp = FastMCP("light")

        @mcp.tool()
        def loaded(prefix: str) -> str:
            return " ".join(sorted(name for name in sys.modules if name.split(".")[0] in prefix.split()))

        """
    )
    program += more + "\nmcp.run()\n"
    with Child(program) as server:
        server.open()
        assert text_of(server.call("loaded", prefix="pydantic anyio httpx starlette uvicorn jsonschema")) == ""
