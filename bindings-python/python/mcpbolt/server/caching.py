"""Cache hints: how long clients may keep results, since 2026-07-28."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

__all__ = ["CACHEABLE_METHODS", "CacheHint", "CacheableMethod"]

CacheableMethod = Literal[
    "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"
]
"""The methods whose results may be kept."""

CACHEABLE_METHODS: frozenset[str] = frozenset(
    {"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list", "resources/read"}
)
"""The cacheable methods as a set."""


@dataclass(frozen=True)
class CacheHint:
    """How long results of a method stay good, and for whom.

    Raises:
        ValueError: A negative time, or a scope that does not exist.
    """

    ttl_ms: int = 0
    """Milliseconds; at 0 they are stale at once."""
    scope: Literal["public", "private"] = "private"
    """Whether a kept result may be given to others than who asked."""

    def __post_init__(self) -> None:
        if self.ttl_ms < 0:
            raise ValueError(f"ttl_ms must be >= 0, got {self.ttl_ms}")
        if self.scope not in ("public", "private"):
            raise ValueError(f"scope must be 'public' or 'private', got {self.scope!r}")


def validated(hints: Mapping[Any, Any]) -> dict[str, CacheHint]:
    """Hints per method, checked.

    Raises:
        ValueError: A key is not a method whose results may be cached.
        TypeError: A value is not a `CacheHint`.
    """
    unknown = sorted(repr(method) for method in hints if method not in CACHEABLE_METHODS)
    if unknown:
        raise ValueError(f"cache_hints has methods whose results cannot be kept: {', '.join(unknown)}")
    for method, hint in hints.items():
        if not isinstance(hint, CacheHint):
            raise TypeError(f"cache_hints[{method!r}] must be a CacheHint, not {type(hint).__name__}")
    return cast("dict[str, CacheHint]", dict(hints))


def for_engine(hints: Mapping[str, CacheHint]) -> dict[str, Any]:
    """Hints as the engine wants them."""
    return {method: {"ttlMs": hint.ttl_ms, "public": hint.scope == "public"} for method, hint in hints.items()}
