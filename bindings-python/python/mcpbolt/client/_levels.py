"""The log level that a request asks for, as in the modern era.

Owns: the levels, and whether a request sets one itself.
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
    """Check that a value is a log level and return it.

    Raises:
        UsageError: The value is not a log level.
    """
    if level is not None and level not in LEVELS:
        raise UsageError(f"log_level must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def says_level(params: str | None) -> bool:
    """Whether the `_meta` in some params, given as JSON text, sets a log level."""
    if params is None or KEY not in params:
        return False
    members: Any = json.loads(params)
    meta: Any = members.get("_meta") if isinstance(members, dict) else None  # pyright: ignore
    return isinstance(meta, dict) and KEY in meta
