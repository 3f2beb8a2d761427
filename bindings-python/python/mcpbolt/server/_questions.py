"""Questions that come out of a function where a result is expected.

Owns: what is one, and how an `InputRequiredResult` gets past what turns results of
resources into text.
"""

from __future__ import annotations

import contextvars
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from .._json import JSON_TEXT

# What most functions return. Each call comes by here twice, and to miss an attribute of a
# type costs as much as a small function.
_PLAIN = frozenset({*JSON_TEXT, int, float, bool, type(None), bytes, list, tuple, dict})


def is_question(result: Any) -> bool:
    """Whether a function wants to know something first: an `InputRequiredResult`."""
    kind: Any = type(result)  # pyright: ignore
    return kind not in _PLAIN and "inputRequests" in getattr(kind, "model_fields", ())


_asked: contextvars.ContextVar[list[Any] | None] = contextvars.ContextVar("asked", default=None)


@contextmanager
def answered_by() -> Generator[list[Any], None, None]:
    """Collects what functions below want to ask."""
    found: list[Any] = []
    token = _asked.set(found)
    try:
        yield found
    finally:
        _asked.reset(token)


def ask_instead(result: Any) -> bool:
    """Whether a result is a question and was taken as one."""
    taker = _asked.get()
    if taker is None or not is_question(result):
        return False
    taker.append(result)
    return True
