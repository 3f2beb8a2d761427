"""Dictionaries that report changes. Programs write to them directly.

Owns: noticing what is written. Must not know: what is registered, and who is told.
"""

from __future__ import annotations

from collections.abc import Callable
from logging import Logger
from typing import Any, TypeVar

V = TypeVar("V")

_WRITES = ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update")


class Registry(dict[str, V]):
    """The registered objects by name, in order of registration."""

    changed: Callable[[], None] | None = None

    def touch(self) -> None:
        """Report a change."""
        if self.changed is not None:
            self.changed()


    def register(self, name: str, item: V, kind: str, logger: Logger | None) -> V:
        """Register an item and return it. If the name is in use, the earlier item stays and is
        returned; a logger warns of it, with the kind of the items.
        """
        existing = self.get(name)
        if existing is not None:
            if logger is not None:
                logger.warning("%s already exists: %s", kind, name)
            return existing
        own(self, item)
        self[name] = item
        return item

    def unregister(self, name: str, error: Exception) -> None:
        """Remove an item; raises the error if there is none."""
        if name not in self:
            raise error
        del self[name]


def _telling(name: str) -> Any:
    write = getattr(dict, name)

    def method(self: Registry[Any], *args: Any, **kwargs: Any) -> Any:
        try:
            return write(self, *args, **kwargs)
        finally:
            self.touch()

    method.__name__ = name
    method.__doc__ = write.__doc__
    return method


for _name in _WRITES:
    setattr(Registry, _name, _telling(_name))


class Owned:
    """An object in a registry: setting an attribute counts as a change of the registry."""

    _owner: Registry[Any] | None = None

    @property
    def is_registered(self) -> bool:
        """Whether a server has it, which then notices its changes."""
        return self._owner is not None

    def __setattr__(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)
        if self._owner is not None:
            self._owner.touch()


def own(registry: Registry[Any], item: Any) -> None:
    """Report changes of `item` as changes of `registry` from now on."""
    if isinstance(item, Owned):
        item.__dict__["_owner"] = registry
