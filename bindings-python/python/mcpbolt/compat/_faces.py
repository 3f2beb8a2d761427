"""The faces of a process in which the official name means this package.

Owns: what official 1.30 decides differently, its defects included. Must not know: who asks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .._engine.face import Face
from ._release import OFFICIAL_VERSION


class FixedFace(Face):
    """The official package with its known defects fixed: its names and words."""

    own_words = False
    named_as_1 = True
    # Of servers of 1.x: a connection of `sqlite3` that the program opened is of that thread.
    runs_on_loop = True
    authorizes_like = "python"


class OfficialFace(FixedFace):
    """The official package, release 1.30, as it is."""

    method_not_found = "Method not found"
    # Of its clients, which are asked all the same.
    refusals = {
        "elicitation/create": "Elicitation not supported",
        "roots/list": "List roots not supported",
        "sampling/createMessage": "Sampling not supported",
    }
    hides_connections = True
    norm = "python-1"
    logs_at_root = True
    version = OFFICIAL_VERSION
    plain_errors = True
    starts_with_uv = True
    # It refuses unknown methods in its own words, and keeps no log level itself.
    fills_in = False
    declares_uses = False
    declares_logging = False
    answers_handshakes = True
    asks_programs = frozenset({"prompts/get", "resources/read"})
    keeps_codes = False
    answers_cancelled = True
    cuts_completions = False
    # It does not send them either, and programs that try do not expect them to arrive.
    refuses_messages = True
    always_streams = True
    stream_options = {"one_reader": True, "ends_unknown": True}
    reads_first = True
    answers_first = True
    runs_once = True
    # Libraries add their own, and each would be recorded twice.
    makes_spans = False
    shows_content_as_text = True
    fills_in_kinds = False
    skips_handshake = True
    hears_early = True
    asks_callbacks = True
    normalizes_uris = True
    starts_programs = True
    # Programs replace parts of httpx, and pass tokens of streams to be resumed.
    carries_http = True
    gone_is_answer = True
    gone_code = 32600
    raises_statuses = True
    raises_groups = True

    def unexpected(self, error: BaseException) -> tuple[str, int, str, Any] | None:
        """The exception's message, under a code that means nothing."""
        return "", 0, str(error), None

    def services(self) -> dict[str, Callable[[Any], Awaitable[str]]]:
        """The words for bodies over HTTP that are not a message."""
        from ._bodies import word_body

        return {"http.body": word_body}

    def wire(self, host: Any, stateless: bool) -> Any:
        """The messages of one connection as the official package sends them."""
        from ._wire import OfficialWire

        return OfficialWire(host, stateless)

    async def serve_stdio(self, host: Any) -> bool:
        """Carry the standard streams in Python, through an `OfficialWire`."""
        from ._stdio import serve_official_stdio

        await serve_official_stdio(host)
        return True
