"""Members of definitions that programs write as dictionaries where models are meant.

Owns: reading them as models. Must not know: which line's models these are; whoever defines
something says so, by a function, so that nothing is imported for those who write models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


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
