"""Counters of a server that serves in several ways at once.

Owns: merging the counters of several engines. Must not know: what is counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# Of these the largest value is taken.
_TIMES = ("p50", "p99")


def merged(several: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Merge several tables of counters into one, each in the engine's format."""
    total: dict[str, Any] = {}
    for counters in several:
        for name, value in counters.items():
            total[name] = value if name not in total else _joined(name, total[name], value)
    return total


def _joined(name: str, one: Any, other: Any) -> Any:
    if name in _TIMES:
        return max((time for time in (one, other) if time is not None), default=None)
    if isinstance(one, dict):
        return merged([one, other])  # pyright: ignore[reportUnknownArgumentType]
    if name == "latency":
        return [[bound, calls + more] for (bound, calls), (_, more) in zip(one, other, strict=True)]
    return one + other
