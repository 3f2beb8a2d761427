"""A quick check of tool names."""

from __future__ import annotations

# Longer names are looked at closely.
_SHORT = 64


def look_at_tool_name(name: str) -> None:
    """Log warnings about a tool name. Valid identifiers, which most names are, need no closer
    look.
    """
    if name.isidentifier() and name.isascii() and len(name) <= _SHORT:
        return
    from .tool_name_validation import validate_and_warn_tool_name

    validate_and_warn_tool_name(name)
