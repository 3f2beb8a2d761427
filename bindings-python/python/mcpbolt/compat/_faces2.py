"""The face of a process in which the official names mean 2.x.

Owns: what official 2.3 decides differently. Must not know: who asks.
"""

from __future__ import annotations

import sys

from .._engine.face import Face
from ._release import VERSION_2


class OfficialFace2(Face):
    """The official package, release 2.3, as it is."""

    own_words = False
    method_not_found = "Method not found"
    version = VERSION_2
    models = "mcpbolt.v2._types.rooted"
    api = 2

    @property
    def makes_spans(self) -> bool:  # type: ignore[override]
        """As long as the tracer that programs may replace records them."""
        place = sys.modules.get("mcpbolt.v2.shared._otel")
        return place is None or type(place._tracer).__name__ != "NoOpTracer"
