"""The modules and classes that shared code names as its own.

Owns: giving a class the module where programs find it, which it names in its `repr` and in
pickles, and its functions the class that programs know. Must not know: the classes.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

C = TypeVar("C", bound="type[Any] | Callable[..., Any]")


def found_in(module: str) -> Callable[[C], C]:
    """Decorator for a class or function that programs import from another module of this
    package. A class must have no annotations that are evaluated later: they would be looked up
    in that module.
    """

    def decorator(item: C) -> C:
        item.__module__ = f"mcpbolt.{module}"
        return item

    return decorator


def part_of(name: str) -> Callable[[C], C]:
    """Decorator for a class that is a part of one that programs know by this name: its functions
    name that one, in warnings such as that of a coroutine which was never awaited.
    """

    def decorator(item: C) -> C:
        for key, member in vars(item).items():
            if isinstance(member, FunctionType):
                member.__qualname__ = f"{name}.{key}"
        return item

    return decorator
