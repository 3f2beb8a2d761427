"""Which behaviour applies where the official package has a known defect.

Owns: the switches. `mcpbolt.compat` sets them.
"""

from __future__ import annotations


class Switches:
    """The switches of the process."""

    __slots__ = ("inherited", "named_as_1", "official")

    def __init__(self) -> None:
        # Whether to use the official package's error codes and messages, including its
        # defects.
        self.official = False
        # Whether `import mcp` means this package, so that programs take it for 1.x.
        self.named_as_1 = False
        # Environment variables that started servers inherit in addition to the usual few.
        self.inherited: tuple[str, ...] = ()

    @property
    def own_words(self) -> bool:
        """Whether error messages may be better, and more spellings be accepted, than in the
        official package.
        """
        return not (self.official or self.named_as_1)


switches = Switches()
