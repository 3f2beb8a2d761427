"""The engine's options for HTTP that the face decides."""

from __future__ import annotations

from typing import Any

from .._engine import face

# The engine has no word for a session that never ends, in seconds.
FOREVER = 10.0 * 365 * 24 * 3600


def response_mode(json_response: bool) -> str:
    """How the engine answers: with JSON only, with streams only, or as it chooses."""
    if json_response:
        return "json"
    return "sse" if face.current.always_streams else "auto"


def stream_manners() -> dict[str, Any]:
    """Options for how the engine treats a second GET stream and an unknown event, and answers of
    the modern era.
    """
    return face.current.stream_options
