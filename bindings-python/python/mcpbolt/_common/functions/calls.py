"""Calling the functions that programs register.

Owns: telling async functions from plain ones. Must not know: what functions are registered as.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any


def is_async_callable(function: Any) -> bool:
    """Whether calling the function returns an awaitable."""
    while isinstance(function, functools.partial):
        function = function.func  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    call = getattr(function, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
