"""Conversations with programs that run on either package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from bounds import LIMIT, START
from peer import FOLDER, MODERN

import mcpbolt

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
}
ANSWER = {"action": "accept", "content": {"name": "Ada"}}


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
