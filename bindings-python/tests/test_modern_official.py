"""The names of 2.x: one program on the official package 2.x and on this one, byte for
byte what is on the wire, but for what was decided to be different.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from peer import FOLDER, LIMIT, MODERN, START

import mcpbolt

pytestmark = pytest.mark.skipif(not MODERN, reason="MCPBOLT_TEST_PYTHON_MCP2 names no interpreter")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
}
ANSWER = {"action": "accept", "content": {"name": "Ada"}}
ERAS = pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])


class Talk:
    """A conversation with one of the programs over its standard streams."""

    def __init__(self, package: str, program: str, modern: bool) -> None:
        own = package == "mcpbolt"
        path = str(Path(mcpbolt.__file__).parent.parent) if own else ""
        self.process = subprocess.Popen(
            [sys.executable if own else MODERN, str(FOLDER / program), package],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=dict(os.environ, PYTHONPATH=path),
        )
        # Whoever does not answer is ended, and reading fails.
        self.watchdog = threading.Timer(START, self.process.kill)
        self.watchdog.start()
        self.modern = modern
        self.asked: list[Any] = []
        self.last = 0

    def __enter__(self) -> Talk:
        if not self.modern:
            info = {"name": "t", "version": "1"}
            capabilities = {"elicitation": {}}
            self.hello = self.ask(
                "initialize", {"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": info}
            )
            self.send({"method": "notifications/initialized"})
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()
        self.watchdog.cancel()
        try:
            self.process.wait(LIMIT)
        finally:
            self.process.kill()

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> Any:
        """The outcome of a request, questions answered on the way."""
        found = self._once(method, params)
        result = found.get("result", {})
        if result.get("resultType") != "input_required":
            return found
        self.asked += [(question["method"], _without_title(question["params"])) for question in result["inputRequests"].values()]
        answers = dict.fromkeys(result["inputRequests"], ANSWER)
        return self._once(method, {**params, "inputResponses": answers, "requestState": result["requestState"]})

    def _once(self, method: str, params: dict[str, Any]) -> Any:
        assert self.process.stdout
        self.last += 1
        self.send({"id": self.last, "method": method, "params": {**params, "_meta": META} if self.modern else params})
        while True:
            line = self.process.stdout.readline()
            assert line, "the server ended"
            message = json.loads(line)
            if "method" not in message:
                assert message.pop("id") == self.last
                return message
            assert "id" in message, f"nobody asked to be told {message}"
            self.asked.append((message["method"], _without_title(message["params"])))
            self.send({"id": message["id"], "result": ANSWER})


def _without_title(params: Any) -> Any:
    # Forms of 1.x say what their model is called; those of 2.x do not.
    schema = {name: value for name, value in params["requestedSchema"].items() if name != "title"}
    return {**params, "requestedSchema": schema}


CALLS = [
    ("add", {"a": 1}),
    ("add", {"a": "x"}),
    ("add", {}),
    ("weather", {"city": "Bern"}),
    ("refuse", {}),
    ("sorry", {}),
    ("crash", {}),
    ("look", {}),
    ("resolved", {"title": "Mx"}),
]
READS = ["note://one", "note://bad", "note://gone/a", "note://gone/busy"]
REFERENCE = {"type": "ref/prompt", "name": "greet"}
SAME: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    *(("tools/call", {"name": name, "arguments": arguments}) for name, arguments in CALLS),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    *(("resources/read", {"uri": uri}) for uri in READS),
    ("prompts/list", {}),
    ("prompts/get", {"name": "greet", "arguments": {"name": "Ada"}}),
    ("completion/complete", {"ref": REFERENCE, "argument": {"name": "name", "value": "x"}}),
]


@ERAS
def test_a_program_in_the_names_of_2_x_says_the_same_on_either_package(modern: bool) -> None:
    asks = [*SAME, ("tools/call", {"name": "asking"})] if modern else SAME
    with Talk("mcp", "modern_surface.py", modern) as theirs, Talk("mcpbolt", "modern_surface.py", modern) as ours:
        for method, params in asks:
            assert ours.ask(method, params) == theirs.ask(method, params), (method, params)
        assert ours.asked == theirs.asked and len(ours.asked) == (2 if modern else 1)
        if not modern:
            for member in ("protocolVersion", "serverInfo", "instructions"):
                assert ours.hello["result"][member] == theirs.hello["result"][member]


@ERAS
def test_what_was_decided_to_be_different(modern: bool) -> None:
    with Talk("mcpbolt", "modern_surface.py", modern) as ours:
        unknown = ours.ask("tools/call", {"name": "nope"})
        assert unknown == {"jsonrpc": "2.0", "error": {"code": -32602, "message": "Unknown tool: nope"}}
        resource = ours.ask("resources/read", {"uri": "note://nope"})["error"]
        assert (resource["code"], resource["data"]) == (-32602 if modern else -32002, {"uri": "note://nope"})
        assert ours.ask("prompts/get", {"name": "greet"})["error"]["code"] == -32602
        assert ours.ask("nothing/here", {})["error"]["code"] == -32601


@ERAS
def test_handlers_by_keyword_say_the_same_on_either_package(modern: bool) -> None:
    asks: list[tuple[str, dict[str, Any]]] = [
        ("tools/list", {}),
        ("tools/list", {"cursor": "2"}),
        ("tools/call", {"name": "a", "arguments": {"b": 1}}),
        ("tools/call", {"name": "bad"}),
        ("tools/call", {"name": "refuse"}),
        ("tools/call", {"name": "stopped"}),
        ("resources/read", {"uri": "x://y"}),
        ("prompts/get", {"name": "p", "arguments": {"a": "b"}}),
        ("example/twice", {"number": 4}),
        ("example/twice", {}),
        ("example/twice", {"number": "x"}),
    ]
    with Talk("mcp", "handler_surface.py", modern) as theirs, Talk("mcpbolt", "handler_surface.py", modern) as ours:
        for method, params in asks:
            assert ours.ask(method, params) == theirs.ask(method, params), (method, params)
