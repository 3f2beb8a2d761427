"""JSON text for the engine. Owns: how Python values become text. Must not know: MCP."""

from __future__ import annotations

from typing import Any, Final

from ._mcpbolt import Written, quote, text_result
from ._mcpbolt import dumps as _plain

__all__ = ["JSON_TEXT", "dumps", "model_dict", "model_text", "quote", "text_result"]


# An answer of these is JSON text as it leaves; `str` of it is that text.
JSON_TEXT: Final = (str, Written)


def dumps(value: Any) -> str:
    """Compact JSON. What JSON does not have becomes what pydantic makes of it: dates are
    text, infinity is null; what it does not know raises `ValueError`.
    """
    try:
        return _plain(value)
    except (TypeError, ValueError):
        return _unusual(value)


def _unusual(value: Any) -> str:
    from json import JSONEncoder

    try:
        # Keys that are numbers, classes of one's own that are dictionaries.
        return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(value)
    except (TypeError, ValueError):
        from pydantic_core import to_json

        return to_json(value, inf_nan_mode="null").decode()


def model_text(model: Any) -> str:
    """A model as it goes on the wire."""
    text: str = model.model_dump_json(by_alias=True, exclude_none=True)
    return text


def model_dict(model: Any) -> dict[str, Any]:
    """A model as JSON values."""
    values: dict[str, Any] = model.model_dump(by_alias=True, mode="json", exclude_none=True)
    return values
