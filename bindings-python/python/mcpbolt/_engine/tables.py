"""Tables that several threads use.

Owns: how they are looked through while others change them. Must not know: what is in them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def drop(table: dict[K, V], is_over: Callable[[K, V], bool]) -> None:
    """Remove the entries that are over; other threads may add and remove some meanwhile."""
    for key, value in list(table.items()):
        if is_over(key, value):
            table.pop(key, None)
