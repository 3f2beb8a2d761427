"""What decorators check at once.

Owns: whether one was written without its parentheses.
"""

from __future__ import annotations

from typing import Any

from .._engine import face


def refuse_bare(first: Any, decorator: str, right: str) -> None:
    """Refuse a decorator that was written without its parentheses.

    Raises:
        TypeError: The decorator was given a function.
    """
    if callable(first):
        raise TypeError(
            f"The @{decorator} decorator was used incorrectly. "
            f"Did you forget to call it? Use @{right} instead of @{decorator}"
        )


def is_bare(first: Any, decorator: str, right: str) -> bool:
    """Whether a decorator that allows it was written without its parentheses.

    Raises:
        TypeError: It was, while this package stands in for the official one, which refuses that.
    """
    if not callable(first):
        return False
    if not face.current.own_words:
        refuse_bare(first, decorator, right)
    return True
