"""JSON text for the engine. Owns: how Python values become text. Must not know: MCP."""

from __future__ import annotations

from collections.abc import Callable
from json import JSONEncoder
from json.encoder import encode_basestring
from typing import Any

# One per process: making an encoder costs more than using it.
_encode: Callable[[Any], str] = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

quote: Callable[[str], str] = encode_basestring


def dumps(value: Any) -> str:
    """Compact JSON. What JSON does not have becomes what pydantic makes of it: dates are
    text, infinity is null; what it does not know raises `ValueError`.
    """
    try:
        return _encode(value)
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
