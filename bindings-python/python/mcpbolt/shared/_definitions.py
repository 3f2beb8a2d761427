"""Which models definitions are made of, and members that programs write as dictionaries instead.

Owns: the models unless a line has others, and reading dictionaries as models. Must not know: what
is defined. Models come from functions, so that nothing is imported for those who need none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


def own_types() -> Any:
    """The module of the models that programs get unless their line has others."""
    from .. import types

    return types


class WithModels:
    """What makes models. A line that has others overrides `_models`."""

    @property
    def _models(self) -> Any:
        return own_types()


def unless_model(value: Any, name: str, models: Callable[[], Any]) -> Any:
    """A member of a definition as the model of this name. `None` and models stay as they are.

    Raises:
        ValidationError: The value does not fit the model (an error of pydantic).
    """
    if value is None or hasattr(value, "model_dump"):
        return value
    return getattr(models(), name).model_validate(value)


def icons_of(icons: Iterable[Any] | None, models: Callable[[], Any]) -> list[Any] | None:
    """Icons as models.

    Raises:
        ValidationError: One of them does not fit the model (an error of pydantic).
    """
    return None if icons is None else [unless_model(icon, "Icon", models) for icon in icons]
