"""Content blocks and whole results, of whichever line of the official package.

Owns: recognising them, and reading a model of one line as the same model of the other. Must not
know: which line a server is of; it says so by its models. A line whose models nobody has
imported has none to recognise, so nothing is imported for it.
"""

from __future__ import annotations

import sys
from typing import Any

from ..._engine.json import model_dict

# Where each line has its models, by the names of their modules.
_LINES = ("mcpbolt._types", "mcpbolt.v2._types")
_BLOCKS = ("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource")


def block_types() -> tuple[type, ...]:
    """The classes of content blocks that are in use."""
    return _classes("content", _BLOCKS)


def result_types() -> tuple[type, ...]:
    """The classes `CallToolResult` that are in use."""
    return _classes("tools", ("CallToolResult",))


def _classes(place: str, names: tuple[str, ...]) -> tuple[type, ...]:
    modules = [sys.modules.get(f"{line}.{place}") for line in _LINES]
    # A module that another thread is still importing may lack some.
    found = [getattr(module, name, None) for module in modules if module is not None for name in names]
    return tuple(kind for kind in found if kind is not None)


def as_model(kind: Any, value: Any) -> Any:
    """A value as an instance of a model. The same model of the other line is read by what would be
    sent of it.

    Raises:
        ValidationError: The value is something else (an error of pydantic).
    """
    if isinstance(value, kind):
        return value
    return kind.model_validate(model_dict(value) if hasattr(value, "model_dump_json") else value)


def as_block(block: Any, models: Any) -> Any:
    """A content block as one of these models."""
    kind = next(name for name in _BLOCKS if any(base.__name__ == name for base in type(block).__mro__))
    return as_model(getattr(models, kind), block)
