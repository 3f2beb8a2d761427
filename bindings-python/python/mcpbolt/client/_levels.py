"""Which log messages are wanted with a request, as the modern era has it.

Owns: the levels, and whether a request says itself which it wants.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..shared.exceptions import UsageError

if TYPE_CHECKING:
    from ..types import LoggingLevel

KEY = "io.modelcontextprotocol/logLevel"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")


def checked_level(level: LoggingLevel | None) -> LoggingLevel | None:
    """A level, if it is one.

    Raises:
        UsageError: The value is not a log level.
    """
    if level is not None and level not in LEVELS:
        raise UsageError(f"log_level must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def says_level(params: str | None) -> bool:
    """Whether `_meta` of some params, as JSON text, has a level."""
    if params is None or KEY not in params:
        return False
    members: Any = json.loads(params)
    meta: Any = members.get("_meta") if isinstance(members, dict) else None  # pyright: ignore
    return isinstance(meta, dict) and KEY in meta
