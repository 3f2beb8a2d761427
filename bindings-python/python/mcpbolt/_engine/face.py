"""What the process looks like to programs and peers where that may differ.

Owns: each such decision with a name, and which face the process has. Must not know: why
another face decides differently. `mcpbolt.compat` has faces like the official package 1.30; a
subclass states only what differs, so that nothing else asks which face it is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any


class Face:
    """The decisions of this package under its own name."""

    # Words

    own_words: bool = True
    """Whether messages may say more, and more spellings be accepted, than in the official
    package.
    """
    method_not_found: str = "Method not found: {method}"
    """The message for a method without a handler."""
    refusals: dict[str, str] = {}
    """By method: the message for a question that the client cannot be asked, in place of the
    engine's.
    """
    hides_connections: bool = False
    """Whether the client's error for a connection that broke says only that it is closed."""

    norm: str | None = None
    """Whose order and words the engine keeps towards peers, by its name among the engine's
    options; `None` for its own.
    """
    logs_at_root: bool = False
    """Whether faults of callbacks are logged by the root logger."""
    cancelled_code: int = 0
    """The code for a request that the client cancelled, where it is answered."""
    timed_out: tuple[int, str] | None = None
    """Code and words of an error for an answer that did not come in time, with `{method}`."""
    names_the_method: bool = False
    """Whether the data of an error for an unknown method are the method."""

    # Names

    named_as_1: bool = False
    """Whether the names by which programs detect the release are those of 1.x."""
    version: str | None = None
    """What servers without a version of their own show in place of this package's."""
    plain_errors: bool = False
    """Whether errors of peers are raised as `McpError` and not as `MCPError`, and an answer that
    does not come in time is no `TimeoutError`.
    """

    starts_with_uv: bool = False
    """Whether the desktop app starts servers through uv, needed or not."""

    # Models

    api: int = 1
    """The line of the official package whose names programs use."""
    models: str = ""
    """The module whose `find` has the models that programs get, in place of those of 1.x."""

    # Servers

    fills_in: bool = True
    """Whether the engine answers in place of handlers that the program does not have."""
    declares_uses: bool = True
    """Whether the engine declares what the handlers of a program need."""
    declares_logging: bool = True
    """Whether servers declare `logging` without a handler for `logging/setLevel`: programs send log
    messages without declaring it."""
    answers_handshakes: bool = False
    """Whether `initialize` is answered by the session even if the program has a handler."""
    asks_programs: frozenset[str] = frozenset()
    """The methods that the engine never answers in place of a handler."""
    keeps_codes: bool = True
    """Whether an error that a tool, prompt or resource raises keeps its code."""
    answers_cancelled: bool = False
    """Whether a request that the client cancelled is answered with an error."""
    refuses_messages: bool = False
    """Whether a whole message given as a notification is refused."""
    always_streams: bool = False
    """Whether HTTP requests are answered with a stream unless JSON is asked for."""
    stream_options: dict[str, Any] = {}
    """Options of the engine for streams over HTTP."""
    reads_first: bool = False
    """Whether the body of a message over HTTP+SSE is read before its session is looked for."""
    bounds_first: bool = False
    """Whether the size of a body over HTTP is looked at before the host that it names."""
    answers_first: bool = False
    """Whether such a message is accepted before it is handed to its session."""
    runs_once: bool = False
    """Whether an HTTP session manager answers only inside `run`, which is entered once."""
    needs_run: bool = False
    """Whether an HTTP session manager answers only inside `run`, entered as often as one likes."""
    announces_changes: bool = True
    """Whether clients are told that a list has changed although the program did not say so."""
    asks_by_results: bool = False
    """Whether clients of the modern era are asked by results alone, never within a call."""
    asks_legacy_by_results: bool = True
    """Whether clients of the legacy era, whose results cannot ask, are asked within the call what
    a handler's result asks.
    """
    cuts_completions: bool = True
    """Whether an answer to `completion/complete` has at most the 100 values that the protocol allows.
    """
    checks_repeats: bool = False
    """Whether headers that repeat arguments are compared for tools of a handler's list too."""
    uses_anyio_threads: bool = False
    """Whether plain functions run on threads of anyio, so that they can reach the loop by it."""
    runs_on_loop: bool = False
    """Whether plain functions of tools, prompts and resources run on the loop unless the program says
    otherwise, so that they may use what belongs to its thread.
    """
    makes_spans: bool = True
    """Whether there are OpenTelemetry spans and durations."""
    shows_content_as_text: bool = False
    """Whether content that a prompt returns without a message becomes text that is JSON."""
    fills_in_kinds: bool = True
    """Whether constructors of models add the member that says the kind."""

    def unexpected(self, error: BaseException) -> tuple[str, int, str, Any] | None:
        """Kind, code, message and data for an exception that a handler did not mean for
        clients; `None` for what the server makes of it.
        """
        return None

    def services(self) -> dict[str, Callable[[Any], Awaitable[str]]]:
        """The engine's services that the face answers, by name."""
        return {}

    def wire(self, host: Any, stateless: bool) -> Any:
        """What rewrites the messages of one connection of a server; `None` for nothing."""
        return None

    async def serve_stdio(self, host: Any) -> bool:
        """Carry the process's standard streams for a server until their end, or return
        `False`: then the engine does.
        """
        return False

    def refused(
        self, status: int, headers: list[tuple[str, str]], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """The whole answer to a request over HTTP that was refused."""
        return status, headers, body

    def norm_option(self) -> dict[str, Any]:
        """The engine's option for its words and their order; empty for those of this package."""
        return {} if self.norm is None else {"norm": self.norm}

    def server_norm(self) -> dict[str, Any]:
        """The same for a server; where the words are another's, each report of progress and each log
        message leaves as it is, however fast they come.
        """
        return {} if self.norm is None else {**self.norm_option(), "progress_rate": 0, "log_rate": 0}

    def server_options(self, has: Callable[[str], bool]) -> dict[str, Any]:
        """Options of the engine for a server; `has` tells whether it has a handler of its own."""
        return {}

    def shape(self, kind: type) -> None:
        """Called with classes whose methods may differ, when they are made."""

    async def ended(self) -> None:
        """Called when a server in the client's process has ended."""

    # Clients

    remarks: frozenset[str] = frozenset({"malformed", "unexpected", "unknown_reply"})
    """The kinds of the engine's remarks that a session's message handler is given."""
    skips_handshake: bool = False
    """Whether a session may send requests before its handshake."""
    hears_early: bool = False
    """Whether a session on a program's own streams answers a server that speaks first."""
    watches_by_listening: bool = True
    """Whether subscribing to a resource, which the modern era does not have, opens a subscription
    of that era.
    """
    asks_callbacks: bool = False
    """Whether questions that the client did not declare are left to its callbacks."""
    validates_kinds: bool = False
    """Whether a kind of result that is not known is an error of pydantic."""
    normalizes_uris: bool = False
    """Whether URIs are sent as pydantic writes them."""
    starts_programs: bool = False
    """Whether a server that is a program is started even if nothing is sent to it."""
    carries_http: bool = False
    """Whether HTTP requests of clients go through `httpx` even if the program gives no client."""
    gone_is_answer: bool = False
    """Whether any 404 is such an answer, and leaves the transport in use."""
    gone_code: int | None = None
    """The code of the error that a request gets whose session is gone, where the program's HTTP
    client is used; `None` for a new session, as the protocol wants it.
    """
    raises_statuses: bool = False
    """Whether any other HTTP status that is an error ends the transport."""
    answers_statuses: bool = False
    """Whether an HTTP status that refuses a request is an answer of the server, in fixed words."""
    raises_groups: bool = False
    """Whether errors of transports are raised as exception groups when their context ends."""
    chains_errors: bool = False
    """Whether an exception of a handler, in a server of this process that raises them, becomes the
    cause of the client's error on the modern era, instead of ending the server.
    """
    opens_first: bool = False
    """Whether HTTP+SSE connects as its context is entered, and a failure of that is raised as it
    is, in no group.
    """
    groups_errors: bool = False
    """Whether what leaves the context of a client or a session is raised in an exception group,
    as task groups do.
    """
    authorizes_like: str = "specification"
    """What authorization follows: the specification, or the official package where it does
    otherwise.
    """


current: Face = Face()
"""The face of this process."""

inherited: tuple[str, ...] = ()
"""Environment variables that started servers inherit in addition to the usual few."""


def use(face: Face) -> None:
    """Give the process another face."""
    global current
    current = face


def inherit(names: tuple[str, ...]) -> None:
    """Have started servers inherit these environment variables too."""
    global inherited
    inherited = names
