"""The models behind `mcpbolt.v2.types`: what is where, and how it is made on first use.

Owns: when a model is built. Must not know: what is in a model. As in `mcpbolt._types`, a class
is handed out only when it and every class it can lead to are built.
"""

from __future__ import annotations

from importlib import import_module
from threading import RLock
from typing import Any, get_args

from ._index import HOMES

_lock = RLock()
_built: set[type] = set()


def find(name: str) -> Any:
    """The value of a public name, built if it is a model.

    Raises:
        AttributeError: The official package has no such type.
    """
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mcpbolt.v2.types' has no attribute {name!r}")
    with _lock:
        value = getattr(import_module(home), name)
        _build(value)
        return value


def _build(value: Any) -> None:
    from pydantic import BaseModel

    if not (isinstance(value, type) and issubclass(value, BaseModel)):
        for part in get_args(value):
            _build(part)
        return
    if value in _built or not value.__module__.startswith(__name__):
        return
    _built.add(value)
    for base in value.__bases__:
        _build(base)
    for field in value.__pydantic_fields__.values():
        _build(field.annotation)
    value.model_rebuild(_types_namespace={})
    # Classes of users that derive from it are theirs, not deferred.
    value.model_config.pop("defer_build", None)
    if "[" not in value.__name__:
        # The public home, for pickling; parametrized generics have none.
        value.__module__ = "mcpbolt.v2.types"
