"""The functions of the engine, on which the rest of the package is built.

Parameters called `params`, `result`, `data`, `json`, `options`, `schema`, `value` or `payload`
are JSON text if they are text. Calls, connections and requests are numbers.
"""

from typing_extensions import Buffer
from typing import Any, Literal, final

from ._mcpbolt_auth import (
    AnswerWait as AnswerWait,
    AuthFlow as AuthFlow,
    BearerRules as BearerRules,
    ClientDocuments as ClientDocuments,
    DpopKey as DpopKey,
    IdentityAssertions as IdentityAssertions,
    RedirectPort as RedirectPort,
    RedirectWait as RedirectWait,
    ResourceServer as ResourceServer,
    TokenFile as TokenFile,
    TokenFileLock as TokenFileLock,
    TokenWait as TokenWait,
)

__all__ = [
    "__version__", "Inbox", "Server", "Mount", "Client", "Command", "Transport", "EventReader", "AuthFlow", "DpopKey",
    "BearerRules", "ResourceServer", "TokenWait", "AnswerWait", "IdentityAssertions", "ClientDocuments",
    "TokenFile", "TokenFileLock", "RedirectPort", "RedirectWait", "Schema", "UriPattern", "KeyRing", "Written", "EngineError", "advance",
    "take_state", "forked", "open_in_browser", "app_decision", "auth_decision", "host_names", "skill_decision",
    "skill_digest", "verify_skill", "loads", "dumps", "quote", "text_result", "error_names"
]

_Grant = tuple[list[str], list[str], str | None]  # scopes, those of every request, where the metadata are

__version__: str
"""The version of the package."""

class EngineError(Exception):
    """An error of the engine. `args` are (kind, code, message, data)."""

    args: tuple[str, int, str, Any]

@final
class Inbox:
    """The items that wait for one loop and its worker threads."""
    def __new__(cls, max_items: int | None = None, max_bytes: int | None = None) -> Inbox: ...
    def fileno(self) -> int:
        """A descriptor that is readable while there are items to take."""
    def check(self) -> None:
        """Raise an error in a forked child of the process that made the inbox."""
    def take(self, max_items: int, max_bytes: int) -> list[tuple[Any, ...]]:
        """Take the items that wait; returns at once. The first member of an item is its name:

        `request` (call, connection, cause, method, name, params, invalid),
        `notification` (connection, cause, method, params),
        `response` (id, call, cause, result, failure), `progress` (id, params), `sent` (id, request),
        `event_id` (id, event),
        `cancel` (call, why, reason), `writable` (target), `ask` (id, service, payload),
        `outgoing` (connection), `subscription` (connection, uri, active),
        `log` (connection, kind, message), `closed` (connection, failure),
        `state` (connection, state), `message` (connection, text),
        `send_failed` (connection, id, failure), `http_head` (request, status, headers,
        body, end), `http_chunk` (request, bytes, end), `http_request` (request, head,
        body), `http_closed` (request), `cause_closed` (cause)."""
    def take_sync(self, timeout: float) -> tuple[Any, ...] | None:
        """Wait for a worker's call, at most `timeout` seconds, with the interpreter released. `None` also
        in place of a call that Python cannot read, which the engine has refused."""
    def complete(self, id: int, result: str | Written) -> bool:
        """Complete a call or an ask. `False` if it is unknown or over; then nothing happens."""
    def complete_many(self, rows: list[tuple[Any, ...]]) -> list[bool]:
        """Complete several calls with rows `(id, result)`, in which a result is JSON text or
        `Written`, or `(id, None, kind, code, message, data)`."""
    def complete_and_take(self, rows: list[tuple[Any, ...]], max_items: int, max_bytes: int) -> list[tuple[Any, ...]]:
        """Complete several calls as `complete_many` does and then take items, without a wake in between."""
    def fail(self, id: int, code: int, message: str, data: str | None = None, kind: str = "") -> bool:
        """Complete a call with an error."""
    def ask_input(self, id: int, questions: list[tuple[str, str, str | None]], state: str | None = None) -> bool:
        """Complete a call with questions (key, method, params); it comes again with the answers."""
    def send(self, target: int, method: str, params: str | None = None) -> Literal["sent", "full", "gone"]:
        """Send a notification on a call's stream or a connection."""
    def request_in_turn(
        self, target: int, method: str, params: str | None = None, timeout: float | None = None
    ) -> int:
        """Ask the peer; the answer comes as a `response`. On a client's connection it is
        sent with the next `drained` at the latest, which must follow."""
    def request_with(self, target: int, method: str, params: str | None, plan: str) -> int:
        """Send a request to the peer with all options, given as a JSON object. It is sent at
        once; the answer comes as a `response`."""
    def request_sync(self, target: int, method: str, params: str | None, plan: str) -> Any:
        """Send a request to the peer and block until it is answered; returns the result or raises `EngineError`."""
    def describe_connection(self, connection: int) -> dict[str, Any] | None:
        """The engine's description of a connection."""
    def connection_stats(self, connection: int) -> dict[str, Any] | None:
        """The counters of a client's connection."""
    def http_body(self, request: int, bytes: Buffer, end: bool) -> list[tuple[Any, ...]]:
        """Pass on a part of an exchange's body; returns the items that it caused."""
    def http_sent(self, request: int) -> list[tuple[Any, ...]]:
        """Report that the last chunk was sent; returns the items that are ready."""
    def http_disconnect(self, request: int) -> bool:
        """Report that the client of an exchange disconnected."""
    def http_respond(
        self, request: int, status: int, headers: list[tuple[bytes, bytes]], body: Buffer, end: bool
    ) -> bool:
        """Answer an `http_request`."""
    def http_write(self, request: int, bytes: Buffer, end: bool) -> Literal["sent", "full", "gone"]:
        """Continue an answer that `http_respond` began."""
    def begin_task(self, call: int) -> int:
        """Make a task of a call of one of our tools; the answer comes as a `response`."""
    def flush(self, call: int) -> bool:
        """Park a call that asked questions."""
    def drained(self) -> None:
        """Park all calls that asked since the last time, and send their questions and held requests."""
    def cancel(self, request: int) -> bool:
        """Cancel a request."""
    def close_stream(self, call: int) -> bool:
        """End the event stream of a call early, so that the client reconnects for the rest."""
    def close_standalone_stream(self, connection: int) -> bool:
        """End the event stream of a client that belongs to no request, so that it reconnects."""
    def is_cancelled(self, call: int) -> bool:
        """Whether a call was cancelled."""
    def describe(self, call: int) -> dict[str, Any] | None:
        """The engine's description of a call."""
    def ask_host(self, service: str, payload: str) -> Any:
        """Call a service as the engine does, and wait for its answer. For tests."""
    def settle(self, timeout: float) -> bool:
        """Wait until nothing is in progress; `False` after `timeout` seconds. For tests."""
    def open_calls(self) -> int:
        """How many calls are not completed yet."""
    def __len__(self) -> int: ...
    def close_connection(self, connection: int) -> bool:
        """Close a connection."""
    def close(self) -> None:
        """Close the inbox and everything that is open."""

@final
class Server:
    """A server whose handlers are written in Python."""
    def __new__(cls, options: str, inboxes: list[Inbox]) -> Server: ...
    def set_slot(self, method: str, host: bool) -> None:
        """Set whether the host (Python) or the engine answers a method."""
    def set_fast_path(self, on: bool) -> None:
        """Set whether the engine may answer by itself. If not, Python answers everything."""
    def set_snapshot(self, kind: str, generation: int, json: str) -> bool:
        """Set what the engine may answer from. `False` if it has a newer generation already."""
    def has_scopes(self) -> bool:
        """Whether a token needs scopes for anything."""
    def lacks_scopes(self, messages: str, grant: _Grant | None) -> str | None:
        """The challenge with which messages are refused whose token lacks scopes for any of them."""
    def list_changed(self, kind: str, announce: bool) -> bool:
        """Report a change of a list: Python answers until its rows arrive. Returns whether to call `refresh_lists`
        at the end of the turn. May be called on any thread."""
    def refresh_lists(self) -> list[tuple[str, int]]:
        """Announce the changes; returns the lists to set a snapshot of, with its generation."""
    def capabilities(self) -> dict[str, Any]:
        """The capabilities that the server declares."""
    def announce(self, change: str, uri: str | None = None) -> None:
        """Notify all clients that want to know of a change."""
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
        """Take the messages that wait to be sent."""
    def disconnect(self, connection: int) -> list[str]:
        """Report that the transport ended; returns the last messages."""
    def listen_stdio(self) -> int:
        """Serve the standard streams; returns the connection."""
    def listen_http(self, options: str) -> tuple[int, tuple[str, int], str | None]:
        """Serve HTTP on the engine's own threads; returns the listener, its address, and the URL of
        its page, if the option `docs` asks for one.
        """
    def stop_http(self, listener: int) -> bool:
        """Stop a listener after its running calls have ended."""
    def mount(self, options: str, inbox: Inbox) -> Mount:
        """Make the HTTP server without sockets, for a web server written in Python."""
    def stats(self) -> dict[str, Any]:
        """The counters of all connections of the server; times are in seconds."""
    def close(self) -> None:
        """Close all connections and listeners."""

@final
class Mount:
    """An MCP endpoint in a web server written in Python."""
    def request(
        self, method: str, target: str, headers: list[tuple[bytes, bytes]], peer: str | None,
        body: Buffer | None, cause: int, max_items: int, max_bytes: int, principal: str | None = None,
        grant: _Grant | None = None,
    ) -> tuple[int, list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """Begin an exchange. Returns its number, the items that are ready, and the items that
        `Inbox.take` would return then.

        `principal` is the authenticated sender, if already known; `grant` what its token allows."""
    def has_scopes(self) -> bool:
        """Whether a token needs scopes for anything: then `request` wants to know the grant."""
    def drain(self) -> None:
        """Serve no new requests."""
    def close(self) -> None:
        """End all sessions."""
    def sessions(self) -> int:
        """How many legacy sessions are open."""
    def has_session(self, id: str) -> bool:
        """Whether the legacy session with this id is open in this process."""

@final
class Client:
    """Connects to any number of servers, with one set of options."""
    def __new__(cls, options: str, inbox: Inbox) -> Client: ...
    def open(self, target: str) -> int:
        """Start a process or prepare a URL; returns the connection. Nothing is sent yet."""
    def open_fed(self, lines: bool) -> int:
        """Open a connection whose messages the caller carries."""
    def open_memory(self, server: Server) -> int:
        """Open a connection to a server of this process."""
    def initialize(self, connection: int, protocol: str | None = None) -> int:
        """Begin the handshake. The answer comes as a `response` with the returned number."""
    def discover(self, connection: int) -> int:
        """Ask `server/discover` alone; answered as `initialize` is."""
    def adopt(self, connection: int, revision: str, discovered: str) -> None:
        """Begin with an earlier answer to `server/discover`, without asking."""
    def feed(self, connection: int, bytes: Buffer) -> list[str]:
        """Pass on a message of the server; returns the messages to send at once."""
    def take_outgoing(self, connection: int) -> list[str]:
        """Take the messages that wait to be sent."""
    def disconnect(self, connection: int, reason: str | None = None) -> None:
        """Report that the transport ended."""
    def close(self) -> None:
        """Close all connections."""

@final
class Command:
    """One run of the part of the command `mcpbolt` that is the engine's."""
    def __new__(cls) -> Command: ...
    def fileno(self) -> int | None:
        """A descriptor for numbers of signals, a byte each; `None` where the command receives them."""
    def run(self, arguments: list[str], python: str | None) -> int:
        """Run it, with the interpreter released, and return the exit code. `python` is its file."""

@final
class Transport:
    """A channel to one server that carries whole messages, without a session."""
    def __new__(cls, target: str, inbox: Inbox) -> Transport: ...
    @property
    def id(self) -> int:
        """The number that the items of this transport carry."""
    def send(self, message: str) -> None:
        """Send one message."""
    def describe(self) -> dict[str, Any]:
        """The session id and the process."""
    def close(self) -> None:
        """Close the channel. The item `closed` reports its end."""

@final
class EventReader:
    """Splits the bytes of a `text/event-stream` into events."""
    def __new__(cls) -> EventReader: ...
    def feed(self, bytes: Buffer) -> list[tuple[str, str | None, Any]]:
        """Return `(event, id, data)` for each event that the bytes complete, `("retry", None, seconds)` for the
        stream's reconnection time, and `("", id, None)` for an event that is too large."""

@final
class Schema:
    """A JSON Schema, compiled on first use."""
    def __new__(cls, schema: str) -> Schema: ...
    def explain(self, value: str) -> str | None:
        """`None` if the value is valid, else the most relevant fault, as JSON text."""

@final
class KeyRing:
    """Secret keys: the first one seals, all of them open."""
    def __new__(cls, secrets: list[bytes]) -> KeyRing:
        """Make a ring of keys, each of which may stand in it once.

        Raises:
            ValueError: A key is given twice, or none is given."""
    def seal(self, payload: bytes) -> str:
        """Seal bytes with the first key."""
    def open(self, token: str) -> bytes:
        """Open sealed text with the key that sealed it.

        Raises:
            ValueError: The text is malformed, was changed, or none of the keys sealed it."""

@final
class UriPattern:
    """A URI template as a row of texts and values."""
    def __new__(cls, description: str) -> UriPattern: ...
    def matches(self, uri: str) -> dict[str, str | list[str]] | None:
        """The values a URI has, by name; `None` if it does not match."""

def auth_decision(name: str, arguments: str) -> Any:
    """Make one decision of a flow."""
def app_decision(name: str, arguments: str) -> Any:
    """Make one decision about apps."""
def host_names(servers: str) -> Any:
    """What the tools of several servers are called."""
def skill_decision(name: str, arguments: str) -> Any:
    """Make one decision about skills."""
def skill_digest(content: bytes) -> str:
    """The digest of a file: `sha256:` and 64 hexadecimal digits."""
def verify_skill(skill: str, uri: str, content: bytes) -> dict[str, Any]:
    """Compare the bytes of a file with its skill's entry."""
def loads(text: str) -> Any:
    """Parse JSON text, with the same result as `json.loads`."""
def dumps(value: Any) -> str:
    """Compact JSON text of plain values; raises `TypeError` or `ValueError` for others."""
def quote(value: str) -> str:
    """A string as JSON, with its quotes and escapes."""

@final
class Written:
    """JSON text that the engine has already. Completing a call with it copies nothing and takes it
    away."""
    def __str__(self) -> str:
        """The JSON text. Raises `ValueError` if it completed a call."""

def text_result(text: str, structured: bool) -> Written:
    """The whole result of a tool that returned text. `structured` adds the text as structured
    content, for tools that declare it."""
def error_names() -> list[tuple[str, str, int | None, bool]]:
    """The kinds of errors: name, class, the code that programs see, whether it happened locally."""
def advance(seconds: float) -> None:
    """Move the engine's time forward. For tests."""
def take_state(number: str, expires: float) -> None:
    """Mark a state that the host opened as used, which is possible once in this process.
    `number` is text that identifies the state; `expires` is in seconds since 1970.

    Raises:
        EngineError: The state is used already, or has expired."""
def open_in_browser(url: str) -> None:
    """Have the browser of the system show a page."""
def forked() -> None:
    """Tell the engine that this process is a forked child; objects made before send nothing."""
