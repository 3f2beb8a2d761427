"""What the references of all languages have in common.

Owns: what a page of them is. Must not know: a language.
"""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """A page: its file in the folder of its language, its title and question, its names by module or
    entry point.
    """

    file: str
    title: str
    question: str
    names: dict[str, tuple[str, ...]]

    @property
    def short(self) -> str:
        """How a sentence about the reference calls it."""
        return self.title.partition(": ")[2]
