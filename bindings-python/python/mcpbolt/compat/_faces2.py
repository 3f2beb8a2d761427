"""The face of a process in which the official names mean 2.x.

Owns: what official 2.3 decides differently. Must not know: who asks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from .._engine.face import Face


class OfficialFace2(Face):
    """The official package, release 2.3, as it is."""

    own_words = False
    norm = "python-2"
    method_not_found = "Method not found"
    version = ""
    models = "mcpbolt.v2._types.rooted"
    api = 2
    refusals = {
        "elicitation/create": "Elicitation not supported",
        "roots/list": "List roots not supported",
        "sampling/createMessage": "Sampling not supported",
    }
    names_the_method = True
    timed_out = (-32001, "Request {method!r} timed out")
    asks_programs = frozenset({"prompts/get", "resources/read"})
    announces_changes = False
    declares_logging = False
    asks_by_results = True
    asks_legacy_by_results = False
    uses_anyio_threads = True
    needs_run = True
    cuts_completions = False
    checks_repeats = True
    fills_in = False
    fills_in_kinds = False
    asks_callbacks = True
    remarks = frozenset({"malformed"})
    answers_statuses = True
    raises_groups = True
    skips_handshake = True
    validates_kinds = True
    groups_errors = True
    authorizes_like = "python2"
    chains_errors = True
    opens_first = True
    bounds_first = True
    watches_by_listening = False
    gone_code = -32600
    always_streams = True
    stream_options: dict[str, Any] = {"one_reader": True, "ends_unknown": True, "modern_response": "auto"}

    def unexpected(self, error: BaseException) -> tuple[str, int, str, Any] | None:
        """The exception's message, under a code that means nothing."""
        is_own = any(kind.__name__ in ("UnknownResourceMixin", "UnknownPromptError") for kind in type(error).__mro__)
        return None if is_own else ("", 0, str(error), None)

    @property
    def makes_spans(self) -> bool:  # type: ignore[override]
        """As long as the tracer that programs may replace records them."""
        place = sys.modules.get("mcpbolt.v2.shared._otel")
        return place is None or type(place._tracer).__name__ != "NoOpTracer"

    @property
    def carries_http(self) -> bool:  # type: ignore[override]
        """As soon as the program has put another client in the place of `httpx2`'s."""
        library = sys.modules.get("httpx2")
        return library is not None and not library.AsyncClient.__module__.startswith("httpx2")

    def shape(self, kind: type) -> None:
        """Some methods warn that the protocol has deprecated what they are for."""
        from ._deprecated2 import mark

        mark(kind)

    async def ended(self) -> None:
        """Functions on threads come to their end too."""
        from ..server._threads import settled

        await settled()

    def refused(
        self, status: int, headers: list[tuple[str, str]], body: bytes
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """In the words of 2.3."""
        from ._refusals2 import reworded

        return reworded(status, headers, body)

    def server_options(self, has: Callable[[str], bool]) -> dict[str, Any]:
        """What 2.3 leaves to programs."""
        return {
            "ask_undeclared": True,
            "hides_logging": not has("logging/setLevel"),
            "host_seals_state": True,
            # Calls of tools that there are not are logged.
            "unknown_tool": "host",
        }
