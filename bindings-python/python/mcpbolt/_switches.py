"""Which of the two behaviours holds where the official package has a known defect.

Owns: the switches. `mcpbolt.compat` turns them.
"""

from __future__ import annotations


class Switches:
    """State of the process."""

    __slots__ = ("inherited", "named_as_1", "official")

    def __init__(self) -> None:
        # True: codes and words as the official package has them, defects included.
        self.official = False
        # True: `import mcp` means this package, and programs take it for 1.x.
        self.named_as_1 = False
        # Variables of the environment that servers started from here get beside the few they do.
        self.inherited: tuple[str, ...] = ()

    @property
    def own_words(self) -> bool:
        """Whether refusals may be worded better, and spellings taken, than the official package does."""
        return not (self.official or self.named_as_1)


switches = Switches()
