"""docs/reference/mistakes.md: the table of mistakes as users read it.

Owns: which lines of a text tell something. Where a program stood when it failed is for
its author; the page has what was said.
"""

from __future__ import annotations

import re
from pathlib import Path

from said import FRAMES

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "docs/reference/mistakes.md"
NAMES = {"python": "Python", "node": "Node", "rust": "Rust"}
HEAD = """# Mistakes

What is printed when something is wrong, by mistake and language. Places in programs are left out, and ports are called `PORT`.

Written by `MCPBOLT_BLESS=1 cargo xtask test mistakes` from the programs in `tests/mistakes`; do not edit.
"""


def lines_of(text: str) -> list[str]:
    """What was printed, without the marks of a golden file."""
    return [line for line in text.splitlines()[1:] if line not in ("stdout:", "stderr:", "terminal:")]


def telling(text: str) -> list[str]:
    """Without frames, and without members of an error that Node prints below it."""
    kept: list[str] = []
    inside = False
    for line in lines_of(text):
        if line.startswith(("Traceback (", "Node.js VERSION")):
            continue
        if inside:
            inside = line != "}"
            continue
        if line == " {":
            inside = True
            continue
        if line == FRAMES or re.match(r'\s+File "|    ', line):
            continue
        kept.append(line)
    return kept


def rendered(rows: list[dict[str, object]]) -> str:
    parts = [HEAD]
    for row in rows:
        parts.append(f"\n## {row['mistake']}\n")
        for language, name in NAMES.items():
            golden = HERE / "golden" / f"{row['id']}.{language}.txt"
            if golden.is_file():
                said = telling(golden.read_text("utf-8")) or ["(nothing)"]
                parts.append("\n".join([f"\n{name}:\n", "```text", *said, "```", ""]))
    return "".join(parts)


def current(rows: list[dict[str, object]], bless: bool) -> bool:
    """Whether the page is what the golden files say; written where that is wanted."""
    wanted = rendered(rows)
    if bless:
        PAGE.write_text(wanted, "utf-8")
    return PAGE.is_file() and PAGE.read_text("utf-8") == wanted
