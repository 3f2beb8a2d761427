"""Decisions of the engine for authorization servers.

Owns: asking for one in the words of the official package that programs see, and its refusal as
an exception. Must not know: what is decided.
"""

from __future__ import annotations

from typing import Any

from .._engine import face
from .._engine.json import dumps
from .._mcpbolt import EngineError, auth_decision


class Refused(Exception):
    """A request is refused: an OAuth error code, and a text for developers."""

    def __init__(self, error: str, error_description: str | None) -> None:
        super().__init__(error_description)
        self.error = error
        self.error_description = error_description


def words() -> str:
    """The official package whose words count."""
    return "python2" if face.current.api == 2 else "python"


def decide(name: str, **given: Any) -> Any:
    """Ask the engine. Members that are `None` are left out.

    Raises:
        Refused: The request is refused.
        ValueError: What the program configured is.
    """
    members = {member: value for member, value in given.items() if value is not None}
    try:
        return auth_decision(name, dumps({"words": words(), **members}))
    except EngineError as error:
        _, _, message, data = error.args
        if not data:
            raise ValueError(message) from None
        raise Refused(data["error"], data["error_description"]) from None
