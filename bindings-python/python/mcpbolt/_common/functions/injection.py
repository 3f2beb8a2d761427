"""Which parameter of a function gets the `Context`.

Owns: finding it, for the contexts of both lines. Must not know: what contexts can do.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from ..context import BaseContext


def find_context_parameter(fn: Callable[..., Any]) -> str | None:
    """The name of the first parameter annotated with `Context`, however it is written: bare,
    with type parameters, optional, in a union, or as a string. `None` if there is none.

    Args:
        fn: The function.
    """
    annotations = getattr(fn, "__annotations__", None)
    if annotations is not None and not any(map(_may_mean_context, annotations.values())):
        return None
    try:
        hints = typing.get_type_hints(fn)
    except Exception:
        return None
    return next((name for name, hint in hints.items() if name != "return" and means_context(hint)), None)


def _may_mean_context(annotation: Any) -> bool:
    # Most functions have plain classes only, so their type hints need not be evaluated. What is neither
    # a class nor text is not looked up: it may be unhashable, as `Annotated` with a dictionary is.
    return annotation is not None and not (type(annotation) in (type, str) and annotation in _PLAIN)


_PLAIN = frozenset({str, int, float, bool, bytes, dict, list, tuple, set, "str", "int", "float", "bool", "None"})


def means_context(hint: Any) -> bool:
    """Whether an annotation is `Context` or contains it."""
    if inspect.isclass(hint) and not typing.get_args(hint):
        return issubclass(hint, BaseContext)
    origin = typing.get_origin(hint)
    if inspect.isclass(origin) and issubclass(origin, BaseContext):
        return True
    return origin is not None and any(map(means_context, typing.get_args(hint)))


def inject_context(
    fn: Callable[..., Any], kwargs: dict[str, Any], context: Any | None, context_kwarg: str | None
) -> dict[str, Any]:
    """Add the context to the arguments of a call if the function has a parameter for it.

    Args:
        fn: The function.
        kwargs: The arguments of the call.
        context: The context; `None` outside of a request.
        context_kwarg: The parameter that gets it; `None` without one.
    """
    del fn
    if context_kwarg is None or context is None:
        return kwargs
    return {**kwargs, context_kwarg: context}
