"""The models behind `mcpbolt.types`: what is where, and how it is made on first use.

Importing this imports neither pydantic nor a model. A class is handed out only when
it and every class it can lead to are built: pydantic's own deferred building shows
half-built classes to other threads before 2.14.
"""

import os
import sys
from importlib import import_module
from threading import RLock
from typing import Any, get_args

from .._engine import face
from ._index import HOMES

_lock = RLock()
_built: set[type] = set()


def find(name: str) -> Any:
    """The value of a public name, built if it is a model."""
    if face.current.models:
        try:
            return import_module(face.current.models).find(name)
        except AttributeError:
            pass  # What only 1.x has, the layers below may still ask for.
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mcpbolt.types' has no attribute {name!r}")
    with _lock:
        value = getattr(import_module(home), name)
        if home.startswith(__name__):
            _build(value)
        return value


def _build(value: Any) -> None:
    """Builds the models in an annotation and all they refer to, innermost first."""
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
        value.__module__ = "mcpbolt.types"


def _after_fork() -> None:
    # A thread that held the lock does not exist in the child.
    global _lock
    _lock = RLock()


if sys.platform != "win32" and hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
