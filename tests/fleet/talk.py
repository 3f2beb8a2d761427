"""A client that says which node it asks, and can leave in the middle.

Owns: sessions, calls, event streams, as bytes on a socket; talking with a program that does it.
Must not know: which node is which.
"""

from __future__ import annotations

import http.client
import itertools
import json
import select
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from processes import Failed

REVISION = "2025-11-25"
# So long may an answer take, in seconds.
PATIENCE = 60.0
_numbers = itertools.count(1)


class Refused(Exception):
    """An HTTP status that is no answer."""

    def __init__(self, status: int, headers: dict[str, str], body: str) -> None:
        super().__init__(f"{status}: {body[:200]}")
        self.status, self.headers = status, headers


@dataclass
class Event:
    """An event of a stream."""

    id: str | None
    message: dict[str, Any] | None


class Stream:
    """The rest of an HTTP response that is an event stream."""

    def __init__(self, connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> None:
        self._connection, self._response = connection, response

    def __iter__(self) -> Iterator[Event]:
        name, data = None, ""
        while line := self._response.readline():
            text = line.decode().rstrip("\r\n")
            if text.startswith("id:"):
                name = text[3:].strip()
            elif text.startswith("data:"):
                data += text[5:].strip()
            elif not text and (name is not None or data):
                yield Event(name, json.loads(data) if data else None)
                name, data = None, ""

    def leave(self) -> None:
        """Closes the connection without a word."""
        self._response.close()
        self._connection.close()


class Client:
    """A session, at any port of the fleet."""

    def __init__(self, port: int, session: str | None = None) -> None:
        self.port, self.session = port, session

    def at(self, port: int) -> Client:
        """The same session, elsewhere."""
        return Client(port, self.session)

    @classmethod
    def open(cls, port: int) -> Client:
        """Begins a session."""
        client = cls(port)
        params = {"protocolVersion": REVISION, "capabilities": {}, "clientInfo": {"name": "fleet", "version": "1"}}
        connection, response = client._send("POST", _request("initialize", params))
        client.session = response.headers["mcp-session-id"]
        if client.session is None:
            raise Failed("a session has no id")
        _answer(connection, response)
        connection, response = client._send("POST", {"jsonrpc": "2.0", "method": "notifications/initialized"})
        response.read()
        connection.close()
        return client

    def _send(
        self, method: str, message: dict[str, Any] | None = None, **more: str
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": REVISION}
        headers |= {name.replace("_", "-"): value for name, value in more.items()}
        if self.session is not None:
            headers["Mcp-Session-Id"] = self.session
        if message is not None:
            headers["Content-Type"] = "application/json"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        body = None if message is None else json.dumps(message)
        connection.request(method, "/mcp", body=body, headers=headers)
        response = connection.getresponse()
        if response.status >= 300:
            said = response.read().decode(errors="replace")
            connection.close()
            raise Refused(response.status, {k.lower(): v for k, v in response.getheaders()}, said)
        return connection, response

    def call(self, tool: str, **arguments: Any) -> str:
        """The text that a tool answers."""
        connection, response = self._send("POST", _call(tool, arguments))
        return text_of(_answer(connection, response))

    def stream(self, tool: str, **arguments: Any) -> Stream:
        """A call whose answer comes as events, with progress."""
        message = _call(tool, arguments)
        message["params"]["_meta"] = {"progressToken": message["id"]}
        return Stream(*self._send("POST", message, Accept="text/event-stream, application/json"))

    def resume(self, last: str) -> Stream:
        """The rest of a stream."""
        return Stream(*self._send("GET", Accept="text/event-stream", Last_Event_ID=last))


class Talker:
    """A program that calls `echo` with each line that it is given, and says the answer."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Talker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def say(self, text: str) -> str:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(f"{text}\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], PATIENCE)
        answer = self._process.stdout.readline() if ready else ""
        if not answer:
            raise Failed(f"no answer to {text!r}, which ended as {self._process.poll()}")
        return answer.rstrip("\n")


def health(port: int) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", "/healthz")
    response = connection.getresponse()
    said = f"{response.status} {response.read().decode().strip()}"
    connection.close()
    return said


def text_of(message: dict[str, Any]) -> str:
    """The text of an answer.

    Raises:
        Failed: The answer is an error.
    """
    if "error" in message:
        raise Failed(f"an error: {message['error']}")
    return message["result"]["content"][0]["text"]


def _request(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": next(_numbers), "method": method, "params": params}


def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return _request("tools/call", {"name": tool, "arguments": arguments})


def _answer(connection: http.client.HTTPConnection, response: http.client.HTTPResponse) -> dict[str, Any]:
    stream = Stream(connection, response)
    try:
        if response.headers.get_content_type() == "application/json":
            return json.loads(response.read())
        for event in stream:
            if event.message is not None and "id" in event.message:
                return event.message
    finally:
        stream.leave()
    raise Failed("a stream ended without an answer")
