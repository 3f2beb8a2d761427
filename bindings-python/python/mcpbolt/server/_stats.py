"""Counters of a server that serves in several ways at once.

Owns: how counters of several engines are one. Must not know: who counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

# The slowest decides.
_TIMES = ("p50", "p99")


def merged(several: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """One table of counters out of several, each as the engine writes it."""
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
