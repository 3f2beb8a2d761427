"""A client in JSON lines, for tests that look at what is on the wire."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bounds import LIMIT

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
}


def buffered() -> dict[str, str]:
    """The environment as hosts start a server in: what it prints stays in a buffer."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}


class Child:
    """A server program, spoken to over its standard streams."""

    def __init__(self, program: str | Path, *arguments: str) -> None:
        command = [sys.executable, "-c", program] if isinstance(program, str) else [sys.executable, str(program)]
        self.process = subprocess.Popen(
            [*command, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env={**buffered(), "PYTHONWARNINGS": "error"},
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self._input, self._output, self._said = self.process.stdin, self.process.stdout, self.process.stderr
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._output, selectors.EVENT_READ)
        self._buffer = b""
        self._last = 0

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(LIMIT)
        self._selector.close()
        for stream in (self._input, self._output, self._said):
            stream.close()

    def send(self, *messages: dict[str, Any]) -> None:
        lines = [json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in messages]
        self._input.write(b"".join(lines))

    def send_text(self, text: str) -> None:
        """Send lines that are written by hand."""
        self._input.write(text.encode())

    def receive(self) -> dict[str, Any]:
        end = time.monotonic() + LIMIT
        while b"\n" not in self._buffer:
            ready = self._selector.select(max(0.0, end - time.monotonic()))
            assert ready, "no answer in time"
            data = os.read(self._output.fileno(), 1 << 16)
            assert data, f"the server ended: {self.errors()}"
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return json.loads(line)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """One request and its answer; what comes before it must be nothing."""
        number = self.start(method, **params)
        answer = self.receive()
        assert answer.get("id") == number, answer
        return answer

    def start(self, method: str, **params: Any) -> int:
        self._last += 1
        self.send({"id": self._last, "method": method, "params": params})
        return self._last

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", name=name, arguments=arguments)

    def open(self, **capabilities: Any) -> dict[str, Any]:
        answer = self.ask(
            "initialize",
            protocolVersion="2025-11-25",
            capabilities=capabilities,
            clientInfo={"name": "test", "version": "1"},
        )
        self.send({"method": "notifications/initialized"})
        return answer

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """The exit code and what was said on stderr."""
        self._input.close()
        code = self.process.wait(LIMIT)
        return code, self.errors()

    def rest(self) -> bytes:
        """What is left on stdout, once the server has ended."""
        return self._buffer + self._output.read()

    def errors(self) -> str:
        return self._said.read().decode()


def text_of(answer: dict[str, Any]) -> str:
    return answer["result"]["content"][0]["text"]
