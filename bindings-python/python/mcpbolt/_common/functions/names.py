"""The names of functions that programs register.

Owns: which name a function must not keep. Must not know: what functions are registered as.
"""

from __future__ import annotations


def named(name: str) -> str:
    """The name, if it is not that of every lambda.

    Raises:
        ValueError: A lambda has no name of its own.
    """
    if name == "<lambda>":
        raise ValueError("You must provide a name for lambda functions")
    return name
