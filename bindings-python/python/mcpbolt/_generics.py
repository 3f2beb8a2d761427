"""Type variables with defaults, without importing `typing_extensions` at run time.

Owns: making both `Context[Session]` and `Context[Session, Lifespan, Request]` work at run
time, as they do with real defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    class Lenient:
        """A base class to put before `Generic`: type parameters that are left out get their
        defaults.
        """

else:
    from typing import TypeVar as _TypeVar

    def TypeVar(name, *bounds, bound=None, default=None, covariant=False):
        """The same as the real `TypeVar`. Only type checkers use the default."""
        return _TypeVar(name, *bounds, bound=bound, covariant=covariant)

    class Lenient:
        """A base class to put before `Generic`: type parameters that are left out become `Any`."""

        __slots__ = ()

        def __class_getitem__(cls, parameters):
            given = parameters if isinstance(parameters, tuple) else (parameters,)
            missing = len(cls.__parameters__) - len(given)
            return super().__class_getitem__(given + (Any,) * missing)


__all__ = ["Lenient", "TypeVar"]
