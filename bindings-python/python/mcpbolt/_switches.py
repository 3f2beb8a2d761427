"""Which of the two behaviours holds where the official package has a known defect.

Owns: the one switch. `mcpbolt.compat` turns it.
"""

from __future__ import annotations


class Switches:
    """State of the process."""

    __slots__ = ("inherited", "official")

    def __init__(self) -> None:
        # True: codes and words as the official package has them, defects included.
        self.official = False
        # Variables of the environment that servers started from here get beside the few they do.
        self.inherited: tuple[str, ...] = ()


switches = Switches()
