"""Whether the name of a tool is worth a look."""

from __future__ import annotations

# Most characters of a name.
MAX_LENGTH = 128


def look_at_tool_name(name: str) -> None:
    """Log what is odd about a name. Nothing is about an identifier, as most functions have."""
    if name.isidentifier() and name.isascii() and len(name) <= MAX_LENGTH:
        return
    from .tool_name_validation import validate_and_warn_tool_name

    validate_and_warn_tool_name(name)
