"""The engine's verbs. The rest of the package is written on them.

Text means JSON text where a parameter is called `params`, `result`, `data`, `json`,
`options`, `schema`, `value` or `payload`. Calls, connections and requests are numbers.
"""

from typing_extensions import Buffer
from typing import Any, Literal, final

__all__ = [
    "__version__",
    "Inbox",
    "Server",
    "Mount",
    "Client",
    "Transport",
    "EventReader",
    "Schema",
    "UriPattern",
    "Written",
    "EngineError",
    "advance",
    "take_state",
    "forked",
    "loads",
    "dumps",
    "quote",
    "text_result",
    "error_names",
]

__version__: str
"""The version of the package."""

class EngineError(Exception):
    """What the engine refuses: `args` are (kind, code, message, data)."""

    args: tuple[str, int, str, Any]

@final
class Inbox:
    """Where items wait for one loop and its worker threads."""

    def __new__(cls, max_items: int | None = None, max_bytes: int | None = None) -> Inbox: ...
    def fileno(self) -> int:
        """A descriptor that is readable while there is something to take."""
    def check(self) -> None:
        """Raise in a child of the process that made this."""
    def take(self, max_items: int, max_bytes: int) -> list[tuple[Any, ...]]:
        """What waits, without waiting. The first member of an item is its name:

        `request` (call, connection, cause, method, name, params, invalid),
        `notification` (connection, cause, method, params),
        `response` (id, call, cause, result, failure), `progress` (id, params),
        `cancel` (call, why, reason), `writable` (target), `ask` (id, service, payload),
        `outgoing` (connection), `subscription` (connection, uri, active),
        `log` (connection, kind, message), `closed` (connection, failure),
        `state` (connection, state), `message` (connection, text),
        `send_failed` (connection, id, failure), `http_head` (request, status, headers,
        body, end), `http_chunk` (request, bytes, end), `http_request` (request, head,
        body), `http_closed` (request), `cause_closed` (cause).
        """
    def take_sync(self, timeout: float) -> tuple[Any, ...] | None:
        """Wait for a call for a worker thread, with the interpreter free for others."""
    def complete(self, id: int, result: str | Written) -> bool:
        """End a call or an ask. `False`, and no effect, if it is unknown or over."""
    def complete_many(self, rows: list[tuple[Any, ...]]) -> list[bool]:
        """The same for many: `(id, result)`, a result being JSON text or `Written`, or
        `(id, None, kind, code, message, data)`."""
    def complete_and_take(self, rows: list[tuple[Any, ...]], max_items: int, max_bytes: int) -> list[tuple[Any, ...]]:
        """`complete_many`, and then `take`, without a wake in between."""
    def fail(self, id: int, code: int, message: str, data: str | None = None, kind: str = "") -> bool:
        """End a call with an error."""
    def ask_input(self, id: int, questions: list[tuple[str, str, str | None]], state: str | None = None) -> bool:
        """End a call with questions (key, method, params); it comes again with the answers."""
    def send(self, target: int, method: str, params: str | None = None) -> Literal["sent", "full", "gone"]:
        """Send a notification on a call's stream or a connection."""
    def request_in_turn(
        self, target: int, method: str, params: str | None = None, timeout: float | None = None
    ) -> int:
        """Ask the peer; the answer comes as a `response`. On a client's connection it is
        sent with the next `drained` at the latest, which must follow."""
    def request_with(self, target: int, method: str, params: str | None, plan: str) -> int:
        """The same with all options, a JSON object; sent without that."""
    def request_sync(self, target: int, method: str, params: str | None, plan: str) -> Any:
        """The same on a thread that may block: the result, or `EngineError`."""
    def describe_connection(self, connection: int) -> dict[str, Any] | None:
        """What the engine knows of a connection."""
    def connection_stats(self, connection: int) -> dict[str, Any] | None:
        """Counters of a client's connection."""
    def http_body(self, request: int, bytes: Buffer, end: bool) -> list[tuple[Any, ...]]:
        """A part of the body of an exchange; what can be said at once."""
    def http_sent(self, request: int) -> list[tuple[Any, ...]]:
        """The last chunk was sent; the next one, if it is there."""
    def http_disconnect(self, request: int) -> bool:
        """The client of an exchange left."""
    def http_respond(
        self, request: int, status: int, headers: list[tuple[bytes, bytes]], body: Buffer, end: bool
    ) -> bool:
        """Answer an `http_request`."""
    def http_write(self, request: int, bytes: Buffer, end: bool) -> Literal["sent", "full", "gone"]:
        """Go on answering."""
    def flush(self, call: int) -> bool:
        """Park a call that asked something."""
    def drained(self) -> None:
        """Park all calls that asked since the last time, and send what was asked."""
    def cancel(self, request: int) -> bool:
        """Give up on a request."""
    def close_stream(self, call: int) -> bool:
        """End the stream of a call early; the client comes back for the rest."""
    def is_cancelled(self, call: int) -> bool:
        """Whether a call is not wanted any more."""
    def describe(self, call: int) -> dict[str, Any] | None:
        """What the engine knows of a call."""
    def ask_host(self, service: str, payload: str) -> Any:
        """Ask a service as the engine does, and wait. For tests."""
    def settle(self, timeout: float) -> bool:
        """Wait until nothing moves. For tests."""
    def open_calls(self) -> int:
        """Calls that are not completed."""
    def __len__(self) -> int: ...
    def close_connection(self, connection: int) -> bool:
        """End a connection."""
    def close(self) -> None:
        """End the inbox and everything open."""

@final
class Server:
    """A server whose handlers are Python's."""

    def __new__(cls, options: str, inboxes: list[Inbox]) -> Server: ...
    def set_slot(self, method: str, host: bool) -> None:
        """Who answers a method."""
    def set_fast_path(self, on: bool) -> None:
        """Off: Python answers everything."""
    def set_snapshot(self, kind: str, generation: int, json: str) -> bool:
        """What the engine may answer from. `False` if a newer generation is there."""
    def mark_stale(self, kind: str, generation: int) -> None:
        """Python is asked until a snapshot of this generation arrives."""
    def announce(self, change: str, uri: str | None = None) -> None:
        """Tell all who want to know of a change."""
    def connect(self, lines: bool) -> int:
        """Open a connection whose bytes the caller carries."""
    def connect_streams(self, revision: str | None = None) -> int:
        """The same, one message at a time. What is sent begins with its stream, a space, its
        kind, and a space; with a revision of the era with a handshake none is awaited."""
    def feed(self, connection: int, bytes: Buffer, cause: int) -> list[str]:
        """Hand over bytes that arrived; the messages to send at once."""
    def feed_stream(self, connection: int, stream: int, bytes: Buffer, cause: int) -> list[str]:
        """The same on a stream of the caller's numbering, from 1: what belongs to a request
        that came there is sent on it."""
    def take_outgoing(self, connection: int) -> list[str]:
        """The messages that wait to be sent."""
    def disconnect(self, connection: int) -> list[str]:
        """The transport ended; the last messages."""
    def listen_stdio(self) -> int:
        """Serve the standard streams; returns the connection."""
    def listen_http(self, options: str) -> tuple[int, tuple[str, int]]:
        """Serve HTTP on the engine's own threads: the listener and its address."""
    def stop_http(self, listener: int) -> bool:
        """End a listener in good order."""
    def mount(self, options: str, inbox: Inbox) -> Mount:
        """The same HTTP server without sockets."""
    def stats(self) -> dict[str, Any]:
        """Counters of all its connections; times are seconds."""
    def close(self) -> None:
        """End all connections and listeners."""

@final
class Mount:
    """An endpoint in a web server of Python's."""

    def request(
        self,
        method: str,
        target: str,
        headers: list[tuple[bytes, bytes]],
        peer: str | None,
        body: Buffer | None,
        cause: int,
        max_items: int,
        max_bytes: int,
        principal: str | None = None,
    ) -> tuple[int, list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Begin an exchange: its number, what can be said at once, and what `Inbox.take` would give then.

        `principal` is who sent it, where that is known already.
        """
    def drain(self) -> None:
        """Serve nothing new."""
    def close(self) -> None:
        """End all sessions."""
    def sessions(self) -> int:
        """Legacy sessions that are open."""

@final
class Client:
    """Reaches any number of servers with one set of options."""

    def __new__(cls, options: str, inbox: Inbox) -> Client: ...
    def open(self, target: str) -> int:
        """Start a process or prepare a URL; returns the connection. Nothing is said yet."""
    def open_fed(self, lines: bool) -> int:
        """Open a connection whose messages the caller carries."""
    def open_memory(self, server: Server) -> int:
        """Open a connection to a server of this process."""
    def initialize(self, connection: int, protocol: str | None = None) -> int:
        """Begin the handshake; a `response` with the number returned has the answer."""
    def discover(self, connection: int) -> int:
        """Ask `server/discover` alone."""
    def adopt(self, connection: int, revision: str, discovered: str) -> None:
        """Begin with what an earlier connection was told by `server/discover`."""
    def feed(self, connection: int, bytes: Buffer) -> list[str]:
        """Hand over a message of the server; the messages to send at once."""
    def take_outgoing(self, connection: int) -> list[str]:
        """The messages that wait to be sent."""
    def disconnect(self, connection: int, reason: str | None = None) -> None:
        """The transport ended."""
    def close(self) -> None:
        """End all connections."""

@final
class Transport:
    """A channel of whole messages to one server, without a session."""

    def __new__(cls, target: str, inbox: Inbox) -> Transport: ...
    @property
    def id(self) -> int:
        """The number its items carry."""
    def send(self, message: str) -> None:
        """Send one message."""
    def describe(self) -> dict[str, Any]:
        """Session id and process."""
    def close(self) -> None:
        """End it politely; `closed` comes when it is over."""

@final
class EventReader:
    """Turns the bytes of a `text/event-stream` into events."""

    def __new__(cls) -> EventReader: ...
    def feed(self, bytes: Buffer) -> list[tuple[str, str | None, Any]]:
        """`(event, id, data)` for each event the bytes complete, `("retry", None, seconds)`
        for what the stream says of reconnecting, `("", id, None)` for one too large."""

@final
class Schema:
    """A JSON Schema, compiled when it is first used."""

    def __new__(cls, schema: str) -> Schema: ...
    def explain(self, value: str) -> str | None:
        """`None` if the value fits, else the fault that says most, as data in JSON."""

@final
class UriPattern:
    """A URI template as a row of texts and values."""

    def __new__(cls, description: str) -> UriPattern: ...
    def matches(self, uri: str) -> dict[str, str | list[str]] | None:
        """The values a URI has, by name; `None` if it does not match."""

def loads(text: str) -> Any:
    """The value of JSON text, as `json.loads`."""

def dumps(value: Any) -> str:
    """Compact JSON text of plain values; `TypeError` or `ValueError` for others."""

def quote(value: str) -> str:
    """A string with its quotes and escapes."""

@final
class Written:
    """JSON text that the engine has already: completing a call with it copies nothing."""

    def __str__(self) -> str:
        """The text."""

def text_result(text: str, structured: bool) -> Written:
    """The whole result of a tool that returned a text, which is also its structured content
    if it declares one."""

def error_names() -> list[tuple[str, str, int | None, bool]]:
    """The kinds of errors: name, class, the code shown for it, whether it is local."""

def advance(seconds: float) -> None:
    """For tests: move the engine's time forward."""

def take_state(number: str, expires: float) -> None:
    """Take a state that the host opened, once in this process: `number` is text that no other
    state has, `expires` are seconds since 1970.

    Raises:
        EngineError: It was taken already, or has expired.
    """

def forked() -> None:
    """Says that this process is a forked child: what was made before writes nothing any more."""
