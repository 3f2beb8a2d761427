"""Whether a list handler takes the request as an argument."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar, get_type_hints

T = TypeVar("T")
R = TypeVar("R")


def create_call_wrapper(func: Callable[..., R], request_type: type[T]) -> Callable[[T], R]:
    """Wrap `func` as a function of the request. If one of its parameters is annotated with the
    request type and has no default, it gets the request, else nothing.

    Args:
        func: The function.
        request_type: The model of the request.
    """
    name = request_parameter(func, request_type)
    if name is None:
        return lambda _: func()
    if name == "":
        return lambda request: func(request)
    return lambda request: func(**{name: request})


def request_parameter(func: Callable[..., Any], request_type: type | None = None, type_name: str = "") -> str | None:
    """The parameter that takes the request; an empty name if it is positional only.

    Args:
        func: The function.
        request_type: The model of the request.
        type_name: The name of the model, if it is not loaded. Default: that of `request_type`.
    """
    try:
        parameters = inspect.signature(func).parameters.values()
        if not parameters:
            return None
        hints = get_type_hints(func)
    except (ValueError, TypeError, NameError):
        return None
    if request_type is None:
        from ... import types

        request_type = getattr(types, type_name)
    for parameter in sorted(parameters, key=lambda p: p.kind is not p.POSITIONAL_ONLY):
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if hints.get(parameter.name) == request_type:
            if parameter.default is not parameter.empty:
                return None
            return "" if parameter.kind is parameter.POSITIONAL_ONLY else parameter.name
    return None
