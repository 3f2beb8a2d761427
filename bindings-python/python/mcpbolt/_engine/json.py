"""JSON text for the engine. Owns: how Python values become text. Must not know: MCP."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import Enum
from typing import Any, Final, cast

from .._mcpbolt import Written, quote, text_result
from .._mcpbolt import dumps as _plain

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


# Types of answers that are JSON text already; `str` of such an answer is the text to send.
JSON_TEXT: Final = (str, Written)


def dumps(value: Any) -> str:
    """Compact JSON text. Values that JSON does not have are converted as pydantic does it:
    dates become text, infinity becomes null. Members of models that are `None` are left out, as
    they are in messages. Raises `ValueError` for values that pydantic does not know.
    """
    try:
        return _plain(value)
    except (TypeError, ValueError):
        return _unusual(value)


def _unusual(value: Any) -> str:
    from json import JSONEncoder

    try:
        # Keys that are numbers, and subclasses of `dict`.
        return JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(value)
    except (TypeError, ValueError):
        from pydantic_core import to_json

        return to_json(value, exclude_none=True, inf_nan_mode="null").decode()


def model_text(model: Any) -> str:
    """The JSON text of a model, as it is sent."""
    unsaid = getattr(model, "__unsaid__", None)
    text: str = model.model_dump_json(by_alias=True, exclude_none=True, exclude=unsaid and unsaid())
    return text


def model_dict(model: Any) -> dict[str, Any]:
    """A model as JSON values, as it is sent."""
    unsaid = getattr(model, "__unsaid__", None)
    values: dict[str, Any] = model.model_dump(
        by_alias=True, mode="json", exclude_none=True, exclude=unsaid and unsaid()
    )
    return values


class NotFiniteError(ValueError):
    """Structured content has a number that JSON cannot represent."""


def structured_text(value: Any) -> str:
    """The JSON text of structured content, in which every number must be preserved.

    Raises:
        NotFiniteError: It has a NaN or an infinity, which would be sent as null.
    """
    try:
        return _plain(value)
    except (TypeError, ValueError):
        refuse_not_finite(value)
        return _unusual(value)


def result_text(model: Any) -> str:
    """The JSON text of a tool result, as it is sent. Raises `NotFiniteError`."""
    text = model_text(model)
    # NaN and infinity are written as null, and null is rare.
    if "null" in text:
        for name in ("structuredContent", "structured_content"):
            refuse_not_finite(getattr(model, name, None))
    return text


def refuse_not_finite(value: Any, where: str = "structuredContent", seen: set[int] | None = None) -> None:
    """Raise `NotFiniteError` if a value has NaN or an infinity anywhere."""
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
        # A value may contain itself, since not all members of an object are written as JSON.
        return
    seen.add(id(value))
    if isinstance(value, (list, tuple)):
        for at, part in enumerate(cast("list[Any]", value)):
            refuse_not_finite(part, f"{where}[{at}]", seen)
    else:
        # Models and data classes are not mappings.
        parts = cast("Mapping[Any, Any]", value if isinstance(value, Mapping) else getattr(value, "__dict__", {}))
        for key, part in parts.items():
            refuse_not_finite(part, f"{where}.{key}", seen)


def readable(text: str) -> str:
    """Replace lone surrogates by U+FFFD, so that every peer can read the text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
