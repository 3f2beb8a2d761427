"""Type variables with defaults, without loading `typing_extensions` to have them.

Owns: what makes `Context[Session]` and `Context[Session, Lifespan, Request]` both work
at run time, as they do with real defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    class Lenient:
        """A base before `Generic`: parameters that are left out are their defaults."""

else:
    from typing import TypeVar as _TypeVar

    def TypeVar(name, *bounds, bound=None, default=None, covariant=False):
        """As the real one; the default is for type checkers."""
        return _TypeVar(name, *bounds, bound=bound, covariant=covariant)

    class Lenient:
        """A base before `Generic`: parameters that are left out are `Any`."""

        __slots__ = ()

        def __class_getitem__(cls, parameters):
            given = parameters if isinstance(parameters, tuple) else (parameters,)
            missing = len(cls.__parameters__) - len(given)
            return super().__class_getitem__(given + (Any,) * missing)


__all__ = ["Lenient", "TypeVar"]
