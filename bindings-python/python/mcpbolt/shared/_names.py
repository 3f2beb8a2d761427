"""A quick check of tool names."""

from __future__ import annotations

# The longest valid name, in characters.
MAX_LENGTH = 128


def look_at_tool_name(name: str) -> None:
    """Log warnings about a tool name. Valid identifiers, which most names are, need no closer
    look.
    """
    if name.isidentifier() and name.isascii() and len(name) <= MAX_LENGTH:
        return
    from .tool_name_validation import validate_and_warn_tool_name

    validate_and_warn_tool_name(name)
