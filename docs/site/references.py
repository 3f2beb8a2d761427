"""What the references of all languages have in common.

Owns: what a page of them is, how headings are called in links, tables. Must not know: a language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
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


def anchor(name: str) -> str:
    """As the site's generator calls a heading."""
    return re.sub(r"[^\w-]", "", name).lower()


def table(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    return [f"| {title} | meaning |", "|---|---|", *(f"| {name} | {said} |" for name, said in rows), ""]
