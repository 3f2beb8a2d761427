"""The mapping behind `Server.request_handlers`: by class to programs, by method inside.

Owns: which class stands for which method. Asking by class is what programs do; the classes
themselves are only loaded then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, cast, get_args


def method_of(cls: Any) -> str:
    """The method a class of requests or notifications is for."""
    field = cls.model_fields["method"]
    if isinstance(field.default, str):
        return field.default
    return str(get_args(field.annotation)[0])


if TYPE_CHECKING:
    _Base = MutableMapping[type, Callable[..., Any]]
else:

    class _Base(MutableMapping, dict):
        """A mapping that programs take for the `dict` the official package has there. What
        `dict` would do by itself with its own members, of which there are none, is done here.
        """

        def copy(self):
            """The handlers, in a dictionary that nobody serves from."""
            return dict(self.items())

        def __or__(self, other):
            return self.copy() | dict(other)

        def __ror__(self, other):
            return dict(other) | self.copy()

        def __ior__(self, other):
            self.update(other)
            return self


class HandlerTable(_Base):
    """Handlers by the class of what they take."""

    def __init__(self, names: dict[str, str], changed: Callable[[str], None]) -> None:
        self._names = names
        self._changed = changed
        # Per method the class, unless it is the usual one, and the handler.
        self._entries: dict[str, tuple[type | None, Callable[..., Any]]] = {}

    # By method

    def put(self, method: str, handler: Callable[..., Any]) -> None:
        """Set the handler of a method under its usual class."""
        self._entries[method] = (None, handler)
        self._changed(method)

    def drop(self, method: str) -> None:
        """Remove the handler of a method."""
        del self._entries[method]
        self._changed(method)

    def of(self, method: str) -> Callable[..., Any] | None:
        """The handler of a method."""
        entry = self._entries.get(method)
        return entry[1] if entry else None

    def has(self, method: str) -> bool:
        """Whether a method has a handler."""
        return method in self._entries

    def methods(self) -> list[str]:
        """The methods that have a handler."""
        return list(self._entries)

    def class_of(self, method: str) -> Any:
        """The class a handler of this method takes."""
        entry = self._entries.get(method)
        if entry and entry[0] is not None:
            return entry[0]
        from ... import types

        # A method of the program's own has no class of its own.
        return getattr(types, self._names.get(method, "Request"))

    # By class

    def _find(self, cls: type) -> str:
        method = method_of(cls)
        if method in self._entries and self.class_of(method) is cls:
            return method
        raise KeyError(cls)

    def __getitem__(self, cls: type) -> Callable[..., Any]:
        return self._entries[self._find(cls)][1]

    def __setitem__(self, cls: type, handler: Callable[..., Any]) -> None:
        method = method_of(cls)
        usual = self._names.get(method)
        own = usual is None or getattr(cls, "__name__", None) != usual
        self._entries[method] = (cls if own else None, handler)
        self._changed(method)

    def __delitem__(self, cls: type) -> None:
        method = self._find(cls)
        del self._entries[method]
        self._changed(method)

    def __contains__(self, cls: object) -> bool:
        try:
            self._find(cast("type", cls))
        except (KeyError, AttributeError, IndexError):
            return False
        return True

    def __iter__(self) -> Iterator[type]:
        return iter([self.class_of(method) for method in self._entries])

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._entries)})"
