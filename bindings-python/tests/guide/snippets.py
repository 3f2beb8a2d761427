"""The Python code of the guide: from test files into its chapters.

`python bindings-python/tests/guide/snippets.py` writes the chapters; a test compares. In
a test file, what stands between `# [guide]` and `# [end]` is one fence of the chapter,
in order. The README's code comes from the READMEs themselves: they are run as they are.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
GUIDE = ROOT / "docs" / "guide"
FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# For linters of the test file, nobody else.
NOTE = re.compile(r"  # noqa.*$", re.MULTILINE)
REGION = re.compile(r"^ *# \[guide\]\n(.*?)^ *# \[end\]$", re.MULTILINE | re.DOTALL)


# Pages without a section of code in Python: the overview, that for phones, those whose programs are in
# Rust so far, and that on authorization, whose clients and servers are in sections of their own.
OTHERS = ("README", "authorization", "command-line", "extensions", "nodes", "phones", "skills")


def chapters() -> list[str]:
    """Names of the chapters with code in Python, without their ending."""
    return sorted(path.stem for path in GUIDE.glob("*.md") if path.stem not in OTHERS)


def source_of(chapter: str) -> Path:
    """The test file of a chapter."""
    return HERE / f"test_guide_{chapter.replace('-', '_')}.py"


def regions(path: Path) -> list[str]:
    """What a test file gives to its chapter."""
    found = [NOTE.sub("", code) for code in REGION.findall(path.read_text("utf-8"))]
    return [textwrap.dedent(code).strip("\n") + "\n" for code in found]


def fences(text: str) -> list[str]:
    """The Python code of a document."""
    return FENCE.findall(text)


def rewritten(text: str, code: list[str]) -> str:
    """A document with other code in its fences."""
    given = iter(code)
    return FENCE.sub(lambda _: f"```python\n{next(given)}```", text)


def main() -> int:
    """Write all chapters; those with another number of fences than regions are named."""
    wrong = 0
    for chapter in chapters():
        path, code = GUIDE / f"{chapter}.md", regions(source_of(chapter))
        text = path.read_text("utf-8")
        if len(fences(text)) != len(code):
            print(f"{chapter}: {len(fences(text))} fences for {len(code)} regions")
            wrong = 1
            continue
        path.write_text(rewritten(text, code), "utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
