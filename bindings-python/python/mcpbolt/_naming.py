"""The modules that shared classes name as theirs.

Owns: giving a class the module where programs find it, which it names in its `repr` and in
pickles. Must not know: the classes.
"""

from __future__ import annotations

from collections.abc import Callable
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
