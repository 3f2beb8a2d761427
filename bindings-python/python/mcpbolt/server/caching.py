"""How long clients may cache results, as 2026-07-28 lets a server say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from .._engine.protocol import METHODS, CacheableMethod

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["CACHEABLE_METHODS", "CacheHint", "CacheableMethod"]

ResultT = TypeVar("ResultT", bound="BaseModel")

CACHEABLE_METHODS: frozenset[str] = frozenset(name for name, row in METHODS.items() if row.cacheable)
"""The methods whose results clients may cache."""


@dataclass(frozen=True)
class CacheHint:
    """How long clients may cache the results of a method, and whether they may share them.

    Raises:
        ValueError: The time is negative, or the scope does not exist.
    """

    ttl_ms: int = 0
    """How long a result is valid, in milliseconds. At 0, the default, it is stale at once."""
    scope: Literal["public", "private"] = "private"
    """`public` if a cached result may be given to other users than the one who asked, else
    `private`, the default.
    """

    def __post_init__(self) -> None:
        if self.ttl_ms < 0:
            raise ValueError(f"ttl_ms must be >= 0, got {self.ttl_ms}")
        if self.scope not in ("public", "private"):
            raise ValueError(f"scope must be 'public' or 'private', got {self.scope!r}")


def validated(hints: Mapping[Any, Any]) -> dict[str, CacheHint]:
    """Check the cache hints of a server, given by method.

    Args:
        hints: The hints by method.

    Raises:
        ValueError: A key is not a method whose results may be cached.
        TypeError: A value is not a `CacheHint`.
    """
    unknown = sorted(repr(method) for method in hints if method not in CACHEABLE_METHODS)
    if unknown:
        raise ValueError(f"cache_hints keys must be cacheable methods (see CacheableMethod); got: {', '.join(unknown)}")
    for method, hint in hints.items():
        if not isinstance(hint, CacheHint):
            raise TypeError(f"cache_hints[{method!r}] must be a CacheHint, got {type(hint).__name__}")
    return cast("dict[str, CacheHint]", dict(hints))


def for_engine(hints: Mapping[str, CacheHint]) -> dict[str, Any]:
    """The cache hints in the form that the engine takes.

    Args:
        hints: The hints by method.
    """
    return {method: {"ttlMs": hint.ttl_ms, "public": hint.scope == "public"} for method, hint in hints.items()}


def validate_cache_hints(cache_hints: Mapping[Any, Any] | None) -> dict[str, CacheHint]:
    """Check the cache hints of a server (2.x); the same as `validated`, except that it takes `None`.

    Args:
        cache_hints: The hints by method; `None` for none.
    """
    return validated(cache_hints or {})


def apply_cache_hint(result: ResultT, hint: CacheHint) -> ResultT:
    """Fill in the members about caching that the handler left out of a result (2.x).

    Args:
        result: The result.
        hint: The cache hint of the method.
    """
    members: dict[str, Any] = {"ttl_ms": hint.ttl_ms, "cache_scope": hint.scope}
    missing = {name: value for name, value in members.items() if name not in result.model_fields_set}
    return result.model_copy(update=missing) if missing else result
