"""What attackers have: sockets from addresses of their choice, bytes of their choice.

Owns: the servers' and clients' processes, raw HTTP, JSON lines. Must not know: the attacks.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2] / "bindings-python/tests"))
from ports import free_port  # noqa: E402

# How long anything that has to happen may take.
BOUND = 15.0
REVISION = "2026-07-28"
# Loopback addresses that are nobody's: limits for addresses hold for them.
MALLORY, ALICE, BOB, PROXY = "127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"


def hostile(**schemas: str) -> list[str]:
    """A server that means harm, with what its schemas say."""
    return [sys.executable, str(Path(__file__).parent / "programs" / "hostile.py"), json.dumps(schemas)]


class Failed(Exception):
    """The attack worked."""


def expect(held: bool, said: str) -> None:
    if not held:
        raise Failed(said)


def until(what: str, holds: Any, bound: float = BOUND) -> Any:
    """Waits until something is true."""
    end = time.monotonic() + bound
    while not (found := holds()):
        expect(time.monotonic() < end, f"not within {bound:g} s: {what}")
        time.sleep(0.02)
    return found


# Processes


def told(settings: dict[str, Any], environment: dict[str, str] | None = None) -> dict[str, str]:
    own = {"ATTACKED": json.dumps(settings), "PYTHONDONTWRITEBYTECODE": "1", "RUST_BACKTRACE": "0"}
    return {**os.environ, **own, **(environment or {})}


@contextlib.contextmanager
def running(
    command: list[str], settings: dict[str, Any], environment: dict[str, str] | None = None, **streams: Any
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends with the attack."""
    process = subprocess.Popen(command, env=told(settings, environment), **streams)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def accepts(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


def web(server: list[str]) -> list[str]:
    """A program that is no web server of others is told to be one."""
    return server if server[-1] in ("asgi", "express") else [*server, "http"]


@contextlib.contextmanager
def listening(
    command: list[str], settings: dict[str, Any], environment: dict[str, str] | None = None
) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """A server program on a port of its own, which is its last word."""
    port = free_port()
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with running([*command, str(port)], settings, environment, **streams) as process:

        def ready() -> bool:
            if process.poll() is not None:
                lines = process.stderr.read().decode(errors="replace").strip().splitlines()
                said = [line for line in lines if re.search("there is no|Error:", line)] or lines[-1:] or [str(process.returncode)]
                raise Failed(f"the server does not start: {said[0].strip()}")
            return accepts(port)

        until("the server listens", ready)
        yield port, process


def memory(process: subprocess.Popen[bytes]) -> int:
    """MiB that a process holds."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) // 1024


# HTTP


def dial(port: int, source: str, bound: float = BOUND) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), bound, source_address=(source, 0))


def head(port: int, size: int | None, *more: str, method: str = "POST", path: str = "/mcp") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Accept: application/json, text/event-stream", *more]
    if size is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {size}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def modern(port: int, method: str, *more: str, meta: dict[str, Any] | None = None, **params: Any) -> bytes:
    """A request of the newest revision, whole."""
    own = {f"io.modelcontextprotocol/{name}": value for name, value in (
        ("protocolVersion", REVISION),
        ("clientInfo", {"name": "mallory", "version": "1"}),
        ("clientCapabilities", {"elicitation": {}}),
    )}
    params["_meta"] = {**own, **(meta or {})}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    named = [f"Mcp-Name: {params['name']}"] if "name" in params else []
    return head(port, len(body), f"MCP-Protocol-Version: {REVISION}", f"Mcp-Method: {method}", *named, *more) + body


def call(port: int, tool: str, *more: str, meta: dict[str, Any] | None = None, **arguments: Any) -> bytes:
    return modern(port, "tools/call", *more, meta=meta, name=tool, arguments=arguments)


def legacy(port: int, message: dict[str, Any], *more: str, path: str = "/mcp") -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return head(port, len(body), *more, path=path) + body


HELLO = {
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "mallory", "version": "1"}},
}


class Answer:
    """The status of a response, its headers in small letters, and its body, chunks put together."""

    def __init__(self, sock: socket.socket) -> None:
        self.file = sock.makefile("rb")
        first = self.file.readline().split()
        expect(len(first) > 1, "the connection ended without an answer")
        self.status = int(first[1])
        self.headers: dict[str, str] = {}
        while line := self.file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            self.headers[name.lower()] = value.strip()

    def chunks(self) -> Iterator[bytes]:
        if self.headers.get("transfer-encoding") == "chunked":
            while size := int(self.file.readline() or b"0", 16):
                yield self.file.read(size)
                self.file.readline()
        elif "content-length" in self.headers:
            yield self.file.read(int(self.headers["content-length"]))
        else:
            while data := self.file.read1(1 << 16):
                yield data

    def events(self) -> Iterator[tuple[str, str]]:
        """Name and data of each event of a stream."""
        text = b""
        for chunk in self.chunks():
            text += chunk
            while (end := text.replace(b"\r", b"").find(b"\n\n")) >= 0:
                text = text.replace(b"\r", b"")
                event, text = text[:end].decode(), text[end + 2 :]
                fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line and line[0] != ":")
                if "data" in fields:
                    yield fields.get("event", "message"), fields["data"]

    def message(self) -> Any:
        """The one JSON message, whichever way it was sent."""
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            for _, data in self.events():
                found = json.loads(data)
                if "id" in found:
                    return found
            return None
        body = b"".join(self.chunks())
        try:
            return json.loads(body) if body else None
        except ValueError:
            return body.decode(errors="replace")


def ask(port: int, request: bytes, source: str = "127.0.0.1", bound: float = BOUND) -> tuple[int, Any]:
    """One request on a connection of its own: status and message."""
    with dial(port, source, bound) as sock:
        sock.sendall(request)
        try:
            answer = Answer(sock)
            return answer.status, answer.message()
        except (TimeoutError, ConnectionError) as error:
            raise Failed(f"no answer: {error}") from None


def text_of(message: Any) -> str:
    """The words of a tool's answer; the whole message if there are none."""
    try:
        return message["result"]["content"][0]["text"]
    except (KeyError, TypeError, IndexError):
        return json.dumps(message)[:200]


def served(port: int, source: str) -> None:
    """Somebody who does no harm is answered."""
    status, message = ask(port, call(port, "echo", text="alive"), source, 5.0)
    expect(text_of(message) == "alive", f"another address gets {status} {text_of(message)}")


# Standard streams


class Lines:
    """A server program, spoken to in JSON lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.last = 0

    def send(self, *messages: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in messages))
        self.process.stdin.flush()

    def start(self, tool: str, **arguments: Any) -> int:
        self.last += 1
        self.send({"id": self.last, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
        return self.last

    def next(self) -> Any:
        """The next message; nothing at the end."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        return json.loads(line) if line else None

    def open(self) -> None:
        self.send(HELLO)
        overdue = threading.Timer(BOUND, self.process.kill)
        overdue.start()
        answer = self.next()
        overdue.cancel()
        expect(bool(answer) and "result" in answer, f"no handshake: {answer}")
        self.send({"method": "notifications/initialized"})


@contextlib.contextmanager
def spoken(command: list[str], settings: dict[str, Any]) -> Iterator[Lines]:
    with running(
        command, settings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        lines = Lines(process)
        lines.open()
        yield lines
