"""Questions that a function returns in place of a result.

Owns: recognizing them.
"""

from __future__ import annotations

import contextvars
from typing import Any

from .json import JSON_TEXT

# The types that most functions return. This is checked twice for each call, and looking up a
# missing attribute of a type costs as much as a small function.
_PLAIN = frozenset({*JSON_TEXT, int, float, bool, type(None), bytes, list, tuple, dict})

# The member that only questions have, as both lines spell it.
_ASKING = frozenset({"inputRequests", "input_requests"})

asks_by_result: contextvars.ContextVar[bool] = contextvars.ContextVar("asks_by_result", default=False)
"""Whether the client is asked for a parameter, which every revision has a way for."""


def quietly(method: Any) -> Any:
    """A method without the warning that programs get for it."""
    plain = getattr(method, "__wrapped__", None)
    return method if plain is None else plain.__get__(method.__self__)


def is_question(result: Any) -> bool:
    """Whether a function returned questions: an `InputRequiredResult`."""
    kind: Any = type(result)  # pyright: ignore
    if kind in _PLAIN or _ASKING.isdisjoint(getattr(kind, "model_fields", ())):
        return False
    # Results of extensions may have such a member too.
    return getattr(result, "result_type", getattr(result, "resultType", None)) in (None, "input_required")

