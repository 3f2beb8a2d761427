"""Methods of 2.x by which programs for both lines of the official package detect the line.

Owns: hiding them while the name of 1.x means this package. Must not know: what they do.
"""

from __future__ import annotations

from functools import update_wrapper
from types import MethodType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ._engine import face

if TYPE_CHECKING:
    from collections.abc import Callable

MethodT = TypeVar("MethodT", bound="Callable[..., Any]")


class _Probed:
    """Takes the place of the method in its class."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        # Documented like the method, although it is not a function.
        update_wrapper(cast("Any", self), method)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if face.current.named_as_1:
            name = self._method.__qualname__
            raise AttributeError(f"{name} is of 2.x, and mcpbolt.compat has made this process one of mcp 1.x")
        return self._method if instance is None else MethodType(self._method, instance)


def probed(method: MethodT) -> MethodT:
    """Decorator for a method that is missing while `import mcp` means this package."""
    return cast("MethodT", _Probed(method))
