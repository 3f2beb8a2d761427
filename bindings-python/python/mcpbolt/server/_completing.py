"""Answers to `completion/complete`.

Owns: how many values they have. Must not know: which handler made them.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable
from typing import Any, cast

from .._engine.json import JSON_TEXT, dumps

# The most that the protocol allows, in every revision.
_MOST = 100


async def bounded(answer: Awaitable[Any]) -> Any:
    """The answer with as many values as the protocol allows. If some are left out, it says how many
    there were, unless it did already, and that there are more.
    """
    given = await answer
    # Most answers are short enough, and need no look at their values.
    if not isinstance(given, JSON_TEXT) or (text := str(given)).count(",") < _MOST:
        return given
    result: dict[str, Any] = json.loads(text)
    completion = cast("dict[str, Any]", result.get("completion") or {})
    values = cast("list[Any]", completion.get("values") or [])
    if len(values) <= _MOST:
        return given
    whole = {"total": len(values), **completion, "values": values[:_MOST], "hasMore": True}
    return dumps({**result, "completion": whole})
