"""JSON text for the engine. Owns: how Python values become text. Must not know: MCP."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, cast

from ._mcpbolt import Written, quote, text_result
from ._mcpbolt import dumps as _plain

__all__ = [
    "JSON_TEXT",
    "NotFiniteError",
    "dumps",
    "model_dict",
    "model_text",
    "quote",
    "readable",
    "refuse_not_finite",
    "result_text",
    "structured_text",
    "text_result",
]


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


class NotFiniteError(ValueError):
    """Structured content holds a number that JSON does not have."""


def structured_text(value: Any) -> str:
    """Structured content as JSON, where programs rely on every number.

    Raises:
        NotFiniteError: A number in it is NaN or infinite; text beside it would say another thing.
    """
    try:
        return _plain(value)
    except (TypeError, ValueError):
        refuse_not_finite(value)
        return _unusual(value)


def result_text(model: Any) -> str:
    """The result of a tool as it goes on the wire. Raises `NotFiniteError`."""
    text = model_text(model)
    # What is not finite is written as null, and null is rare.
    if "null" in text:
        for name in ("structuredContent", "structured_content"):
            refuse_not_finite(getattr(model, name, None))
    return text


def refuse_not_finite(value: Any, where: str = "structuredContent", seen: set[int] | None = None) -> None:
    """Raise `NotFiniteError` if a value holds NaN or an infinity anywhere."""
    if isinstance(value, float):
        if not math.isfinite(value):
            raise NotFiniteError(f"{where} is {value}: JSON has no such number; use None or text in its place")
        return
    if isinstance(value, Enum):
        return refuse_not_finite(value.value, where, seen)
    if value is None or isinstance(value, (str, int, bytes, type)):
        return
    seen = set() if seen is None else seen
    if id(value) in seen:
        # What is written need not be all there is: a part may lead back to its owner.
        return
    seen.add(id(value))
    if isinstance(value, (list, tuple)):
        for at, part in enumerate(cast("list[Any]", value)):
            refuse_not_finite(part, f"{where}[{at}]", seen)
    else:
        # Models and data classes are no mappings.
        parts = cast("Mapping[Any, Any]", value if isinstance(value, Mapping) else getattr(value, "__dict__", {}))
        for key, part in parts.items():
            refuse_not_finite(part, f"{where}.{key}", seen)


def readable(text: str) -> str:
    """Text that every peer can read: half of a character that needs two becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
